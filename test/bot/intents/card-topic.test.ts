import { GrammyError } from "grammy";
import { expect, test } from "vitest";
import type { BotSettings } from "../../../src/bot/context.js";
import { intentTopics } from "../../../src/bot/intents/card-topic.js";
import type { Card } from "../../../src/cards/card.js";
import { cardKey, hasUntold } from "../../../src/services/intent/change.js";
import { createSendOutcomes } from "../../../src/services/telegram/send-outcomes.js";
import { tokenListOf } from "../../../src/services/market/token-list.js";
import { createPacer } from "../../../src/services/telegram/pacer.js";
import type { Delivery } from "../../../src/services/telegram/outbox.js";
import { createOutbox } from "../../../src/services/telegram/outbox-sender.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { arrange, chatId, draft, fresh, holds, owner } from "../../services/intent/arrange.js";
import { memoryStore } from "../../services/intent/memory-store.js";
import { kfi, klv, silent } from "../../services/samples.js";

const settings = { returnDataEncoding: "hex" } as BotSettings;
type Told = Pick<Delivery, "edits" | "isAsked" | "under"> & {
  readonly userId: number;
  readonly text: string;
  readonly at: number;
};

/** A disk and a chat that outlive the bot; each `start` is another run of it. */
function world() {
  const clock = createVirtualClock();
  const disk = createMemoryDisk();
  const told: Told[] = [];
  let fault: Error | undefined;
  let [runs, messages] = [0, 900];

  function start(options: Parameters<typeof arrange>[0] = {}) {
    const store = memoryStore(disk);
    const run = `run-${(runs += 1)}`;
    const parts = { settings, store, clock, log: silent, tokens: tokenListOf([kfi, klv]) };
    const outbox = createOutbox<Card>({
      ...parts,
      pacer: createPacer({ clock }),
      outcomes: createSendOutcomes({ clock }),
      away: { isAway: () => false },
      deliver: async (userId, { text }, { edits, under, isAsked }) => {
        if (fault !== undefined) throw fault;
        told.push({ userId, text, edits, under, isAsked, at: clock.monotonic() });
        return edits ?? (messages += 1);
      },
      noteError: (error) => expect.fail(String(error)),
      run,
    });
    outbox.use(intentTopics(parts));
    const intents = arrange({ store, clock, prefix: run, onChanged: outbox.wake, ...options });
    const stopping = new AbortController();
    return {
      ...intents,
      outbox,
      store,
      start: () => {
        outbox.start();
        void intents.expiry.run(stopping.signal);
      },
      stop: async () => {
        stopping.abort();
        await outbox.stop();
      },
      shown: async (messageId: number) => {
        const { id } = await intents.open(owner, chatId, draft);
        await intents.attachMessage(id, messageId);
        return id;
      },
    };
  }
  return { start, told, clock, setFault: (next: Error | undefined) => (fault = next) };
}

const firstLine = ({ text }: Told) => text.split("\n")[0];
const refused = new GrammyError(
  "refused",
  { ok: false, error_code: 500, description: "Internal Server Error" },
  "editMessageText",
  {},
);

test("a change is shown once, by the flush that asks for it, and nothing is left in the outbox", async () => {
  const { start, told, clock } = world();
  const { start: go, shown, cancel, outbox, store } = start();
  go();
  const id = await shown(77);
  await cancel(owner, id);
  await Promise.all([outbox.flush(cardKey({ owner, id })), outbox.flush(cardKey({ owner, id }))]);
  expect(told).toMatchObject([{ edits: 77, isAsked: true, text: expect.stringContaining("Cancelled") as string }]);
  await clock.advance(60_000);
  expect(told).toHaveLength(1);
  expect(await hasUntold(store.db, owner)).toBe(false);
});

test("changes that nothing flushes are shown by one edit, with the card as it is by then", async () => {
  const { start, told, clock } = world();
  const { start: go, shown, confirm } = start();
  const id = await shown(77);
  await confirm(owner, id, holds);
  go();
  await clock.advance(1_000);
  expect(told).toEqual([]);
  await clock.advance(60_000);
  expect(told).toMatchObject([{ edits: 77, isAsked: false }]);
  expect(firstLine(told[0]!)).toMatch(/Accepted|Outcome unknown/);
});

test("a card opened without a tap is sent, and its message id is kept", async () => {
  const { start, told, clock } = world();
  const { start: go, shown, openWorse, find } = start();
  go();
  const before = await find(owner, await shown(77));
  const { id } = await openWorse(before!, fresh);
  await clock.advance(5_000);
  expect(told).toMatchObject([{ userId: owner, edits: undefined }]);
  expect((await find(owner, id))?.messageId).toBe(901);
});

test("an edit that Telegram refuses is made later, with the card as it is by then, even after a restart", async () => {
  const { start, told, clock, setFault } = world();
  const first = start();
  first.start();
  const id = await first.shown(77);
  setFault(refused);
  await first.cancel(owner, id);
  await expect(first.outbox.flush(cardKey({ owner, id }))).rejects.toBe(refused);
  await clock.advance(120_000);
  await first.stop();
  setFault(undefined);
  const second = start();
  second.start();
  await clock.advance(60_000);
  expect(told).toMatchObject([{ edits: 77, isAsked: false, text: expect.stringContaining("Cancelled") as string }]);
});

test("a user whose call was interrupted is told once, in a reply to the card, which then says the same", async () => {
  const { start, told, clock } = world();
  const dead = start({ send: () => new Promise(() => undefined) });
  await dead.changePerson((person) => ({ ...person, language: "pt" }));
  const id = await dead.shown(77);
  void dead.confirm(owner, id, holds);
  await expect.poll(async () => (await dead.find(owner, id))?.state).toBe("SENT");
  for (let starts = 0; starts < 2; starts += 1) {
    const next = start();
    await next.recover();
    next.start();
    await clock.advance(30_000);
    await next.stop();
  }
  expect(told).toMatchObject([
    { edits: undefined, under: 77, text: expect.stringMatching(/^⚠️ Resultado desconhecido\. O bot foi/) as string },
    { edits: 77 },
  ]);
});

test("a card that was never sent needs no edit", async () => {
  const { start, told, clock } = world();
  const { start: go, open, cancel, store } = start();
  go();
  const { id } = await open(owner, chatId, draft);
  await cancel(owner, id);
  await clock.advance(30_000);
  expect(told).toEqual([]);
  expect(await hasUntold(store.db, owner)).toBe(false);
});

test("a card that ended while Telegram was taking its message says so once the message's id is known", async () => {
  const { start, told, clock } = world();
  const { start: go, open, cancel, expire, attachMessage, outbox } = start();
  go();
  const [closed, late] = [await open(owner, chatId, draft), await open(owner, chatId, draft)];
  await cancel(owner, closed.id);
  await outbox.flush(cardKey(closed));
  await clock.advance(30_000);
  await expire(owner, late.id);
  const offered = await open(owner, chatId, { ...draft, expiresAt: clock.now() + 30_000 });
  await clock.advance(5_000);
  expect(told).toEqual([]);
  expect(await attachMessage(closed.id, 77)).toBe(true);
  expect(await attachMessage(late.id, 78)).toBe(true);
  expect(await attachMessage(offered.id, 79)).toBe(false);
  outbox.wake();
  await clock.advance(5_000);
  expect(told.map(({ edits, text }) => [edits, /Cancelled|Expired/.exec(text)?.[0]])).toEqual([
    [77, "Cancelled"],
    [78, "Expired"],
  ]);
});

test("what explains a change is still on the card when Telegram takes it later", async () => {
  const { start, told, clock, setFault } = world();
  const { start: go, shown, outbox, store } = start();
  go();
  const id = await shown(77);
  setFault(refused);
  const notice = "It had expired. Here is a new quote:";
  await expect(outbox.flush(cardKey({ owner, id }), { notice })).rejects.toBe(refused);
  await clock.advance(5_000);
  setFault(undefined);
  await clock.advance(20_000);
  expect(told.map(({ edits, text }) => [edits, text.split("\n")[0]])).toEqual([[77, notice]]);
  expect(await hasUntold(store.db, owner)).toBe(false);
});

/** The largest number of messages within any one second. */
function mostInASecond(told: readonly Told[]): number {
  return Math.max(...told.map(({ at }) => told.filter((other) => other.at >= at && other.at < at + 1_000).length));
}

test("after a start, cards that expired in the meantime are shown at a rate that Telegram allows", async () => {
  const { start, told, clock } = world();
  const before = start();
  const people = 60;
  for (let index = 0; index < people; index += 1) {
    const { id } = await before.open(5_000 + index, 5_000 + index, draft);
    await before.attachMessage(id, index);
  }
  await clock.advance(3_600_000);
  start().start();
  await clock.advance(120_000);
  expect(told).toHaveLength(people);
  expect(mostInASecond(told)).toBeLessThanOrEqual(29);
});
