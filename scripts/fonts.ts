import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import subsetFont from "subset-font";
import { faces, UNDRAWABLE } from "../src/services/picture/fonts.js";

const require = createRequire(import.meta.url);
const whole = (path: string) => require.resolve(`@expo-google-fonts/inter/${path}`);

const every = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).join("");
/** What resvg shapes a line of text with. */
const SHAPING = ["calt", "ccmp", "clig", "kern", "liga", "locl", "mark", "mkmk", "rlig"];

/** Writes the fonts with only the characters that pictures show: resvg reads a whole file for each one that it draws. */
export async function writeFonts(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const face of faces) {
    const font = readFileSync(whole(`${face}/Inter_${face}.ttf`));
    const options = { targetFormat: "truetype", noHinting: true, keepFeatures: SHAPING } as const;
    writeFileSync(join(folder, `Inter_${face}.ttf`), await subsetFont(font, every.replace(UNDRAWABLE, ""), options));
  }
  cpSync(whole("LICENSE_FONT"), join(folder, "LICENSE.txt"));
}
