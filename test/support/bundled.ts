import { cpSync, existsSync, mkdirSync, renameSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { withoutWhatIsNeverUsed } from "../../scripts/bundle.js";
import { bundles } from "./old-bundles.js";
import { project } from "./process.js";
import { until } from "./until.js";

/** All workers of a run share it. */
const ofThisRun = join(bundles, String(process.ppid));

/**
 * Bundles a program of this project, once in a run of the tests, and gives the file that starts it. With its packages in it,
 * and from the second start on with V8's compiled code, it starts in a fifth of the time of the built program, which counts
 * where programs are started again and again.
 */
export async function bundled(entry: string): Promise<string> {
  const own = join(ofThisRun, entry.replaceAll("/", "-"));
  const starter = join(own, "start.mjs");
  if (isFirst(own)) await bundle(entry, own, starter);
  await until(() => existsSync(starter));
  return starter;
}

/** Whether the folder is made by this. */
function isFirst(own: string): boolean {
  mkdirSync(ofThisRun, { recursive: true });
  try {
    mkdirSync(own);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code !== "EEXIST") throw error;
    return false;
  }
}

async function bundle(entry: string, own: string, starter: string): Promise<void> {
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
    plugins: [besideTheSources, withoutImports, native, withoutWhatIsNeverUsed],
    logLevel: "warning",
  });
  // Copied beside its place, so that nobody starts half of it.
  const draft = `${starter}.draft`;
  cpSync(join(project, "test/support/start-bundle.mjs"), draft);
  renameSync(draft, starter);
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

/** A package with compiled code stays where npm put it. */
const native: Plugin = {
  name: "native",
  setup: (bundling) => {
    bundling.onResolve({ filter: /^@(?:photostructure\/sqlite|resvg\/resvg-js)$/ }, ({ path }) => ({
      path,
      namespace: "native",
    }));
    bundling.onLoad({ filter: /./, namespace: "native" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule("node:module").createRequire(${JSON.stringify(join(project, "package.json"))})(${JSON.stringify(path)});`,
    }));
  },
};
