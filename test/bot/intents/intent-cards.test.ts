import { expect, it } from "vitest";
import { quoteFor } from "../../../src/bot/features/swap.js";
import { createIntentCards } from "../../../src/bot/intents/intent-cards.js";
import { type BotSettings, viewOf } from "../../../src/bot/context.js";
import { amountOf } from "../../../src/encoding/amount.js";
import { Fault } from "../../../src/fault.js";
import { createUserRateLimit } from "../../../src/services/base/rate.js";
import { tokenListOf } from "../../../src/services/market/token-list.js";
import { kfi, klv, person } from "../../services/samples.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { createVirtualClock } from "../../support/virtual-clock.js";

const allowance = () => createUserRateLimit({ clock: createVirtualClock(), burst: 2, refillSeconds: 30 });
const tradingPause = { assertOpen: async () => undefined };
const refusal = /again in 30 s/;
const cardsWith = (parts: object) => createIntentCards(parts as Parameters<typeof createIntentCards>[0]);

it("prepares no card for a user who has asked too often", async () => {
  const prepared: number[] = [];
  const cards = cardsWith({
    base: {
      store: createMemoryDisk().open(),
      settings: {},
      clock: createVirtualClock(),
      tokens: tokenListOf([kfi, klv]),
    },
    quoteAllowance: allowance(),
    tradingPause,
    trades: {
      draft: async (_request: unknown, { userId }: { readonly userId: number }) => {
        prepared.push(userId);
        throw new Fault("quote-zero", { token: "KFI" });
      },
    },
  });
  const request = { kind: "swap", pay: amountOf(klv, 1n), from: klv, to: kfi } as const;
  const open = (userId: number) => cards.open(userId, request);
  const reason = { ok: false, card: { text: expect.stringContaining("KFI") as string } };
  for (const userId of [1, 1, 2]) expect(await open(userId)).toMatchObject(reason);
  expect(await open(1)).toMatchObject({ ok: false, card: { text: expect.stringMatching(refusal) as string } });
  expect(prepared).toEqual([1, 1, 2]);
});

it("gets no price for a user who has asked too often", async () => {
  let asked = 0;
  const parts = {
    base: {
      store: createMemoryDisk().open(),
      settings: {},
      tokens: tokenListOf([klv, kfi]),
      clock: createVirtualClock(),
    },
    quoteAllowance: allowance(),
    swaps: { compared: () => Promise.reject(new Error(`asked ${(asked += 1)} times`)) },
  } as unknown as Parameters<typeof quoteFor>[0];
  const price = () => quoteFor(parts, 1, { kind: "swap", pay: amountOf(klv, 1n), from: klv, to: kfi });
  for (const times of [1, 2]) await expect(price()).rejects.toThrow(`asked ${times} times`);
  expect(await price()).toMatchObject({ ok: false, card: { text: expect.stringMatching(refusal) as string } });
});

it("doesn't read somebody again whose update it is", async () => {
  let reads = 0;
  const store = createMemoryDisk().open();
  const counted = {
    write: store.write,
    get db() {
      reads += 1;
      return store.db;
    },
  };
  const settings = { adminUserIds: [7], guardDelaySeconds: 100 } as unknown as BotSettings;
  const clock = createVirtualClock();
  const cards = cardsWith({
    base: { store: counted, settings, clock, tokens: tokenListOf([kfi, klv]) },
    quoteAllowance: allowance(),
    tradingPause,
    trades: { draft: () => Promise.reject(new Fault("quote-zero", { token: "KFI" })) },
  });
  const view = viewOf(person(), { clock, settings, tokens: tokenListOf([kfi, klv]) });
  // Of the settings, a view holds what cards show.
  expect(view).toMatchObject({ guardDelaySeconds: 100 });
  expect(view).not.toHaveProperty("adminUserIds");
  const owner = { userId: 1, person: person(), view, words: view.words };
  const request = { kind: "swap", pay: amountOf(klv, 1n), from: klv, to: kfi } as const;
  expect(await cards.open(owner, request)).toMatchObject({ ok: false });
  expect(reads).toBe(0);
  expect(await cards.open(1, request)).toMatchObject({ ok: false });
  expect(reads).toBe(1);
});
