export function title(text: string): void {
  process.stdout.write(`\n${text}\n`);
}

export function row(name: string, ...values: readonly string[]): void {
  process.stdout.write(`  ${name.padEnd(44)}${values.map((value) => value.padStart(20)).join("")}\n`);
}
