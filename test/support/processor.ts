/** Milliseconds that this process has spent on processors so far: what others on the machine do, does not count. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
