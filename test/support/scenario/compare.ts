import { type Diagnostic, type Reason, type RungAnswer, rungText } from "../../../src/model/index.ts";
import type { Expectation, Said } from "./format.ts";
import type { Played } from "./play.ts";

/** Where an answer is not as expected, one line each. */
export function differences(expect: Expectation, played: Played): readonly string[] {
  const { judgement, violations } = played;
  const { answer } = judgement;
  const faults = violations.map((one) => `the checker says: ${one}`);
  const check = (fits: boolean, text: () => string) => {
    if (!fits) faults.push(text());
  };
  const verdict = answer?.verdict ?? "none";
  const chosen = answer?.chosen;
  check(
    verdict === expect.verdict,
    () => `verdict: expected ${expect.verdict}, got ${verdict}${tail(chosen?.reasons)}`,
  );
  const rung = chosen === undefined ? "none" : nameOf(chosen);
  if (expect.rung !== undefined) {
    const wanted = typeof expect.rung === "string" ? expect.rung : named(expect.rung);
    check(rung === wanted, () => `rung: expected ${wanted}, got ${rung}`);
  }
  saidIn("reasons", expect.reasons, chosen?.reasons ?? [], faults);
  for (const text of expect.silent ?? [])
    check(!tail(chosen?.reasons).includes(text), () => `reasons: should not say "${text}"${tail(chosen?.reasons)}`);
  for (const [text, nodes] of Object.entries(expect.excluded ?? {})) {
    const found = chosen?.exclusions.filter(({ constraint }) => constraint.includes(text)) ?? [];
    const counted = found.reduce((sum, one) => sum + one.nodes, 0);
    const shown = () => (chosen?.exclusions ?? []).map((one) => `${one.nodes} ${one.constraint}`).join("; ");
    check(counted === nodes, () => `excluded: expected ${nodes} by "${text}", got ${shown() || "none"}`);
  }
  for (const [name, want] of Object.entries(expect.ladder ?? {})) {
    const found = answer?.ladder.find((one) => nameOf(one) === name);
    const wanted = typeof want === "string" ? { verdict: want } : want;
    const seen = answer?.ladder.map((one) => `${nameOf(one)} ${one.verdict}`).join("; ");
    check(found?.verdict === wanted.verdict, () => `ladder: expected ${name} ${wanted.verdict}, got ${seen}`);
    saidIn(`ladder ${name}`, wanted.reasons, found?.reasons ?? [], faults);
  }
  saidIn("warnings", expect.warnings, judgement.warnings, faults);
  saidIn("denials", expect.denials, judgement.denials, faults);
  const findings = [...judgement.warnings, ...judgement.denials];
  for (const code of expect.without ?? [])
    check(!findings.some((one) => one.code === code), () => `findings: ${code} was not expected${tail(findings)}`);
  if (expect.refused !== undefined)
    check(judgement.refused === expect.refused, () => `refused: got ${judgement.refused}${tail(judgement.denials)}`);
  faults.push(...placement(expect, played, chosen));
  const suggested = answer?.suggestions.map(({ message, who }) => `${message} [${who}]`) ?? [];
  for (const text of expect.suggestions ?? [])
    check(
      suggested.some((one) => one.includes(text)),
      () => `suggestions: "${text}" is not among ${list(suggested)}`,
    );
  for (const text of expect.noSuggestion ?? [])
    check(
      !suggested.some((one) => one.includes(text)),
      () => `suggestions: "${text}" should not be among ${list(suggested)}`,
    );
  const given = answer?.choice ?? [];
  saidIn("choice", expect.choice, given, faults);
  check(expect.choice?.length !== 0 || given.length === 0, () => `choice: nothing was expected${tail(given)}`);
  for (const text of expect.silentChoice ?? [])
    check(!tail(given).includes(text), () => `choice: should not say "${text}"${tail(given)}`);
  return faults;
}

function placement(expect: Expectation, { topology }: Played, chosen: RungAnswer | undefined): readonly string[] {
  const faults: string[] = [];
  const placed = chosen?.assignment?.placed ?? [];
  const nodes = [...new Set(placed.map(({ node }) => node))].sort();
  const same = (what: string, want: number | readonly string[], got: readonly string[]) => {
    const fits = typeof want === "number" ? got.length === want : list([...want].sort()) === list(got);
    if (!fits) faults.push(`${what}: expected ${typeof want === "number" ? want : list(want)}, got ${list(got)}`);
  };
  if (expect.nodes !== undefined) same("nodes", expect.nodes, nodes);
  for (const [name, want] of Object.entries(expect.domains ?? {})) {
    const level = topology.levels.find((one) => one.level.name === name);
    if (level === undefined) return [`domains: there is no level ${name}`];
    const of = new Set(nodes.map((node) => level.domains[level.domainOf[topology.nodeIndex.get(node) ?? -1] ?? -1]));
    same(`domains of ${name}`, want, [...of].map((one) => one?.path.at(-1) ?? "none").sort());
  }
  if (expect.newNodes !== undefined) {
    const got = new Map<string, number>();
    for (const { pool, count } of chosen?.assignment?.newNodes ?? []) got.set(pool, (got.get(pool) ?? 0) + count);
    const text = (of: Iterable<readonly [string, number]>) =>
      list([...of].map(([pool, count]) => `${count} of ${pool}`).sort());
    if (text(got) !== text(Object.entries(expect.newNodes)))
      faults.push(`newNodes: expected ${text(Object.entries(expect.newNodes))}, got ${text(got)}`);
  }
  for (const [set, want] of Object.entries(expect.devices ?? {})) {
    const of = placed.filter(({ podSet }) => podSet === set).flatMap(({ devices = [] }) => devices.flat());
    same(`devices of ${set}`, want, of.map((one) => one.split("/").slice(1).join("/")).sort());
  }
  for (const [set, want] of Object.entries(expect.holds ?? {})) {
    const got = chosen?.holds[set];
    if (got !== want) faults.push(`holds of ${set}: expected ${want}, got ${got}`);
  }
  return faults;
}

function saidIn(
  what: string,
  wanted: readonly Said[] | undefined,
  found: readonly (Reason | Diagnostic)[],
  faults: string[],
): void {
  for (const one of wanted ?? []) {
    const pairs =
      typeof one === "string"
        ? [[undefined, one] as const]
        : Object.entries(one).flatMap(([code, texts]) => [texts].flat().map((text) => [code, text] as const));
    for (const [code, text] of pairs) {
      // A code alone will do where a list of findings is asked for.
      const fits = found.some((given) =>
        code === undefined
          ? given.message.includes(text) || given.code === text
          : given.code === code && given.message.includes(text),
      );
      if (!fits) faults.push(`${what}: nothing says ${code === undefined ? "" : `${code} `}"${text}"${tail(found)}`);
    }
  }
}

const list = (items: readonly string[]) => items.join(", ") || "nothing";
const tail = (reasons: readonly { code: string; message: string }[] | undefined) =>
  (reasons ?? []).map(({ code, message }) => `\n      ${code} ${message}`).join("");

function nameOf({ rungs }: RungAnswer): string {
  return named(Object.fromEntries(Object.entries(rungs).map(([set, rung]) => [set, rungText(rung)])));
}

/** One text where all sets share the rung. */
function named(rungs: Readonly<Record<string, string>>): string {
  const texts = new Set(Object.values(rungs));
  const [only = "none"] = texts;
  return texts.size <= 1
    ? only
    : Object.entries(rungs)
        .map(([set, text]) => `${set}=${text}`)
        .join(", ");
}
