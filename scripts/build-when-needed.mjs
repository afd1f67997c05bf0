// Compiles src/ to dist/ when dist/ is missing or older than a source, so that `npm start` works straight after `npm ci`.
// Where only production dependencies are installed there is no compiler: what was built is run as it is.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const built = "dist/.tsbuildinfo";

function newestChange(folder) {
  let newest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    newest = Math.max(newest, entry.isDirectory() ? newestChange(path) : statSync(path).mtimeMs);
  }
  return newest;
}

function compiler() {
  try {
    return createRequire(import.meta.url).resolve("typescript/bin/tsc");
  } catch {
    return undefined;
  }
}

const upToDate = existsSync(built) && (!existsSync("src") || statSync(built).mtimeMs >= newestChange("src"));
if (!upToDate) {
  const tsc = compiler();
  if (tsc !== undefined) {
    const { status } = spawnSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], { stdio: "inherit" });
    // What has mistakes must not count as built the next time.
    if (status !== 0) {
      rmSync(built, { force: true });
      process.exit(status ?? 1);
    }
    await import("./copy-page.mjs");
    // The compiler leaves its note as it is when only the page changed.
    const now = new Date();
    utimesSync(built, now, now);
  }
  if (!existsSync("dist/main.js")) {
    process.stderr.write("dist/ is missing and the compiler is not installed. Run `npm ci && npm run build` first.\n");
    process.exit(1);
  }
}
