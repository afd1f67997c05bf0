import type { InputFile } from "grammy";
import { expect, it } from "vitest";
import type { BotContext } from "../../../src/bot/context.js";
import { historyFeature } from "../../../src/bot/features/history.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import type { Intent } from "../../../src/services/intent/intent.js";
import { amountOf } from "../../../src/encoding/amount.js";
import { placeAt, walletTransaction } from "../../support/wallet-transaction.js";
import { dvk, en, intent, lockTerms, swapTerms } from "../../cards/arrange.js";
import { klv } from "../../services/samples.js";

const TELEGRAM_TAKES_BYTES = 50_000_000;

/** A swap between tokens that the network fee isn't in. */
const charged: Intent = {
  ...intent({ ...swapTerms, amountIn: amountOf(dvk, 5n) }, "OK", { kind: "ok", returnData: ["26bf", "0efc3c"] }),
  transaction: walletTransaction(placeAt("OK"), { hash: "ab".repeat(32), networkFee: amountOf(klv, 4_500_000n) }),
};

it.each([
  ["csv", intent(lockTerms, "OK"), 1],
  ["koinly", charged, 1],
  // A trade and its fee.
  ["csv cointracking", charged, 2],
])(
  "splits a history into files that Telegram accepts, with no call lost or repeated: %s",
  async (typed, call, each) => {
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
    await feature.commands?.["history"]?.(ctx, typed);
    // Each file starts with a header line.
    expect(files.map(({ lines }) => lines - 1)).toEqual([10_000 * each, 2_000 * each]);
    // A line has at most 1,024 bytes.
    expect(10_000 * 1_024).toBeLessThan(TELEGRAM_TAKES_BYTES);
    expect(Math.max(...files.map(({ bytes }) => bytes))).toBeLessThan(TELEGRAM_TAKES_BYTES);
  },
);
