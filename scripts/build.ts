// Bundles src/ and the packages it needs to a folder of its own in dist/; `npm run check` checks the types. What is in
// dist/ starts the build that dist/current.js names. As that is written last, a build that dies leaves the one before it
// whole, and as that one stays, so does a program that has just started it.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { bundle, write } from "./bundle.js";
import { writeFonts } from "./fonts.js";

/** Packages with binaries or files of their own, or that look for packages which may be missing. */
const asInstalled = ["@photostructure/sqlite", "@resvg/resvg-js", "pg"];
const commandNames = readdirSync("src/commands").filter((name) => name.endsWith(".ts"));
const commands = commandNames.map((name) => `src/commands/${name}`);
const current = join("dist", "current.js");
/** Failures to write: the build before can't be renewed, but it is whole. */
const unwritable = ["EROFS", "EACCES", "EPERM", "ENOSPC", "EDQUOT"];
/** sysexits.h: what is to be written can't be. */
const EX_CANTCREAT = 73;
/** Longer than any build, or the start of a program, takes. */
const SPARED_MS = 3_600_000;

const begun = new Date();
const name = `build-${begun.getTime()}-${process.pid}`;
const folder = join("dist", name);
try {
  removeOld();
  // The bot starts from one file, in less time than from what it shares with the commands.
  await bundle([["src/main.ts"], commands], folder, { required: asInstalled });
  cpSync("src/bot/signing/assets", join(folder, "assets"), { recursive: true });
  cpSync("src/services/picture/drawing.js", join(folder, "drawing.js"));
  await writeFonts(join(folder, "fonts"));
  for (const source of ["src/main.ts", ...commands]) {
    const program = source.replace(/^src/, "").replace(/ts$/, "js");
    const up = source === "src/main.ts" ? "." : "..";
    const start = `import { build } from "${up}/current.js";\nawait import(\`${up}/\${build}${program}\`);\n`;
    putInPlace(join("dist", program), start);
  }
  putInPlace(current, `export const build = "${name}";\n`);
} catch (error) {
  rmSync(folder, { recursive: true, force: true });
  if (!unwritable.includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = EX_CANTCREAT;
}

/** Writes a file at once or not at all. Whoever compares its time with the sources' sees when their build began. */
function putInPlace(path: string, text: string): void {
  const draft = join(folder, `${basename(path)}.draft`);
  write(draft, text);
  utimesSync(draft, begun, begun);
  mkdirSync(dirname(path), { recursive: true });
  renameSync(draft, path);
}

/** Removes builds, whole or not, but the current one, and those which others may just be making or starting. */
function removeOld(): void {
  const kept = existsSync(current) ? readFileSync(current, "utf8") : "";
  const builds = existsSync("dist") ? readdirSync("dist").filter((entry) => entry.startsWith("build-")) : [];
  for (const build of builds.filter((one) => !kept.includes(one))) {
    const madeAt = statSync(join("dist", build), { throwIfNoEntry: false })?.mtimeMs ?? begun.getTime();
    if (madeAt < begun.getTime() - SPARED_MS) rmSync(join("dist", build), { recursive: true, force: true });
  }
}
