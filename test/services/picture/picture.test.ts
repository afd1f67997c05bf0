import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Resvg } from "@resvg/resvg-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeFonts } from "../../../scripts/fonts.js";
import { priceChart } from "../../../src/cards/picture.js";
import { utcOf } from "../../../src/cards/card.js";
import { messages } from "../../../src/locales/messages.js";
import { chartPicture, svgOf, svgText, tradePicture, type Chart } from "../../../src/services/picture/picture.js";
import { themes } from "../../../src/services/person/person.js";
import { toPng } from "../../../src/services/picture/draw.js";
import { faces, fontFiles, UNDRAWABLE } from "../../../src/services/picture/fonts.js";
import { en } from "../../cards/arrange.js";
import { fc, often, property } from "../../support/property.js";
import { kfi, klv } from "../samples.js";

/** The fonts as the build makes them. */
let built: string;
beforeAll(async () => {
  built = await mkdtemp(join(tmpdir(), "swapdesk-fonts-"));
  await writeFonts(built);
});
afterAll(() => rm(built, { recursive: true, force: true }));
const builtFiles = () => faces.map((face) => join(built, `Inter_${face}.ttf`));
const pixelsOf = (svg: string, files: readonly string[]) =>
  new Resvg(svg, {
    font: { loadSystemFonts: false, fontFiles: [...files], defaultFontFamily: "Inter" },
    logLevel: "off",
  }).render().pixels;

/** Every text in a value; functions are called with plausible arguments. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "function") return textsIn((value as (...places: string[]) => unknown)("0.1%", "2026-12-31"));
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** What pictures can show apart from words: figures, ids, signs, and the substitute for all else. */
const others = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz.,:/-_@=→≥±−%+·…–?&<>";
const exchange = Object.values(messages).flatMap(({ orders }) =>
  ["BUY", "SELL", "LIMIT", "MARKET", "MAKER", "TAKER"].map((word) => orders.named(word)),
);
const spoken = Object.values(messages).flatMap(({ admin, picture: words, position, receipt }) =>
  textsIn([
    position.days,
    position.entry,
    position.sold,
    words.now,
    words.spans,
    words.started,
    receipt.monthTitle,
    receipt.quote,
    admin.volumeKinds,
    admin.volumeSpan,
  ]).concat(exchange),
);
const characters = [...new Set(Array.from(others + spoken.join("")))].filter((character) => character.trim() !== "");

describe.each(faces)("the font %s", (face) => {
  const inkOf = (character: string) =>
    pixelsOf(
      `<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"><text x="9" y="60" font-size="40">${character}</text></svg>`,
      [join(built, `Inter_${face}.ttf`)],
    );
  /** What is drawn for a character that the font lacks: nothing, or a box. */
  let lacking: Buffer;
  beforeAll(() => {
    lacking = inkOf("漢");
  });
  const isDrawn = (character: string) => {
    const ink = inkOf(character.replace(/[&<>]/g, (each) => `&#${each.charCodeAt(0)};`));
    return ink.some((value) => value !== 0) && !ink.equals(lacking);
  };

  it.each(characters)("has %s", (character) => {
    expect(isDrawn(character)).toBe(true);
  });

  it("lacks others, which become a question mark", () => {
    expect(isDrawn("字")).toBe(false);
    expect(svgText("漢", { y: 0, size: 20, fill: "#fff" })).toContain(">?<");
  });
});

const known = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code))
  .join("")
  .replace(UNDRAWABLE, "");
property(
  "the fonts of the build draw every text as the whole ones do",
  [fc.string({ unit: fc.constantFrom(...known.split("")), minLength: 1, maxLength: 40 }), fc.boolean()],
  (content, isBold) => {
    const svg = svgOf("#000", [svgText(content, { y: 90, size: 60, fill: "#fff", isBold })]);
    expect(pixelsOf(svg, builtFiles()).equals(pixelsOf(svg, fontFiles()))).toBe(true);
  },
  { numRuns: often(200) },
);

it.each(spoken)("the fonts of the build draw %s as the whole ones do", (content) => {
  const svg = svgOf("#000", [svgText(content, { y: 90, size: 60, fill: "#fff" })]);
  expect(pixelsOf(svg, builtFiles()).equals(pixelsOf(svg, fontFiles()))).toBe(true);
});

it("writes markup and unknown characters as harmless text", () => {
  const drawn = svgText(`<script>&"\u202e漢`, { y: 0, size: 20, fill: "#fff" });
  expect(drawn).toContain(`>&#60;script&#62;&#38;"??</text>`);
});

it("makes a long line smaller until it fits", () => {
  const size = (content: string) =>
    Number(/font-size="(\d+)"/.exec(svgText(content, { y: 0, size: 60, fill: "#fff" }))?.[1]);
  expect(size("12 KLV")).toBe(60);
  const widest = "W".repeat(60);
  const svg = svgOf("#000", [svgText(widest, { y: 90, size: 60, fill: "#fff", isBold: true })]);
  expect(size(widest)).toBeLessThan(30);
  expect(svg).not.toContain("NaN");
});

const random = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ at: at * 60_000, value: BigInt((at * 7_919) % 1_009) }));
const chart: Chart = {
  form: "line",
  theme: "dark",
  title: "KFI/KLV · 6 hours",
  value: "101.23456 KLV",
  change: { label: "−12.5%", isUp: false },
  points: random(361),
  highest: "110 KLV",
  lowest: "99 KLV",
  dateOf: utcOf,
};

describe.each(themes)("in %s", (theme) => {
  it.each([
    ["the maximum number of points", { points: random(366) }],
    ["steps", { form: "steps", floor: 0n, ceiling: 2000n }],
    ["a mark", { mark: { value: 4_000n, label: "Entry: 95 KLV", beside: "−1,250.123456 KLV" } }],
    ["bars", { form: "bars", points: random(31), floor: 0n }],
    ["one point", { points: random(1) }],
    ["equal points", { points: random(5).map(({ at }) => ({ at, value: 5n })) }],
    ["the largest values", { points: random(9).map(({ at, value }) => ({ at, value: value * 10n ** 80n })) }],
    ["points at one moment", { points: random(9).map(({ value }) => ({ at: 7, value })) }],
  ] as const)("a chart of %s is a PNG of at most 60 kB", async (_, changed) => {
    const svg = chartPicture({ ...chart, theme, ...(changed as Partial<Chart>) });
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
    const png = await toPng(svg);
    expect(Buffer.from(png?.subarray(1, 4) ?? []).toString()).toBe("PNG");
    expect(png?.length).toBeLessThanOrEqual(60_000);
  });

  it("a trade is a PNG of at most 60 kB", async () => {
    const [paid, received] = ["1,250.12345678 KLV", "0.00000123456789 KFI"];
    const shown = {
      title: "Swapped",
      paid,
      received,
      rate: "1 KLV = 2 KFI",
      day: "2026-11-23",
      bot: "@desk_bot",
    };
    expect((await toPng(tradePicture(shown, theme)))?.length).toBeLessThanOrEqual(60_000);
  });
});

it("draws a higher value higher up, and time from left to right", () => {
  const svg = chartPicture({ ...chart, points: [1n, 3n, 2n].map((value, at) => ({ at, value })) });
  expect(svg).toContain("M40 415L400 215L760 315");
});

it("draws the highest and lowest value at the lines that are labelled with them", () => {
  const wave = (range: bigint) =>
    [0n, range, -range, range].map((by, at) => ({ at: at * 60_000, unitsIn: 10n ** 9n, unitsOut: 10n ** 11n + by }));
  for (const range of [0n, 10n ** 6n, 10n ** 7n, 10n ** 9n, 10n ** 10n]) {
    const { svg } = priceChart({ tokenIn: kfi, tokenOut: klv, grain: "minute" }, wave(range), en)!;
    const [, top = "", bottom = ""] = /M40 (\d+)h720M40 (\d+)h720/.exec(svg)!;
    const [, path = ""] = /<path d="(M[^"]+)" fill="none"/.exec(svg)!;
    const heights = [...path.matchAll(/\d+ (\d+)/g)].map(([, y]) => Number(y));
    expect([Math.min(...heights), Math.max(...heights)]).toEqual([Number(top), Number(bottom)]);
    // The last point is the highest one, so its dot is on the upper line.
    expect(svg).toContain(`<circle cx="760" cy="${top}"`);
    const labels = [...svg.matchAll(/y="(\d+)" font-size="28"[^>]*text-anchor="end">([^<]*KLV)</g)];
    const highest = `${String(100 + Number(range) / 1e9)} KLV`;
    expect(labels[0]).toMatchObject({ 1: String(Number(top) - 14), 2: highest });
    expect(labels).toHaveLength(range === 0n || top === bottom ? 1 : 2);
    if (top !== bottom) expect(labels[1]?.[1]).toBe(String(Number(bottom) + 30));
  }
});

it("draws a step flat until the next one", () => {
  const points = [0n, 50n, 100n].map((value, at) => ({ at, value }));
  expect(chartPicture({ ...chart, form: "steps", points, floor: 0n, ceiling: 100n })).toContain(
    "M40 415H400V315H760V215",
  );
});

it("calls a price current for a minute, and then shows its time", () => {
  const captionAt = (now: number) =>
    priceChart({ tokenIn: kfi, tokenOut: klv, grain: "minute" }, [{ at: 0, unitsIn: 1n, unitsOut: 2n }], {
      ...en,
      now,
    })!.card.text;
  expect(captionAt(59_999)).toContain("\nNow: 1 KFI = 2 KLV\n");
  expect(captionAt(60_000)).toContain("\n1 KFI = 2 KLV · as of 1970-01-01 00:00");
});

it("draws a price that moves by less than half a percent with little height", () => {
  const heightOf = (last: bigint) => {
    const prices = [1_000_000n, last].map((unitsOut, at) => ({ at: at * 60_000, unitsIn: 1_000_000n, unitsOut }));
    const { svg } = priceChart({ tokenIn: kfi, tokenOut: klv, grain: "minute" }, prices, en)!;
    const [, from = "", to = ""] = /M40 (\d+)L760 (\d+)"/.exec(svg)!;
    return Math.abs(Number(from) - Number(to));
  };
  expect(heightOf(1_000_001n)).toBeLessThan(2);
  expect(heightOf(1_001_000n)).toBeLessThan(60);
  expect(heightOf(1_100_000n)).toBe(200);
});
