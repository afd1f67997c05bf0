import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

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
    metafile: true,
    // For the packages that still `require`.
    banner: {
      js: 'import { createRequire as bundledRequire } from "node:module";\nconst require = bundledRequire(import.meta.url);',
    },
    logLevel: "warning",
  });
  const bundled = Object.keys(metafile.inputs).map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  const notices = [...new Set(bundled)]
    .filter((name) => name !== undefined)
    .sort()
    .map((name) => `${name}\n\n${licenceOf(join("node_modules", name))}`);
  writeFileSync(join(outdir, "NOTICES.txt"), notices.join(`\n\n${"-".repeat(80)}\n\n`));
}

function licenceOf(folder: string): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (file !== undefined) return readFileSync(join(folder, file), "utf8").trim();
  const { license, author } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Package;
  if (license === undefined) throw new Error(`${folder} says nothing of its licence`);
  return `${license}, ${author}`;
}

interface Package {
  readonly license?: string;
  readonly author?: string;
}
