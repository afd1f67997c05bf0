// Starts the bundle beside it. Most of a start is compiling, so a program that lives for a while keeps the compiled code for
// those that start after it.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { constants, Script } from "node:vm";

/** The ages at which it is kept, in milliseconds: the later, the more of what a program does is in it. */
const ages = [500, 3_000];

// Node's own modules come compiled too, but V8 takes compiled code under the flags only under which it was compiled. So these,
// which load most of the others, go before the flags.
for (const name of ["http2", "https", "perf_hooks", "child_process", "worker_threads"]) process.getBuiltinModule(name);
// What ran once stays compiled, so that it can be kept.
setFlagsFromString("--no-flush-bytecode");
// For a short life, optimizing costs more than it saves.
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

/** Moved to its place, so that nobody reads half of it. */
function keepCode(age) {
  if (existsSync(cacheOf(age))) return;
  const draft = `${cacheOf(age)}.${process.pid}`;
  writeFileSync(draft, script.createCachedData());
  renameSync(draft, cacheOf(age));
}
