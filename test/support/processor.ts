/** Milliseconds of processor time that this process has had; 0 under mutation testing, whose instrumented code takes many times as long. */
export function processorMs(): number {
  if (process.env["MUTANTS_SHARE"] !== undefined) return 0;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
