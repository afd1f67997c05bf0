// Opens the store in the directory named by the first argument, tells how that went, and holds it until its input ends.
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
