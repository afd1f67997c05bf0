// Bundles src/ and the packages it needs to dist/; `npm run check` checks the types.
import { cpSync, readdirSync, rmSync } from "node:fs";
import { bundle } from "./bundle.js";

/** Packages with binaries, files or workers of their own, or that look for packages which may be missing. */
const asInstalled = ["@expo-google-fonts/inter", "@photostructure/sqlite", "@resvg/resvg-js", "pg", "pino"];
const programs = readdirSync("src/commands").filter((name) => name.endsWith(".ts"));

rmSync("dist", { recursive: true, force: true });
await bundle(["src/main.ts", ...programs.map((name) => `src/commands/${name}`)], "dist", asInstalled);
cpSync("src/bot/signing/assets", "dist/assets", { recursive: true });
