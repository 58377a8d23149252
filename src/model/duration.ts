/** Durations as Go's time.ParseDuration reads them: `1h30m`, `500ms`, `1.5h`. Values are milliseconds. */
const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};
const PART = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g;
const WHOLE = /^\+?(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/;
/** Go's int64 of nanoseconds ends here. */
const MAX_MS = 9_223_372_036_854;

/** Undefined for text that Go would refuse (a number without a unit, days, blanks) and for negative durations. */
export function parseDuration(text: string): number | undefined {
  if (text.length > 64) return undefined;
  if (text === "0" || text === "+0") return 0;
  if (!WHOLE.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(PART)) total += Number(amount) * (UNIT_MS[unit ?? ""] ?? Number.NaN);
  return total <= MAX_MS ? Math.round(total * 1e6) / 1e6 : undefined;
}

/** The shortest form that parseDuration reads back: `12h`, `1h30m`, `500ms`, `0s`. Below a millisecond it rounds. */
export function durationText(ms: number): string {
  let rest = Math.round(Math.abs(ms));
  if (!Number.isFinite(rest)) return "forever";
  if (rest === 0) return "0s";
  let text = ms < 0 ? "-" : "";
  for (const unit of ["h", "m", "s", "ms"]) {
    const size = UNIT_MS[unit] ?? 1;
    const count = Math.floor(rest / size);
    if (count > 0) text += `${count}${unit}`;
    rest -= count * size;
  }
  return text;
}
