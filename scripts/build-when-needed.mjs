// Builds dist/ when it is missing or older than a source or a package, so that `npm start` works straight after `npm ci`.
// With production dependencies only, there is no bundler, and an existing build is run as it is.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const built = "dist/main.js";

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

const upToDate = existsSync(built) && (!existsSync("src") || statSync(built).mtimeMs >= changedAt());
if (!upToDate && existsSync("node_modules/esbuild")) {
  const { status } = spawnSync("npm", ["run", "--silent", "build"], {
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  process.exitCode = status ?? 1;
} else if (!existsSync(built)) {
  process.stderr.write("dist/ is missing and the bundler is not installed. Run `npm ci && npm run build` first.\n");
  process.exitCode = 1;
}
