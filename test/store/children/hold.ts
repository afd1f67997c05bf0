// Opens the store in the directory given as first argument, prints how that went, and holds it until stdin ends.
import { Fault } from "../../../src/fault.js";
import { openStore } from "../../../src/store/sqlite.js";

const [directory = ""] = process.argv.slice(2);
try {
  openStore({ directory });
  process.stdout.write("open\n");
} catch (error) {
  process.stdout.write(`${error instanceof Fault ? error.code : String(error)}\n`);
}
process.stdin.resume();
