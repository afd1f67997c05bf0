// Writes many lines to the log, whatever stands behind standard output, and tells on the error output that it still lives.
import { createLog } from "../../src/services/log.js";

const log = createLog({ level: "info", secrets: [] });
const count = Number(process.argv[2]);
for (let line = 0; line < count; line += 1) {
  log.info({ line, filling: "x".repeat(1000) });
  if (line % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
}
process.stderr.write("alive\n");
