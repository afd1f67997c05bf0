// Writes many lines to the log, whatever stands behind standard output, and tells on the error output that it still lives.
// With a second argument standard output becomes that file then, as if a full disk had been emptied, and one more line is written.
import { closeSync, openSync } from "node:fs";
import { createLog } from "../../src/log.js";

const log = createLog("info", (line) => line);
const [, , count, file] = process.argv;
for (let line = 0; line < Number(count); line += 1) {
  log.info({ line, filling: "x".repeat(1000) });
  if (line % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
}
if (file !== undefined) {
  closeSync(1);
  openSync(file, "w");
  log.info("The last line");
}
process.stderr.write("alive\n");
