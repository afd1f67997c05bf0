import { withDocuments } from "../../support/documents.js";
// Changes three documents endlessly, and prints each change before it begins and once it is acknowledged.
import { writeSync } from "node:fs";
import { isFault } from "../../../src/fault.js";
import { openStore } from "../../../src/store/sqlite.js";
import { numbered, series } from "../series.js";

const [directory = ""] = process.argv.slice(2);
const store = withDocuments(openStore({ directory }));

async function writeWithoutEnd(id: string): Promise<never> {
  for (;;) {
    const number = await store.update(series, id, (now) => {
      const next = numbered(now.number + 1);
      // Written to the pipe synchronously, so that nothing printed is lost when the process is killed.
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
