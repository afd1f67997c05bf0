import type { InputFile } from "grammy";
import { expect, it } from "vitest";
import type { BotContext, Parts } from "../../../src/bot/context.js";
import { historyFeature } from "../../../src/bot/features/history.js";
import type { Intent } from "../../../src/model/intent.js";
import { en } from "../../cards/arrange.js";

/** The lots of earlier versions hold a hundred calls, and a line has less than a kilobyte. */
const MOST_BYTES_OF_A_LOT = 100_000;
const TELEGRAM_TAKES_BYTES = 50_000_000;

it("splits a history into files that Telegram takes, also where an earlier version filled the lots", async () => {
  const lots = Array.from({ length: 1_000 }, (_, number) => number);
  const read: number[] = [];
  async function* everything(_userId: number, from = 0): AsyncGenerator<readonly Intent[]> {
    for (const lot of lots.slice(from)) {
      read.push(lot);
      yield [];
    }
  }
  const parts = { intents: { everything }, fileAllowance: { take: () => undefined } } as unknown as Parts;
  const sizes: number[] = [];
  const ctx = {
    match: "csv",
    words: en.words,
    view: en,
    person: { ledgerParts: lots.length - 1 },
    replyWithDocument: async (file: InputFile) => {
      const before = read.length;
      for await (const _ of (await file.toRaw()) as AsyncIterable<Uint8Array>) continue;
      sizes.push((read.length - before) * MOST_BYTES_OF_A_LOT);
    },
  } as unknown as BotContext;
  await historyFeature(parts).commands?.["history"]?.(ctx as never, () => Promise.resolve());
  expect(read).toEqual(lots);
  expect(Math.max(...sizes)).toBeLessThan(TELEGRAM_TAKES_BYTES);
});
