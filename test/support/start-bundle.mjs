// Starts the bundle next to it. Most of a start is spent compiling, so a program that runs for a while caches the
// compiled code for the starts after it.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { constants, Script } from "node:vm";

/** When the code is cached, in milliseconds after the start: the later, the more of the program has been compiled. */
const ages = [500, 3_000];

// V8 accepts compiled code only under the flags it was compiled with, and Node's own modules come compiled. So load
// these, which load most of the others, before setting flags.
for (const name of ["http2", "https", "perf_hooks", "child_process", "worker_threads"]) process.getBuiltinModule(name);
// Keeps code compiled after it has run, so that it can be cached.
setFlagsFromString("--no-flush-bytecode");
// In a short run, optimizing costs more than it saves.
setFlagsFromString("--no-opt");
setFlagsFromString("--liftoff-only");

const filename = join(import.meta.dirname, "bundle.js");
const cacheOf = (age) => join(import.meta.dirname, `bundle.${age}.cache`);
const keptAt = ages.findLast((age) => existsSync(cacheOf(age))) ?? 0;
const script = new Script(readFileSync(filename, "utf8"), {
  filename,
  ...(keptAt > 0 && { cachedData: readFileSync(cacheOf(keptAt)) }),
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
if (script.cachedDataRejected)
  throw new Error("V8 takes no compiled code: its flags differ from those that the program sets");
for (const age of ages.filter((age) => age > keptAt)) setTimeout(keepCode, age, age).unref();
script.runInThisContext()(createRequire(filename));

/** Writes a file that is renamed into place, so that nobody reads an incomplete one. */
function keepCode(age) {
  if (existsSync(cacheOf(age))) return;
  const draft = `${cacheOf(age)}.${process.pid}`;
  writeFileSync(draft, script.createCachedData());
  renameSync(draft, cacheOf(age));
}
