import { describe, expect, it } from "vitest";
import { Fault } from "../../../src/fault.js";
import { intentStates, type IntentState, type RequestEnd } from "../../../src/services/intent/intent.js";
import { createMemoryDisk, type MemoryDisk } from "../../support/memory-store.js";
import { alice, testClock } from "../samples.js";
import {
  arrange,
  assertLegalHistory,
  chatId,
  draft,
  fresh,
  holds,
  owner,
  type Arranged,
  type SendOutcome,
} from "./arrange.js";
import { preparedTransaction } from "../../support/wallet-transaction.js";
import { type MemoryStore, recordedStore, type RecordedStore } from "./memory-store.js";

const gateways = ["query", "wallet"] as const;
type Gateway = (typeof gateways)[number];

const never = () => new Promise<never>(() => undefined);
const fault = new Fault("service-timeout", { service: "node" });
const ok: SendOutcome = { kind: "ok", returnData: ["01"] };

/** A run of the program. */
interface Bot extends Arranged {
  readonly store: MemoryStore;
  /** The outcome of a call that is sent. */
  answer: () => Promise<SendOutcome>;
}

/** A disk and a chain for one run after the other. */
function world(gateway: Gateway, disk: MemoryDisk) {
  const clock = testClock();
  const stores: RecordedStore[] = [];
  const sent: string[] = [];
  let transactions = 0;
  const transaction = async () => {
    transactions += 1;
    return preparedTransaction({
      hash: `hash-${transactions}`,
      nonce: BigInt(transactions),
      token: `token-${transactions}`,
      signUntil: clock.now() + 200_000,
      sendUntil: clock.now() + 400_000,
    });
  };
  const start = (): Bot => {
    const store = recordedStore(disk);
    stores.push(store);
    const state = { answer: async () => ok };
    const intents = arrange({
      store,
      clock,
      prefix: `life-${stores.length}`,
      send: () => {
        sent.push(intents.sent.at(-1)?.intentId ?? "");
        return state.answer();
      },
      ...(gateway === "wallet" && { prepare: transaction }),
    });
    return Object.assign(state, intents);
  };
  return { start, clock, sent, saved: () => stores.flatMap(({ saved }) => saved) };
}

const confirmed = (answer: SendOutcome) => async (bot: Bot, id: string) => {
  bot.answer = async () => answer;
  await bot.confirm(owner, id, holds);
};
const closed = (end: RequestEnd) => async (bot: Bot, id: string) => {
  await bot.requests.close(owner, id, end);
  await bot.settle(owner, id);
};

/** Everything that can happen to an intent. */
const events = {
  "confirm, answered": confirmed(ok),
  "confirm, refused": confirmed({ kind: "failed", text: "no" }),
  "confirm, no clear answer": confirmed({ kind: "unknown", fault }),
  "confirm, not sent": confirmed({ kind: "not-sent", fault }),
  "confirm, no price": (bot, id) => bot.confirm(owner, id, () => Promise.reject(fault)),
  "confirm, a worse price": (bot, id) => bot.confirm(owner, id, async () => fresh),
  refresh: async (bot, id) => bot.replace(owner, id, (await bot.open(owner, chatId, fresh)).id),
  cancel: (bot, id) => bot.cancel(owner, id),
  expire: (bot, id) => {
    bot.clock.advance(31_000);
    return bot.expire(owner, id);
  },
  sign: (bot, id) => bot.requests.sign(owner, id, "signature"),
  decline: closed({ code: "signing-declined" }),
  "the time to sign is over": closed("EXPIRED"),
  "the chain has it": (bot, id) => bot.requests.sentByWallet(owner, id, "signature"),
  "the chain carried it out": (bot, id) => bot.settle(owner, id, { kind: "ok", returnData: [] }),
  "it failed on the chain": (bot, id) => bot.settle(owner, id, { kind: "failed", text: "no", costsFee: true }),
  "the chain will never have it": (bot, id) => bot.settle(owner, id, { kind: "not-sent", code: "nonce-used" }),
  "nobody looks any more": (bot, id) => bot.requests.giveUp(owner, id),
} satisfies Record<string, (bot: Bot, id: string) => Promise<unknown>>;
type Event = keyof typeof events;
const eventNames = Object.keys(events) as Event[];

/** How an intent reaches each state: a new state needs its way here, and its events below. */
const ways: Record<IntentState, (bot: Bot, id: string, gateway: Gateway) => Promise<unknown>> = {
  QUOTED: () => Promise.resolve(),
  CLAIMED: async (bot, id) => {
    void bot.confirm(owner, id, never);
    await reached(bot, id, "CLAIMED");
  },
  SIGNING: (bot, id) => bot.confirm(owner, id, holds),
  SENT: async (bot, id, gateway) => {
    bot.answer = never;
    const confirming = bot.confirm(owner, id, holds);
    if (gateway === "query") return reached(bot, id, "SENT");
    await confirming;
    await bot.requests.sign(owner, id, "signature");
  },
  OK: (bot, id, gateway) => ended(bot, id, gateway, "confirm, answered", "the chain carried it out"),
  FAILED: (bot, id, gateway) => ended(bot, id, gateway, "confirm, refused", "the chain will never have it"),
  UNKNOWN: async (bot, id, gateway) => {
    if (gateway === "query") return events["confirm, no clear answer"](bot, id);
    await ways.SENT(bot, id, gateway);
    await bot.settle(owner, id, { kind: "unknown", code: "answer-unreadable" });
  },
  EXPIRED: (bot, id, gateway) => overBy(bot, id, gateway, "expire", "EXPIRED"),
  CANCELED: (bot, id, gateway) => overBy(bot, id, gateway, "cancel", "CANCELED"),
  SUPERSEDED: (bot, id, gateway) => overBy(bot, id, gateway, "refresh", "SUPERSEDED"),
};

async function ended(bot: Bot, id: string, gateway: Gateway, confirm: Event, chain: Event): Promise<void> {
  if (gateway === "query") return void (await events[confirm](bot, id));
  await ways.SENT(bot, id, gateway);
  await events[chain](bot, id);
}

/** In wallet mode the intent passes SIGNING first, so that the chain may still contradict its end. */
async function overBy(bot: Bot, id: string, gateway: Gateway, event: Event, end: RequestEnd): Promise<void> {
  if (gateway === "query") return void (await events[event](bot, id));
  await ways.SIGNING(bot, id, gateway);
  await closed(end)(bot, id);
}

async function reached(bot: Bot, id: string, state: IntentState): Promise<void> {
  while ((await bot.find(owner, id))?.state !== state) await new Promise((resolve) => setImmediate(resolve));
}

type Outcomes = Partial<Record<Event, IntentState>>;
const offered: Outcomes = {
  "confirm, no price": "FAILED",
  "confirm, a worse price": "SUPERSEDED",
  refresh: "SUPERSEDED",
  cancel: "CANCELED",
  expire: "EXPIRED",
};
/** Only a sent call gets an answer, but a claimed one can end as not sent. */
const claimed: Outcomes = { "the chain will never have it": "FAILED" };
const sent: Outcomes = {
  "the chain carried it out": "OK",
  "it failed on the chain": "FAILED",
  "the chain will never have it": "FAILED",
};
const contradicted: Outcomes = { "the chain has it": "SENT" };

/** The state after each event; an event that isn't listed changes nothing. */
const becomes: Record<Gateway, Record<IntentState, Outcomes>> = {
  query: {
    QUOTED: {
      ...offered,
      "confirm, answered": "OK",
      "confirm, refused": "FAILED",
      "confirm, no clear answer": "UNKNOWN",
      "confirm, not sent": "FAILED",
    },
    CLAIMED: claimed,
    SIGNING: {},
    SENT: sent,
    OK: {},
    FAILED: {},
    UNKNOWN: {},
    EXPIRED: {},
    CANCELED: {},
    SUPERSEDED: {},
  },
  wallet: {
    QUOTED: {
      ...offered,
      "confirm, answered": "SIGNING",
      "confirm, refused": "SIGNING",
      "confirm, no clear answer": "SIGNING",
      "confirm, not sent": "SIGNING",
    },
    CLAIMED: claimed,
    SIGNING: {
      sign: "SENT",
      decline: "FAILED",
      "the time to sign is over": "EXPIRED",
      "the chain has it": "SENT",
      "the chain will never have it": "FAILED",
    },
    // It was never broadcast.
    SENT: { ...sent, cancel: "CANCELED" },
    OK: {},
    FAILED: contradicted,
    UNKNOWN: contradicted,
    EXPIRED: contradicted,
    CANCELED: contradicted,
    SUPERSEDED: contradicted,
  },
};

/** The state in which the next run finds an intent, if it is another one. */
const recovered: Record<Gateway, Partial<Record<IntentState, IntentState>>> = {
  query: { CLAIMED: "UNKNOWN", SENT: "UNKNOWN" },
  wallet: { CLAIMED: "FAILED" },
};
/** The states that a confirm passes. */
const passed: Record<Gateway, readonly IntentState[]> = { query: ["CLAIMED", "SENT"], wallet: ["CLAIMED"] };

const disk = createMemoryDisk();

/** An intent in a state, in its own world. */
async function inState(gateway: Gateway, state: IntentState) {
  await disk.open().write(async (tx) => {
    for (const table of ["intents", "users", "settings", "outbox"] as const) await tx.deleteFrom(table).execute();
  });
  const all = world(gateway, disk);
  const bot = all.start();
  await bot.changePerson((person) => ({ ...person, wallet: { address: alice, since: 1 } }));
  const { id } = await bot.open(owner, chatId, draft);
  await bot.attachMessage(id, 77);
  await ways[state](bot, id, gateway);
  expect((await bot.find(owner, id))?.state).toBe(state);
  return { ...all, bot, id };
}

/** The process dies at a moment before or after a commit, counted from 0. @returns whether it reached that moment. */
async function diesAt(bot: Bot, moment: number, work: () => Promise<unknown>): Promise<boolean> {
  let count = 0;
  const death = new Promise<true>((resolve) => {
    const alive = async () => {
      if (count++ < moment) return;
      resolve(true);
      await never();
    };
    bot.store.before = alive;
    bot.store.after = alive;
  });
  return Promise.race([death, work().then(() => false)]);
}

/** The query gateway has no signing requests. */
const cases = gateways.flatMap((gateway) =>
  intentStates.filter((state) => gateway === "wallet" || state !== "SIGNING").map((state) => [gateway, state] as const),
);

describe.each(cases)("%s: an intent at %s", (gateway, state) => {
  it("reaches the listed state with each event, and has its card shown", async () => {
    for (const event of eventNames) {
      const { bot, id, sent: left, saved } = await inState(gateway, state);
      await bot.store.write((tx) => tx.deleteFrom("outbox").execute());
      await events[event](bot, id);
      const expected = becomes[gateway][state][event] ?? state;
      const now = await bot.find(owner, id);
      expect([event, now?.state]).toEqual([event, expected]);
      const waiting = await bot.store.db.selectFrom("outbox").select("subject").where("topic", "=", "card").execute();
      if (expected !== state) expect(waiting, event).toContainEqual({ subject: now?.replacedBy ?? id });
      expect(left.filter((each) => each === id).length).toBeLessThanOrEqual(1);
      assertLegalHistory(saved());
    }
  });

  it("has a known state wherever the process dies, and is never sent twice", async () => {
    // An event without a change writes nothing; only a request may close before it ends.
    const writing = eventNames.filter((event) => state === "SIGNING" || becomes[gateway][state][event] !== undefined);
    for (const event of writing) {
      const expected = becomes[gateway][state][event] ?? state;
      const way = event.startsWith("confirm") && state === "QUOTED" ? passed[gateway] : [];
      const found = [state, expected, ...way].map((each) => recovered[gateway][each] ?? each);
      for (let moment = 0, isOver = false; !isOver; moment += 1) {
        const { bot, id, start, sent: left, saved } = await inState(gateway, state);
        isOver = !(await diesAt(bot, moment, () => events[event](bot, id)));
        const next = start();
        await next.recover();
        const now = (await next.find(owner, id))?.state;
        expect(found, `${event}, moment ${moment}`).toContain(now);
        const before = left.length;
        await next.confirm(owner, id, holds);
        if (now !== "QUOTED") expect(left).toHaveLength(before);
        expect(left.filter((each) => each === id).length).toBeLessThanOrEqual(1);
        assertLegalHistory(saved());
      }
    }
  });
});
