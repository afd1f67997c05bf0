// Bundles the sandbox to dist/sandbox/ for `npx swapdesk sandbox`. Packages that only the sandbox needs are development
// dependencies, so they are bundled, with their licences in NOTICES.txt; the bot's dependencies come with the package.
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { requestSchema } from "../sandbox/telegram/schema-source.js";
import { bundle } from "./bundle.js";
import { writeFonts } from "./fonts.js";

const { dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as { dependencies: Record<string, string> };
// The generator is external because it never runs: its schema is written below.
await bundle([["sandbox/main.ts"]], "dist/sandbox", {
  external: [...Object.keys(dependencies), "ts-json-schema-generator"],
});

cpSync("src/bot/signing/assets", "dist/sandbox/assets", { recursive: true });
cpSync("src/services/picture/drawing.js", "dist/sandbox/drawing.js");
await writeFonts("dist/sandbox/fonts");
cpSync("sandbox/web/page", "dist/sandbox/page", { recursive: true });
cpSync("sandbox/node/wallet-script.js", "dist/sandbox/wallet-script.js");
cpSync("data/world.json", "dist/data/world.json");
writeFileSync("dist/sandbox/bot-api.json", JSON.stringify(await requestSchema()));
