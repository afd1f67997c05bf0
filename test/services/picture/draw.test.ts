import { performance } from "node:perf_hooks";
import { Resvg } from "@resvg/resvg-js";
import { pino } from "pino";
import sharp from "sharp";
import { expect, it } from "vitest";
import { showPicture } from "../../../src/bot/reply.js";
import { card, utcOf } from "../../../src/cards/card.js";
import { MAX_WAITING_PICTURES, toPng } from "../../../src/services/picture/draw.js";
import { chartPicture } from "../../../src/services/picture/picture.js";
import { fontFiles } from "../../../src/services/picture/fonts.js";

const chart = (seed: number) =>
  chartPicture({
    form: "line",
    theme: "dark",
    title: "KFI/KLV · 6 hours",
    value: `${seed} KLV`,
    points: Array.from({ length: 366 }, (_, at) => ({ at, value: BigInt((at * 7_919 * (seed + 1)) % 1_009) })),
    highest: "110 KLV",
    lowest: "99 KLV",
    dateOf: utcOf,
  });
const font = { loadSystemFonts: false, fontFiles: [...fontFiles()], defaultFontFamily: "Inter" };
const drawnHere = (svg: string) => new Resvg(svg, { font, logLevel: "off" }).render();

/** Milliseconds for which the event loop was held by `work`. */
async function heldBy(work: () => Promise<unknown>): Promise<number> {
  await new Promise(setImmediate);
  const before = performance.eventLoopUtilization();
  await work();
  return performance.eventLoopUtilization(before).active;
}

it("holds the event loop at most a quarter as long as drawing on it does", async () => {
  const svgs = Array.from({ length: 30 }, (_, seed) => chart(seed));
  // The first starts the thread.
  await toPng(chart(0));
  const onIt = await heldBy(async () => {
    for (const svg of svgs) {
      drawnHere(svg).asPng();
      await new Promise(setImmediate);
    }
  });
  const offIt = await heldBy(async () => {
    for (const svg of svgs) await toPng(svg);
  });
  expect(offIt).toBeLessThan(onIt / 4);
});

it("draws what the library draws, each for whom it is, also when many ask at once", async () => {
  const drawn = await Promise.all(Array.from({ length: 9 }, (_, seed) => toPng(chart(seed))));
  const areSame = drawn.map(async (png, seed) => {
    const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 800, height: 500, channels: 4 });
    return data.equals(drawnHere(chart(seed)).pixels);
  });
  expect(await Promise.all(areSame)).not.toContain(false);
});

it("one that can't be drawn fails alone", async () => {
  const all = await Promise.allSettled([toPng(chart(1)), toPng("no picture"), toPng(chart(2))]);
  expect(all.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});

it("has a total: beyond it, the caption is the answer at once, and later ones are drawn again", async () => {
  const said: string[] = [];
  const ctx = {
    reply: async (words: string) => ({ message_id: said.push(words) }),
    replyWithPhoto: async (_: unknown, { caption }: { caption: string }) => void said.push(`photo: ${caption}`),
  };
  const show = (caption: string) =>
    showPicture(ctx as never, { svg: chart(3), card: card([caption]) }, pino({ level: "silent" }));
  const many = Array.from({ length: MAX_WAITING_PICTURES }, (_, seed) => toPng(chart(seed)));
  let isFirstDrawn = false;
  void many[0]?.then(() => (isFirstDrawn = true));
  await show("one too many");
  expect([said, isFirstDrawn]).toEqual([["one too many"], false]);
  for (const png of await Promise.all(many)) expect(png?.length).toBeGreaterThan(1000);
  await show("a later one");
  expect(said.at(-1)).toBe("photo: a later one");
});
