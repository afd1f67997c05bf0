// Builds dist/ when it is missing or older than a source or a package, so that `npm start` works straight after `npm ci`.
// A build that can't be renewed, as with production dependencies only there is no bundler, is run as it is, with a word.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** As old as the sources that were read for it. */
const built = "dist/current.js";
/** What build.ts ends with if dist/ can't be written. */
const EX_CANTCREAT = 73;

function newestChange(folder) {
  let newest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    newest = Math.max(newest, entry.isDirectory() ? newestChange(path) : statSync(path).mtimeMs);
  }
  return newest;
}

/** npm rewrites this file whenever the installed packages change. */
const packages = "node_modules/.package-lock.json";
const changedAt = () => Math.max(newestChange("src"), existsSync(packages) ? statSync(packages).mtimeMs : 0);

const say = (text) => process.stderr.write(`${text}\n`);

function renew() {
  if (!existsSync("node_modules/esbuild")) return "the bundler is not installed";
  const options = { stdio: "inherit", shell: process.platform === "win32" };
  const { status } = spawnSync("npm", ["run", "--silent", "build"], options);
  if (status === EX_CANTCREAT) return "dist/ can't be written";
  process.exitCode = status ?? 1;
  return undefined;
}

const hasBuild = existsSync(built);
const isUpToDate = hasBuild && (!existsSync("src") || statSync(built).mtimeMs >= changedAt());
const reason = isUpToDate ? undefined : renew();
if (reason !== undefined && hasBuild) {
  say(
    `src/ or a package is newer than dist/, and ${reason}: the earlier build runs. Renew it: npm ci && npm run build`,
  );
} else if (reason !== undefined) {
  say(`There is no build in dist/, and ${reason}. Run this first: npm ci && npm run build`);
  process.exitCode = 1;
}
