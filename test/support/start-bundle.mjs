// Starts the bundle beside it. Most of a start is compiling, so the first one keeps the compiled code for the next.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { constants, Script } from "node:vm";

/** By then all that a start needs is compiled. */
const STARTED_MILLISECONDS = 500;

// V8 takes compiled code under the flags only under which it was compiled. src/main.ts sets this one.
setFlagsFromString("--heap-growing-percent=75");
const filename = join(import.meta.dirname, "bundle.js");
const cache = join(import.meta.dirname, "bundle.cache");
const cachedData = readCache();
const script = new Script(readFileSync(filename, "utf8"), {
  filename,
  ...(cachedData && { cachedData }),
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
if (script.cachedDataRejected)
  throw new Error("V8 takes no compiled code: its flags differ from those that the program sets");
if (cachedData === undefined) setTimeout(keepCache, STARTED_MILLISECONDS).unref();
script.runInThisContext()(createRequire(filename));

function readCache() {
  try {
    return readFileSync(cache);
  } catch {
    return undefined;
  }
}

/** Moved to its place, so that nobody reads half of it. */
function keepCache() {
  const draft = `${cache}.${process.pid}`;
  writeFileSync(draft, script.createCachedData());
  renameSync(draft, cache);
}
