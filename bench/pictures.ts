/**
 * What a picture costs: processor time, size, and memory after 10,000 of them beside the process without.
 *
 *     npx tsx --expose-gc bench/pictures.ts
 */
import { chartPicture, type Theme, themes, toPng, tradePicture } from "../src/services/picture/picture.js";

const COUNT = Number(process.env["COUNT"] ?? 10_000);
const WARM = 50;

/** As many points as there can be, no two pictures alike. */
const chartOf = (theme: Theme, seed: number) =>
  chartPicture({
    form: "line",
    theme,
    title: "KFI/KLV · 6 hours",
    value: `${seed}.23456 KLV`,
    change: { label: "+1.25%", isUp: seed % 2 === 0 },
    points: Array.from({ length: 361 }, (_, at) => ({
      at: at * 60_000,
      value: BigInt(
        1_000_000 + Math.round(200_000 * Math.sin((at + seed) / 40)) + ((at * 7_919 * (seed + 1)) % 30_011),
      ),
    })),
    highest: "110 KLV",
    lowest: "99 KLV",
    from: "2026-11-23 08:05 UTC",
    to: "2026-11-23 14:05 UTC",
  });
const tradeOf = (theme: Theme, seed: number) =>
  tradePicture({
    theme,
    title: "Swapped",
    paid: `${seed}.5 KLV`,
    received: "12.345678 KFI",
    rate: "1 KLV = 0.00991995 KFI",
    day: "2026-11-23",
    bot: "@swapdesk_bot",
  });

const megabytes = () => {
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().rss / 1e6;
};
const before = megabytes();
const costs: number[] = [];
let largest = 0;
let most = 0;
for (let seed = 0; seed < COUNT; seed += 1) {
  const theme = themes[seed % 2] ?? "dark";
  const svg = seed % 4 === 3 ? tradeOf(theme, seed) : chartOf(theme, seed);
  const began = process.cpuUsage();
  const png = await toPng(svg);
  // As in the bot, where the event loop turns between two pictures.
  await new Promise(setImmediate);
  const { user, system } = process.cpuUsage(began);
  costs.push((user + system) / 1000);
  largest = Math.max(largest, png.length);
  most = Math.max(most, process.memoryUsage().rss / 1e6);
}
const [first = 0] = costs;
const sorted = costs.slice(WARM).sort((one, other) => one - other);
const share = (part: number) => sorted[Math.floor(part * (sorted.length - 1))]?.toFixed(1);
process.stdout.write(
  `${COUNT} pictures, processor ms: first ${first.toFixed(1)}, p50 ${share(0.5)}, p99 ${share(0.99)}, max ${share(1)}\n` +
    `largest ${(largest / 1000).toFixed(1)} kB; memory ${before.toFixed(0)} MB before, at most ${most.toFixed(0)} MB, ${megabytes().toFixed(0)} MB after\n`,
);
