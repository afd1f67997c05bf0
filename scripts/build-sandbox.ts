// Bundles the sandbox to dist/sandbox/ for `npx swapdesk sandbox`. What only the sandbox needs is a development dependency, so
// it goes into the bundle, with its licences in NOTICES.txt; what the bot needs comes with the package.
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { requestSchema } from "../sandbox/telegram/schema-source.js";

const { dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as { dependencies: Record<string, string> };
const { metafile } = await build({
  entryPoints: ["sandbox/main.ts"],
  outfile: "dist/sandbox/main.js",
  bundle: true,
  // The generator is never asked, because its schema comes along.
  external: [...Object.keys(dependencies), "ts-json-schema-generator"],
  platform: "node",
  format: "esm",
  target: "node20.19",
  metafile: true,
  // For the packages that still `require`.
  banner: {
    js: 'import { createRequire as bundledRequire } from "node:module";\nconst require = bundledRequire(import.meta.url);',
  },
  logLevel: "warning",
});

cpSync("src/bot/signing/assets", "dist/sandbox/assets", { recursive: true });
cpSync("sandbox/web/page", "dist/sandbox/page", { recursive: true });
cpSync("sandbox/node/wallet-script.js", "dist/sandbox/wallet-script.js");
cpSync("data/world.json", "dist/data/world.json");
writeFileSync("dist/sandbox/bot-api.json", JSON.stringify(await requestSchema()));

const bundled = Object.keys(metafile.inputs).map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
const notices = [...new Set(bundled)]
  .filter((name) => name !== undefined)
  .sort()
  .map((name) => `${name}\n\n${licenceOf(join("node_modules", name))}`);
writeFileSync("dist/sandbox/NOTICES.txt", notices.join(`\n\n${"-".repeat(80)}\n\n`));

function licenceOf(folder: string): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (file === undefined || !existsSync(join(folder, file))) throw new Error(`${folder} has no licence file`);
  return readFileSync(join(folder, file), "utf8").trim();
}
