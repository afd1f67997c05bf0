import { createRequire } from "node:module";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

export const themes = ["dark", "light"] as const;
export type Theme = (typeof themes)[number];

/** Of a picture, in its own units; a phone 390 wide shows it at less than half the size. */
export const WIDTH = 800;
export const HEIGHT = 500;
export const MARGIN = 40;

const colors = {
  dark: { back: "#17212b", text: "#f5f7f9", muted: "#9fb0c0", line: "#5eb5f7", up: "#58d68d", down: "#ff8a80" },
  light: { back: "#ffffff", text: "#17212b", muted: "#566573", line: "#1769aa", up: "#0b7a45", down: "#b3261e" },
} as const;
export type Color = keyof (typeof colors)["dark"];

/** A picture as SVG, which {@link toPng} draws. Text is only what {@link text} wrote. */
export function picture(theme: Theme, content: (color: (name: Color) => string) => readonly string[]): string {
  const color = (name: Color) => colors[theme][name];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${color("back")}"/>`,
    ...content(color),
    "</svg>",
  ].join("");
}

/** The characters that the font has, and pictures use. Others would be left out without a word, so they become a question mark. */
const KNOWN = /[^ -~\u00a0-\u00ff→≥±−–…]/gu;
/** How wide a character of this font is at most, on average, for its size. */
const WIDEST = 0.64;

/** One line of text, made smaller where it would be wider than `room`. */
export function text(
  content: string,
  place: { readonly x: number; readonly y: number; readonly size: number; readonly room?: number },
  look: { readonly fill: string; readonly isBold?: boolean; readonly anchor?: "start" | "middle" | "end" },
): string {
  const shown = content.replace(KNOWN, "?");
  const { x, y, room = WIDTH - 2 * MARGIN } = place;
  const size = Math.min(place.size, Math.floor(room / (WIDEST * Math.max(1, shown.length))));
  const escaped = shown.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  const weight = look.isBold === true ? 700 : 400;
  return `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${look.fill}" text-anchor="${look.anchor ?? "start"}">${escaped}</text>`;
}

const require = createRequire(import.meta.url);
const font = (face: string) => require.resolve(`@expo-google-fonts/inter/${face}/Inter_${face}.ttf`);

/**
 * What the library takes is outside of V8's sight, some 2 MB a picture: left alone, V8 would see no need to collect what holds it before
 * there are hundreds. So the young are collected after so many pictures, in about a millisecond.
 */
const COLLECTED_AFTER = 8;

type Draw = (svg: string) => Uint8Array;
let draw: Promise<Draw> | undefined;

/** Draws in some 10 ms. What draws, and its fonts, are loaded for the first picture. @throws where this platform has no such library. */
export async function toPng(svg: string): Promise<Uint8Array> {
  draw ??= import("@resvg/resvg-js").then(({ Resvg }) => {
    const fonts = {
      loadSystemFonts: false,
      fontFiles: [font("400Regular"), font("700Bold")],
      defaultFontFamily: "Inter",
    };
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as (what: { type: "minor" }) => void;
    let drawn = 0;
    return (content) => {
      const png = new Resvg(content, { font: fonts, logLevel: "off" }).render().asPng();
      drawn += 1;
      if (drawn % COLLECTED_AFTER === 0) setImmediate(collect, { type: "minor" });
      return png;
    };
  });
  return (await draw)(svg);
}
