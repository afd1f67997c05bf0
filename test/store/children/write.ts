// Changes three documents without end, and tells each change before it begins and when it was acknowledged. The second
// argument, where there is one, is the namespace that the process believes to be in.
import { writeSync } from "node:fs";
import { type Clock, systemClock } from "../../../src/clock.js";
import { isFault } from "../../../src/fault.js";
import { createEmbeddedStore } from "../../../src/store/embedded.js";
import { numbered, series } from "../series.js";
import { filesIn } from "./namespace.js";

const [directory = "", namespace] = process.argv.slice(2);
// Documents are written all the time, so that a kill finds that under way as well.
const clock: Clock = { ...systemClock, timer: (milliseconds, run) => systemClock.timer(milliseconds / 500, run) };
const store = await createEmbeddedStore({ directory, files: filesIn(namespace), clock });

async function writeWithoutEnd(id: string): Promise<never> {
  for (;;) {
    const number = await store.update(series, id, (now) => {
      const next = numbered(now.number + 1);
      // Written to the pipe at once: what was told is not lost when the process is killed.
      writeSync(1, `try ${id} ${next.number}\n`);
      return [next, next.number];
    });
    writeSync(1, `ok ${id} ${number}\n`);
  }
}

await Promise.all(["a", "b", "c"].map(writeWithoutEnd)).catch((error: unknown) => {
  if (!isFault(error)) throw error;
  writeSync(1, `${error.code}\n`);
});
