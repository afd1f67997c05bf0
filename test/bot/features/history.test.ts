import type { InputFile } from "grammy";
import { expect, it } from "vitest";
import type { BotContext } from "../../../src/bot/context.js";
import { historyFeature } from "../../../src/bot/features/history.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import type { Intent } from "../../../src/services/intent/intent.js";
import { en, intent, lockTerms } from "../../cards/arrange.js";

const TELEGRAM_TAKES_BYTES = 50_000_000;

it("splits a history into files that Telegram accepts, with no call lost or repeated between them", async () => {
  const call = intent(lockTerms, "OK");
  const calls = 12_000;
  async function* everything(_userId: number, from: number, most: number): AsyncGenerator<readonly Intent[]> {
    for (let left = Math.min(most, calls - from); left > 0; left -= 7_000)
      yield Array<Intent>(Math.min(left, 7_000)).fill(call);
  }
  const intents = { everything, count: async () => calls };
  const feature = historyFeature({ intents, base: { clock: createVirtualClock() } } as unknown as Parameters<
    typeof historyFeature
  >[0]);
  const files: { lines: number; bytes: number }[] = [];
  const ctx = {
    words: en.words,
    view: en,
    replyWithDocument: async (file: InputFile) => {
      let [lines, bytes] = [0, 0];
      for await (const chunk of (await file.toRaw()) as AsyncIterable<Uint8Array>) {
        lines += chunk.filter((byte) => byte === 10).length;
        bytes += chunk.length;
      }
      files.push({ lines, bytes });
    },
  } as unknown as BotContext;
  await feature.commands?.["history"]?.(ctx, "csv");
  // Each file starts with a header line.
  expect(files.map(({ lines }) => lines - 1)).toEqual([10_000, 2_000]);
  // A line has at most 1,024 bytes.
  expect(10_000 * 1_024).toBeLessThan(TELEGRAM_TAKES_BYTES);
  expect(Math.max(...files.map(({ bytes }) => bytes))).toBeLessThan(TELEGRAM_TAKES_BYTES);
});
