/** metav1.MicroTime: RFC 3339 with six decimals. */
export function microTime(wallMs: number): string {
  return new Date(wallMs).toISOString().replace("Z", "000Z");
}
