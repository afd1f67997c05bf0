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

/** Shared by all workers of a run. */
const ofThisRun = join(bundles, String(process.ppid));

/**
 * Bundles a program of this project, once per test run. With its packages bundled, and V8's compiled code cached after
 * the first start, it starts in a fifth of the time of the built program, which matters to tests that start programs
 * again and again. @returns the file that starts it.
 */
export async function bundled(entry: string): Promise<string> {
  const own = join(ofThisRun, entry.replaceAll("/", "-"));
  const starter = join(own, "start.mjs");
  if (isFirst(own)) await bundle(entry, own, starter);
  await until(() => existsSync(starter));
  return starter;
}

/** Whether this call created the folder. */
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
    // Strips comments: their few characters beyond ASCII would double the size of the source in memory.
    minifyWhitespace: true,
    legalComments: "none",
    // Wrapped in a function: V8 caches the code of scripts only, and a script has no top-level await.
    banner: { js: "(async (require) => {" },
    footer: { js: "})" },
    plugins: [besideTheSources, withoutImports, native, withoutWhatIsNeverUsed],
    logLevel: "warning",
  });
  // Renamed into place, so that nobody starts an incomplete file.
  const draft = `${starter}.draft`;
  cpSync(join(project, "test/support/start-bundle.mjs"), draft);
  renameSync(draft, starter);
}

/** Lets bundled sources still find the files next to them. */
const besideTheSources: Plugin = {
  name: "beside the sources",
  setup: (bundling) => {
    bundling.onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href)),
      loader: "ts",
    }));
  },
};

/** Gets Node's own modules without `import`, which a script can't use. */
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

/** Leaves packages with native code where npm installed them. */
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
