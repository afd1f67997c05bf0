// Bundles src/ to dist/: one file loads in half the time of hundreds. `npm run check` checks the types; packages
// stay outside, so that they are patched and audited where npm put them.
import { cpSync, readdirSync, rmSync } from "node:fs";
import { build } from "esbuild";

const programs = readdirSync("src/commands").filter((name) => name.endsWith(".ts"));

rmSync("dist", { recursive: true, force: true });
await build({
  entryPoints: ["src/main.ts", ...programs.map((name) => `src/commands/${name}`)],
  outdir: "dist",
  bundle: true,
  splitting: true,
  packages: "external",
  platform: "node",
  format: "esm",
  target: "node20.19",
  sourcemap: true,
  logLevel: "warning",
});
cpSync("src/bot/signing/assets", "dist/assets", { recursive: true });
