/**
 * The cost of a picture: CPU time, size, and memory before and after 10,000 of them. Prints a line after each thousand,
 * then one for each kind of picture.
 *
 *     npm run build && node --expose-gc --import tsx bench/pictures.ts
 */
import { utcOf } from "../src/cards/card.js";
import { chartPicture, type Chart, type Theme, tradePicture } from "../src/services/picture/picture.js";
import { themes } from "../src/services/person/person.js";
import { drawingOf } from "./drawing.js";

const COUNT = Number(process.env["COUNT"] ?? 10_000);
const LOT = COUNT / 10;

/** Draws a different picture for each seed. */
const chartOf = (form: Chart["form"], points: number) => (theme: Theme, seed: number) =>
  chartPicture({
    form,
    theme,
    title: "KFI/KLV · 6 hours",
    value: `${seed}.23456 KLV`,
    change: { label: "+1.25%", isUp: seed % 2 === 0 },
    points: Array.from({ length: points }, (_, at) => ({
      at: at * 60_000,
      value: BigInt(
        1_000_000 + Math.round(200_000 * Math.sin((at + seed) / 40)) + ((at * 7_919 * (seed + 1)) % 30_011),
      ),
    })),
    highest: "110 KLV",
    lowest: "99 KLV",
    dateOf: utcOf,
  });
/** Charts have the maximum number of points. */
const kinds: readonly (readonly [string, (theme: Theme, seed: number) => string])[] = [
  ["line", chartOf("line", 366)],
  ["steps", chartOf("steps", 366)],
  ["bars", chartOf("bars", 31)],
  [
    "trade",
    (theme, seed) =>
      tradePicture(
        {
          title: "Swapped",
          paid: `${seed}.5 KLV`,
          received: "12.345678 KFI",
          rate: "1 KLV = 0.00991995 KFI",
          day: "2026-11-23",
          bot: "@swapdesk_bot",
        },
        theme,
      ),
  ],
];

interface Cost {
  readonly kind: string;
  readonly milliseconds: number;
  readonly bytes: number;
}

const megabytes = () => {
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().rss / 1e6;
};
const print = (what: string, costs: readonly Cost[], more: string) => {
  const sorted = costs.map(({ milliseconds }) => milliseconds).sort((one, other) => one - other);
  const share = (part: number) => sorted[Math.floor(part * (sorted.length - 1))]?.toFixed(1);
  const largest = Math.max(...costs.map(({ bytes }) => bytes)) / 1000;
  const times = `processor ms p50 ${share(0.5)}, p99 ${share(0.99)}, max ${share(1)}`;
  process.stdout.write(`${what}: ${times}; largest ${largest.toFixed(1)} kB${more}\n`);
};

const toPng = await drawingOf(".");
const before = megabytes();
process.stdout.write(`memory ${before.toFixed(0)} MB before the first picture\n`);
const costs: Cost[] = [];
let most = 0;
for (let seed = 0; seed < COUNT; seed += 1) {
  const [kind, draw] = kinds[seed % kinds.length] ?? kinds[0]!;
  const svg = draw(themes[Math.floor(seed / kinds.length) % 2] ?? "dark", seed);
  const began = process.cpuUsage();
  const png = await toPng(svg);
  // As in the bot, let the event loop turn between two pictures.
  await new Promise(setImmediate);
  const { user, system } = process.cpuUsage(began);
  costs.push({ kind, milliseconds: (user + system) / 1000, bytes: png.length });
  most = Math.max(most, process.memoryUsage().rss / 1e6);
  if (seed === 0) print("the first, which loads library and fonts", costs, "");
  else if (costs.length % LOT === 0)
    print(`${costs.length} pictures`, costs.slice(-LOT), `; memory at most ${most.toFixed(0)} MB`);
}
for (const [kind] of kinds)
  print(
    kind,
    costs.slice(1).filter((cost) => cost.kind === kind),
    "",
  );
process.stdout.write(
  `memory ${before.toFixed(0)} MB before, at most ${most.toFixed(0)} MB, ${megabytes().toFixed(0)} MB after\n`,
);
