import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

export const faces = ["400Regular", "700Bold"] as const;

/** Characters to replace with a question mark, as the library would silently drop those that the font lacks. */
export const UNDRAWABLE = /[^ -~\u00a0-\u00ff→≥±−–…]/gu;

const require = createRequire(import.meta.url);

/** Fonts that hold no more than what pictures show, which the build makes; without a build, the whole ones. */
export function fontFiles(): readonly string[] {
  return faces.map((face) => {
    const built = fileURLToPath(new URL(`fonts/Inter_${face}.ttf`, import.meta.url));
    return existsSync(built) ? built : require.resolve(`@expo-google-fonts/inter/${face}/Inter_${face}.ttf`);
  });
}
