/** The API server could not be asked, or refused. The message is for a person; `status` is that of HTTP, where it answered at all. */
export class KubeFault extends Error {
  override readonly name = "KubeFault";
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** The text of an error of any sort, on one line. */
export function reasonOf(fault: unknown): string {
  const text = fault instanceof Error ? fault.message : String(fault);
  return text.replaceAll(/\s+/g, " ").trim();
}
