import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";

/**
 * Bundles for Node. Packages that are not named in `external` go in, as one file loads in half the time of hundreds, with their
 * licences in NOTICES.txt.
 * @param entryPoints their folders and names are kept in `outdir`.
 */
export async function bundle(
  entryPoints: readonly string[],
  outdir: string,
  external: readonly string[],
): Promise<void> {
  const { metafile } = await build({
    entryPoints: [...entryPoints],
    outdir,
    external: [...external],
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    sourcemap: true,
    // The text of all that is loaded stays in memory. Names stay, and short lines, so that a stack trace can be read.
    minifyWhitespace: true,
    lineLimit: 160,
    plugins: [withoutWhatIsNeverUsed],
    metafile: true,
    // For the packages that still `require`.
    banner: {
      js: 'import { createRequire as bundledRequire } from "node:module";\nconst require = bundledRequire(import.meta.url);',
    },
    logLevel: "warning",
  });
  for (const path of Object.keys(metafile.outputs).filter((name) => name.endsWith(".js"))) {
    // They remain in regular expressions, where one of them makes V8 keep two bytes for each letter of the whole file.
    const text = readFileSync(path, "utf8");
    const ascii = text.replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
    if (ascii !== text) writeFileSync(path, ascii);
  }
  const bundled = Object.keys(metafile.inputs).map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  const notices = [...new Set(bundled)]
    .filter((name) => name !== undefined)
    .sort()
    .map((name) => `${name}\n\n${licenceOf(join("node_modules", name))}`);
  writeFileSync(join(outdir, "NOTICES.txt"), notices.join(`\n\n${"-".repeat(80)}\n\n`));
}

function licenceOf(folder: string): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (file === undefined) throw new Error(`${folder} has no licence file`);
  return readFileSync(join(folder, file), "utf8").trim();
}

/** What this project uses of undici, which otherwise is loaded with all that a browser has. */
const partOfUndici = `
  const Agent = require("./lib/dispatcher/agent");
  const Dispatcher = require("./lib/dispatcher/dispatcher");
  const Pool = require("./lib/dispatcher/pool");
  const api = require("./lib/api");
  const { parseURL } = require("./lib/core/util");
  Object.assign(Dispatcher.prototype, api);
  function request(url, options) {
    const { origin, pathname, search } = parseURL(url);
    return api.request.call(options.dispatcher, { ...options, origin, path: pathname + search });
  }
  module.exports = { Agent, Pool, request };
`;

/** It would be a tenth of a start, and several megabytes. What grammY fetches with is replaced by this project's own client. */
export const withoutWhatIsNeverUsed: Plugin = {
  name: "without what is never used",
  setup: (bundling) => {
    bundling.onLoad({ filter: /\/undici\/index\.js$/ }, () => ({ contents: partOfUndici }));
    bundling.onLoad({ filter: /\/node-fetch\/lib\/index\.js$/ }, () => ({ contents: "" }));
  },
};
