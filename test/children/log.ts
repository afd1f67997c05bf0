// Logs many lines, whatever standard output is, then reports on standard error that it is still alive. With a second
// argument, first redirects standard output to that file, as if a full disk had been emptied, and logs one more line.
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
