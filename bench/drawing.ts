import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { build as bundle } from "esbuild";

/** Draws as the built program in `folder` does: with the thread and the fonts beside it. */
export async function drawingOf(folder: string): Promise<(svg: string) => Promise<Uint8Array>> {
  const sources = join(folder, "src/services/picture");
  // Builds before 27 November 2026 draw in picture.ts, and are in dist/ itself.
  const current = resolve(folder, "dist/current.js");
  const build = existsSync(current) ? ((await import(current)) as { build: string }).build : "";
  const outfile = resolve(folder, "dist", build, "bench-drawing.js");
  const entry = ["draw.ts", "picture.ts"].map((name) => join(sources, name)).find((path) => existsSync(path));
  await bundle({
    entryPoints: [entry ?? sources],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
  });
  return ((await import(outfile)) as { toPng: (svg: string) => Promise<Uint8Array> }).toPng;
}
