/** `npm run bench` runs all; `npm run bench -- solver` one. Numbers are printed, never asserted: machines are noisy. */
import { asShipped } from "./shipped.ts";
import { benchStart } from "./start.ts";
import { benchWebhook } from "./webhook.ts";

const benches: Readonly<Record<string, () => Promise<void>>> = {
  webhook: benchWebhook,
  solver: () => asShipped("bench/solver.ts"),
  start: benchStart,
};
const asked = process.argv.slice(2);
const unknown = asked.find((name) => !(name in benches));
if (unknown !== undefined) {
  process.stderr.write(`${unknown}: there is no such benchmark; expected ${Object.keys(benches).join(", ")}\n`);
  process.exitCode = 2;
} else
  for (const [name, bench] of Object.entries(benches)) if (asked.length === 0 || asked.includes(name)) await bench();
