// Prints "begin", then opens the store in the directory given as first argument, which migrates it, and prints "open".
import { openStore } from "../../../src/store/sqlite.js";

const [directory = ""] = process.argv.slice(2);
process.stdout.write("begin\n");
openStore({ directory });
process.stdout.write("open\n");
process.stdin.resume();
