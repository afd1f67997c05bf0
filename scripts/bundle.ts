import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build, type BuildOptions, type Plugin } from "esbuild";

/**
 * Bundles for Node. Includes all packages but those named, since one file loads in half the time of hundreds, and writes
 * their licences to NOTICES.txt.
 * @param programs keep their names in `outdir`, and folders below the first one's. Those of one list share what they can.
 * @param required are required: to import a CommonJS package, Node first parses it for its names.
 */
export async function bundle(
  programs: readonly (readonly string[])[],
  outdir: string,
  { external = [], required = [] }: { readonly [Kind in "external" | "required"]?: readonly string[] },
): Promise<void> {
  const plugins = [requiring(required), withoutWhatIsNeverUsed];
  const options = {
    outdir,
    outbase: dirname(programs[0]?.[0] ?? ""),
    external: [...external],
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    sourcemap: true,
    // Loaded code stays in memory as text. Names and short lines are kept, so that stack traces are readable.
    minifyWhitespace: true,
    lineLimit: 160,
    metafile: true,
    write: false,
    // For packages that still use `require`.
    banner: {
      js: 'import { createRequire as bundledRequire } from "node:module";\nconst require = bundledRequire(import.meta.url);',
    },
    logLevel: "warning",
  } as const satisfies BuildOptions;
  const built = await Promise.all([
    ...programs.map((sources) => build({ ...options, plugins, entryPoints: [...sources] })),
  ]);
  for (const { path, text } of built.flatMap(({ outputFiles }) => outputFiles)) {
    // esbuild leaves non-ASCII characters in regular expressions. One makes V8 use two bytes per character of the file.
    const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
    write(path, path.endsWith(".js") ? text.replace(/[^\0-\x7f]/g, escaped) : text);
  }
  const bundled = built.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const packages = bundled.map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  const notices = [...new Set(packages)]
    .filter((name) => name !== undefined)
    .sort()
    .map((name) => `${name}\n\n${licenceOf(join("node_modules", name))}`);
  write(join(outdir, "NOTICES.txt"), notices.join(`\n\n${"-".repeat(80)}\n\n`));
}

/** Writes a file that survives a power cut. */
export function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { flush: true });
}

function licenceOf(folder: string): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (file === undefined) throw new Error(`${folder} has no licence file`);
  return readFileSync(join(folder, file), "utf8").trim();
}

const requiring = (packages: readonly string[]): Plugin => ({
  name: "requiring",
  setup: (bundling) => {
    const namespace = "required";
    bundling.onResolve({ filter: /^[^.]/ }, ({ path, namespace: from }) => {
      if (!packages.includes(path)) return undefined;
      return from === namespace ? { path, external: true } : { path, namespace };
    });
    bundling.onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: `module.exports = require("${path}");` }));
  },
});

/** The part of undici that this project uses, to which its own entry point adds a browser's APIs, caches and mocks. */
const partOfUndici = `
  import Agent from "./lib/dispatcher/agent.js";
  import Dispatcher from "./lib/dispatcher/dispatcher.js";
  import Pool from "./lib/dispatcher/pool.js";
  import buildConnector from "./lib/core/connect.js";
  import request from "./lib/api/api-request.js";
  Object.assign(Dispatcher.prototype, { request });
  export { Agent, buildConnector, Pool };
`;

/** prom-client, whose metrics of the process bring OpenTelemetry along: loaded once they are asked for, with `PORT`. */
const partOfPrometheus = `
  exports.Registry = require("./lib/registry");
  exports.Counter = require("./lib/counter");
  exports.Gauge = require("./lib/gauge");
  exports.Histogram = require("./lib/histogram");
  exports.collectDefaultMetrics = (options) => require("./lib/defaultMetrics")(options);
`;

/**
 * Saves a fifth of the processor time of a start, and 11 MB. grammY uses this project's own client, not node-fetch, and
 * undici speaks HTTP/2 or takes a browser's forms only when told to. What undici's part lacks doesn't build;
 * `test/e2e/http-options.test.ts` uses every option that `src/` sets.
 */
export const withoutWhatIsNeverUsed: Plugin = {
  name: "without what is never used",
  setup: (bundling) => {
    bundling.onLoad({ filter: /\/undici\/index\.js$/ }, () => ({ contents: partOfUndici }));
    bundling.onLoad({ filter: /\/undici\/lib\/(?:dispatcher\/client-h2|web\/fetch\/body)\.js$/ }, () => ({
      contents: "",
    }));
    bundling.onLoad({ filter: /\/prom-client\/index\.js$/ }, () => ({ contents: partOfPrometheus }));
    bundling.onLoad({ filter: /\/node-fetch\/lib\/index\.js$/ }, () => ({ contents: "" }));
  },
};
