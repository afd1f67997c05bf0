// Opens the store in the directory named by the first argument, tells how that went, and holds it until its input ends.
// The second argument, where there is one, is the namespace that the process believes to be in.
import { Fault } from "../../../src/fault.js";
import { createEmbeddedStore } from "../../../src/store/embedded.js";
import { filesIn } from "./namespace.js";

const [directory = "", namespace] = process.argv.slice(2);
try {
  await createEmbeddedStore({ directory, files: filesIn(namespace) });
  process.stdout.write("open\n");
} catch (error) {
  process.stdout.write(`${error instanceof Fault ? error.code : String(error)}\n`);
}
process.stdin.resume();
