import { cpSync, mkdirSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { dialogVersion } from "../../src/bot/dialogs/version.js";
import { project } from "./process.js";

const folder = join(project, ".generated/bundled", String(process.pid));
const bundles = new Map<string, Promise<string>>();

/**
 * Bundles a program of this project and gives the file that starts it. With its packages in it, and from the second start on
 * with V8's compiled code, it starts in a quarter of the time of the built program, which counts where programs are started
 * again and again.
 */
export function bundled(entry: string): Promise<string> {
  const bundle = bundles.get(entry) ?? bundleOf(entry);
  bundles.set(entry, bundle);
  return bundle;
}

async function bundleOf(entry: string): Promise<string> {
  if (bundles.size === 0) process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const own = join(folder, entry.replaceAll("/", "-"));
  mkdirSync(own, { recursive: true });
  await build({
    entryPoints: [join(project, entry)],
    outfile: join(own, "bundle.js"),
    bundle: true,
    external: ["ts-json-schema-generator"],
    platform: "node",
    format: "esm",
    target: "node20.19",
    // Without comments, whose few letters beyond ASCII would double what is read.
    minifyWhitespace: true,
    legalComments: "none",
    // A function, as V8 gives the compiled code of a script only, and a script can't wait.
    banner: { js: "(async (require) => {" },
    footer: { js: "})" },
    define: { builtDialogVersion: JSON.stringify(dialogVersion()) },
    plugins: [besideTheSources, withoutImports],
    logLevel: "warning",
  });
  const starter = join(own, "start.mjs");
  cpSync(join(project, "test/support/start-bundle.mjs"), starter);
  return starter;
}

/** What a source reads from beside itself, it finds from the bundle too. */
const besideTheSources: Plugin = {
  name: "beside the sources",
  setup: (bundling) => {
    bundling.onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href)),
      loader: "ts",
    }));
  },
};

/** Node's own modules are asked for, not imported. */
const withoutImports: Plugin = {
  name: "without imports",
  setup: (bundling) => {
    const filter = new RegExp(`^(?:node:.*|${builtinModules.join("|")})$`);
    bundling.onResolve({ filter }, ({ path }) => ({ path, namespace: "node" }));
    bundling.onLoad({ filter: /./, namespace: "node" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};
