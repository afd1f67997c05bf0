// Repeats what failed in `npm test`, at its end, and fails.
import { readdirSync, readFileSync } from "node:fs";

const folder = ".generated/failures";
try {
  for (const name of readdirSync(folder)) process.stdout.write(`Failed:\n${readFileSync(`${folder}/${name}`, "utf8")}`);
} catch {
  // The build or a check failed, whose output is the last.
}
process.exitCode = 1;
