// Checks what isn't committed yet: the format and lint rules of changed files, and the types of all, by what the last run
// noted about the others. `npm run check` does so for everything, and finds what nothing uses.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";

const git = (...options) => execFileSync("git", options, { encoding: "utf8" }).split("\0").filter(Boolean);
const changed = [
  ...git("diff", "-z", "--name-only", "--diff-filter=d", "HEAD"),
  ...git("ls-files", "-z", "--others", "--exclude-standard"),
];
/** They have a browser's types. */
const hasPages = changed.some((file) => /^(sandbox\/web\/page|src\/bot\/signing\/assets)\//.test(file));

const commands = ["tsc --incremental --tsBuildInfoFile .generated/types.tsbuildinfo"];
if (hasPages) commands.push("tsc -p tsconfig.page.json");
if (changed.length > 0) {
  const files = changed.join(" ");
  commands.push(`biome format --no-errors-on-unmatched ${files}`, `oxlint --no-error-on-unmatched-pattern ${files}`);
}
// Collecting garbage costs these short programs more than the memory is worth.
const options = { stdio: "inherit", shell: true, env: { ...process.env, GOGC: "off" } };
const ends = await Promise.all(commands.map((command) => once(spawn(command, options), "close")));
process.exitCode = ends.some(([code]) => code !== 0) ? 1 : 0;
