import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { build, type BuildOptions, type Plugin } from "esbuild";

/**
 * Bundles for Node. Includes all packages but those named, since one file loads in half the time of hundreds, and writes
 * their licences to NOTICES.txt.
 * @param programs keep their names in `outdir`, and folders below the first one's. Those of one list share what they can.
 * @param apart are modules that a program imports when it needs them: each gets a file of its own, with all that it uses, so
 * that the programs share nothing with it and stay in one file.
 * @param required are required: to import a CommonJS package, Node first parses it for its names.
 */
export async function bundle(
  programs: readonly (readonly string[])[],
  outdir: string,
  {
    apart = [],
    external = [],
    required = [],
  }: { readonly [Kind in "apart" | "external" | "required"]?: readonly string[] },
): Promise<void> {
  const common = [requiring(required), withoutWhatIsNeverUsed];
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
    ...programs.map((sources) => {
      const plugins = [importing(apart, dirname(sources[0] ?? "")), ...common];
      return build({ ...options, plugins, entryPoints: [...sources] });
    }),
    ...apart.map((source) => build({ ...options, plugins: common, entryPoints: [source] })),
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

/** Imports what is apart from its own file. @param folder of the sources whose programs import it themselves. */
const importing = (apart: readonly string[], folder: string): Plugin => ({
  name: "importing",
  setup: (bundling) => {
    bundling.onResolve({ filter: /^\.+\// }, ({ path, kind, resolveDir }) => {
      const source = apart.find((each) => join(resolveDir, path).replace(/js$/, "ts") === join(process.cwd(), each));
      if (source === undefined || kind !== "dynamic-import") return undefined;
      const target = relative(folder, source).replace(/ts$/, "js");
      return { path: target.startsWith(".") ? target : `./${target}`, external: true };
    });
  },
});

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
  import request from "./lib/api/api-request.js";
  Object.assign(Dispatcher.prototype, { request });
  export { Agent, Pool };
`;

/** What a feed takes in addition, which only its own file imports, and that only if there is a feed. */
const partForFeeds = `
  export { default as Agent } from "./lib/dispatcher/agent.js";
  export { default as buildConnector } from "./lib/core/connect.js";
  export { WebSocket } from "./lib/web/websocket/websocket.js";
`;
const FOR_FEEDS = "?for-feeds";

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
 * undici speaks HTTP/2 or takes a browser's forms only when told to, but its WebSocket needs the latter's file to load:
 * that gets another copy, in a file that is loaded with it. What undici's part lacks doesn't build;
 * `test/e2e/http-options.test.ts` uses every option that `src/` sets.
 */
export const withoutWhatIsNeverUsed: Plugin = {
  name: "without what is never used",
  setup: (bundling) => {
    const here = { pluginData: FOR_FEEDS };
    bundling.onResolve({ filter: /^undici$|\/body(?:\.js)?$/ }, async ({ path, importer, pluginData, ...more }) => {
      const isForFeeds = /\/feed-socket\.ts$|\/undici\/lib\/web\//.test(importer);
      if (!isForFeeds || pluginData === FOR_FEEDS) return undefined;
      const found = await bundling.resolve(path, { ...more, importer, ...here });
      return { ...found, ...(!found.external && { suffix: FOR_FEEDS }) };
    });
    bundling.onLoad({ filter: /\/undici\/index\.js$/ }, ({ suffix }) => ({
      contents: suffix === FOR_FEEDS ? partForFeeds : partOfUndici,
    }));
    bundling.onLoad({ filter: /\/undici\/lib\/(?:dispatcher\/client-h2|web\/fetch\/body)\.js$/ }, ({ suffix }) =>
      suffix === FOR_FEEDS ? undefined : { contents: "" },
    );
    bundling.onLoad({ filter: /\/prom-client\/index\.js$/ }, () => ({ contents: partOfPrometheus }));
    bundling.onLoad({ filter: /\/node-fetch\/lib\/index\.js$/ }, () => ({ contents: "" }));
  },
};
