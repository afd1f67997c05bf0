// Puts the files of the signing page beside the compiled server: the compiler copies none.
import { cpSync } from "node:fs";

cpSync("src/bot/signing/page", "dist/bot/signing/page", { recursive: true });
