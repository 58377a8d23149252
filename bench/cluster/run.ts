/** `npm run bench:cluster`: needs Go, for the control plane of the last part. Numbers are printed, never asserted. */
import { benchCreate } from "./create.ts";
import { benchFollow } from "./follow.ts";

const asked = process.argv.slice(2);
if (asked.length === 0 || asked.includes("follow")) {
  await benchFollow(1_000, 10_000);
  await benchFollow(12_500, 100_000);
}
if (asked.length === 0 || asked.includes("create")) await benchCreate();
