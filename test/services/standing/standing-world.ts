import { EventEmitter } from "node:events";
import { HttpError } from "grammy";
import { amountOf, type Amount, type Holdings, type Token } from "../../../src/encoding/amount.js";
import { Fault, unlessFault } from "../../../src/fault.js";
import { createUserRateLimit } from "../../../src/services/base/rate.js";
import { CALL, CARD, type IntentParts } from "../../../src/services/intent/change.js";
import type { Intent, PreparedTransaction } from "../../../src/services/intent/intent.js";
import { noteMessage } from "../../../src/services/intent/intent-row.js";
import { createIntents, type Intents } from "../../../src/services/intent/intent-service.js";
import { findIntent } from "../../../src/services/intent/queries.js";
import type { Pools } from "../../../src/services/market/pools.js";
import type { PoolGraph } from "../../../src/services/market/route.js";
import type { ToldRights } from "../../../src/services/market/token-rights.js";
import { tokenListOf } from "../../../src/services/market/token-list.js";
import { changePerson, personIn, type Person } from "../../../src/services/person/person.js";
import { occurrenceAt, type Schedule } from "../../../src/services/standing/schedule.js";
import { noteStandingChange, standingObjection } from "../../../src/services/standing/standing-claims.js";
import type { ChainBlocks } from "../../../src/services/chain/blocks.js";
import { createPriceWatches } from "../../../src/services/price-watches/price-watches.js";
import { standingTopic, type StandingNews } from "../../../src/services/standing/standing-news.js";
import { createProposals, type Proposals } from "../../../src/services/standing/proposals.js";
import { createStandingOrders, type StandingOrders } from "../../../src/services/standing/standing-orders.js";
import { notBegun } from "../../../src/services/standing/standing-preview.js";
import type { StandingOrder } from "../../../src/services/standing/standing-queries.js";
import type { Topic } from "../../../src/services/telegram/outbox.js";
import { otherWay, type Request, type RequestOf } from "../../../src/services/terms/terms.js";
import { multihopKind } from "../../../src/services/trade/multihop.js";
import { createSwaps, swapKind } from "../../../src/services/trade/swap.js";
import { flowOf } from "../../../src/services/trade/kinds.js";
import type { IntentOf } from "../../../src/services/intent/intent.js";
import type { Draft, Owner } from "../../../src/services/intent/trade-kind.js";
import { swapTransaction } from "../../encoding/golden-transactions.js";
import type { StoreBasics } from "../../../src/store/store.js";
import { createMemoryDisk, type MemoryStore } from "../../support/memory-store.js";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.js";
import { alice, kfi, klv, operator, referralContract, silent, unchecked } from "../samples.js";
import type { SendOutcome } from "../intent/arrange.js";
import { NotConnected } from "../../../src/services/base/requests.js";
import { createAway } from "../../../src/services/telegram/away.js";
import { tooManyRequests } from "../../../src/services/telegram/telegram-errors.js";
import { askedBy, outboxTo } from "../telegram/noticed.js";

/** A Sunday, a quarter to nine. */
export const NOW = Date.UTC(2027, 0, 3, 8, 45);
export const OWNER = 1001;
export const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000] as const;

const daily: Schedule = {
  zone: "UTC",
  from: { date: "2027-01-04", time: "09:00" },
  every: { count: 1, unit: "d" },
  times: 3,
};
/** When {@link standingSample} is due first. */
export const FIRST = occurrenceAt(daily, 0);

/** 100 KLV for KFI at nine on three days. */
export function standingSample(fields: Partial<StandingOrder> = {}): StandingOrder {
  return {
    id: "order",
    userId: OWNER,
    kind: "dca",
    request: { pay: amountOf(klv, 100_000_000n), from: klv, to: kfi },
    rule: { schedule: daily, begins: 0 },
    payout: alice,
    ...notBegun,
    endsAt: FIRST + 3 * DAY,
    endsFromNow: false,
    createdAt: NOW,
    ...fields,
  };
}

export interface StandingProcess {
  readonly standing: StandingOrders;
  readonly proposals: Proposals;
  readonly intents: Intents;
  readonly store: MemoryStore;
  /** What the card of a swap or a route says. @throws Fault */
  readonly draft: (request: Request, owner: Owner) => Promise<Draft>;
  readonly isAlive: () => boolean;
  readonly stop: () => Promise<void>;
  /** SIGKILL. */
  readonly kill: () => void;
}

/** How Telegram behaves. `takes`: although it doesn't answer, what it was sent arrives. */
export type TelegramMode =
  | { readonly kind: "well" | "refuses" | "loses" }
  | { readonly kind: "hangs"; readonly takes?: boolean }
  | { readonly kind: "holds"; readonly seconds: number };

const refusedConnection = Object.assign(new Error("connect ECONNREFUSED"), {
  code: "ECONNREFUSED",
  syscall: "connect",
});

type Told = { readonly at: number; readonly userId: number; readonly isSilent: boolean } & (
  | { readonly card: Intent; readonly edits: number | undefined; readonly comesAtNight?: string | undefined }
  | { readonly news: StandingNews }
);

/** What outlives the processes: prices, balances, chats and the disk. */
export function createStandingWorld(
  options: {
    readonly standingMax?: number;
    readonly isWallet?: boolean;
    readonly everySeconds?: number;
    /** How often idle loops look, in milliseconds. */
    readonly heartbeat?: number;
    /** Tells of the pairs of `graph`, if it is given. */
    readonly blocks?: (
      basics: StoreBasics & { readonly clock: VirtualClock },
    ) => Pick<ChainBlocks, "look" | "state" | "wake">;
  } = {},
) {
  const clock: VirtualClock = createVirtualClock(NOW, options.heartbeat);
  const disk = createMemoryDisk();
  let [ids, messages, transactions] = [0, 0, 0];
  const world = {
    clock,
    disk,
    /** Units that the service quotes now. */
    price: (_pay: Amount, _out: Token): bigint => 1_000_000n,
    /** While set, the quotation service fails with this. */
    fault: undefined as Fault | undefined,
    holdings: undefined as Holdings | undefined,
    /** The same of an account, if they aren't all alike. */
    holdingsOf: (_account: string): Holdings | undefined => world.holdings,
    /** The node's pools. */
    graph: undefined as PoolGraph | undefined,
    /** What the node says of every token. */
    rights: "untold" as ToldRights,
    /** How calls end. */
    outcome: (): SendOutcome => ({ kind: "ok", returnData: [] }),
    percentage: 1000,
    /** Who has no access. */
    strangers: new Set<number>(),
    /** The nonce of the next transaction that a wallet is asked to sign, of each account. */
    nonces: { [alice]: 7n, [operator]: 7n } as Record<string, bigint>,
    tokens: tokenListOf([klv, kfi]),
    /** Prices asked for, but those that the watching of prices asks for. */
    telegram: { kind: "well" } as TelegramMode,
    /** Attempts to send a card. */
    attempts: 0,
    asked: [] as { readonly at: number; readonly pay: Amount; readonly by: "loop" | "person" }[],
    polled: [] as { readonly at: number; readonly pay: Amount }[],
    /** Whether the watching of prices asks now. */
    isPolling: false,
    /** Whether what is asked for now is asked for by people. */
    isTapping: false,
    sent: [] as { readonly id: string; readonly minimum: unknown }[],
    told: [] as Told[],
    errors: [] as unknown[],
    cards: (): readonly Intent[] =>
      world.told.flatMap((each) => ("card" in each && each.edits === undefined ? [each.card] : [])),
    news: (): readonly StandingNews[] => world.told.flatMap((each) => ("news" in each ? [each.news] : [])),
    person: (process: StandingProcess, change: (person: Person) => Person, userId = OWNER) =>
      process.store.write((tx) => changePerson(tx, userId, change)),
    /** Number of rows. */
    store: async ({ store }: StandingProcess, table: "price_watches" | "standing_orders") =>
      (await store.db.selectFrom(table).selectAll().execute()).length,
    /** What a tap on an expired card opens: it asks for the same, from the address of now. */
    renew: async ({ intents, store }: StandingProcess, { owner, terms, call }: Intent) => {
      const { wallet } = await personIn(store.db, owner);
      const now = { ...terms, payout: wallet?.address ?? terms.payout };
      return intents.open(owner, owner, { terms: now, call, expiresAt: clock.now() + 30_000 });
    },
    /** What a tap on 🔀 opens in its place; undefined if there is no such card. */
    takeOther: async ({ draft, intents, store }: StandingProcess, { id, owner, terms }: Intent) => {
      const person = await personIn(store.db, owner);
      const made = await unlessFault(() => draft(otherWay(terms.request)!, { userId: owner, person }));
      return made && intents.replace(owner, id, (await intents.open(owner, owner, made)).id);
    },
    start: (): StandingProcess => {
      const store = disk.open();
      const stopping = new AbortController();
      let isAlive = true;
      const ifAlive = () => (isAlive ? Promise.resolve() : new Promise<void>(() => undefined));
      const quote = async (pay: Amount, out: Token): Promise<Amount> => {
        await ifAlive();
        world.asked.push({ at: clock.now(), pay, by: world.isTapping ? "person" : "loop" });
        if (world.fault !== undefined) throw world.fault;
        return amountOf(out, world.price(pay, out));
      };
      const config = {
        referralAddress: operator,
        referralPercentage: world.percentage,
        referralContract,
        routerContract: referralContract,
        defaultSlippageBps: 100,
        maxSlippageBps: 1500,
        quoteTtlSeconds: 30,
        betterRouteBps: 50,
        callIncludesCaller: true,
        keptForFees: 0n,
        returnDataEncoding: "hex",
        standingMax: options.standingMax ?? 1000,
      } as const;
      const basics = { store, clock, log: silent };
      const known = async () => world.graph;
      const pools = {
        known,
        fresh: known,
        reread: known,
        rereadReserves: known,
        areOffered: () => true,
      } as unknown as Pools;
      const rights = { known: async () => world.rights };
      const swaps = createSwaps({ ...basics, quotation: { quote }, pools, rights, routerCheck: unchecked, config });
      const balances = {
        areTold: () => true,
        read: async (account: string) => world.holdingsOf(account) ?? {},
        known: async (account: string) => world.holdingsOf(account),
      };
      const tradeParts = {
        ...{ ...basics, tokens: world.tokens, swaps, balances, rights, pools },
        ...{ routerCheck: unchecked, settings: config },
      };
      const draft = (request: Request, owner: Owner): Promise<Draft> =>
        request.kind === "multihop"
          ? multihopKind.draft(tradeParts, request, owner)
          : swapKind.draft(tradeParts, request as RequestOf<"swap">, owner);
      const gateway = {
        interrupted: "unknown" as const,
        begin: async ({ id, call, terms }: Pick<Intent, "call" | "id"> & { terms: { payout: string } }) => {
          if (options.isWallet === true) return { kind: "request" as const, transaction: walletRequest(terms.payout) };
          const send = async () => {
            world.sent.push({ id, minimum: "inputs" in call ? call.inputs : undefined });
            await ifAlive();
            const outcome = world.outcome();
            if (!("fault" in outcome)) return outcome;
            const { code, parameters } = outcome.fault;
            throw outcome.kind === "unknown"
              ? outcome.fault
              : new Fault(code, parameters, { cause: new NotConnected("ECONNREFUSED") });
          };
          return { kind: "call" as const, send };
        },
      };
      const walletRequest = (account: string): PreparedTransaction => {
        transactions += 1;
        return {
          raw: swapTransaction,
          hash: `hash-${transactions}`,
          nonce: world.nonces[account] ?? 0n,
          networkFee: amountOf(klv, 1n),
          token: `token-${transactions}`,
          signUntil: clock.now() + 60_000,
          sendUntil: clock.now() + 120_000,
        };
      };
      const deliver = async (
        userId: number,
        what: { card: Intent } | { news: StandingNews },
        how: { edits?: number | undefined; isSilent: boolean },
      ) => {
        await ifAlive();
        world.attempts += 1;
        const mode = world.telegram;
        if (mode.kind === "refuses") throw new HttpError("refused", refusedConnection);
        const arrive = () =>
          world.told.push({ at: clock.now(), userId, edits: how.edits, isSilent: how.isSilent, ...what });
        if (mode.kind === "hangs") {
          if (mode.takes === true) arrive();
          await clock.sleep(60_000);
          await ifAlive();
          throw new HttpError("no answer", new Error("UND_ERR_HEADERS_TIMEOUT"));
        }
        if (mode.kind === "loses") {
          arrive();
          throw new HttpError("no answer", new Error("UND_ERR_SOCKET"));
        }
        if (mode.kind === "holds") throw tooManyRequests(mode.seconds);
        arrive();
        return how.edits ?? (messages += 1);
      };
      const away = createAway({ clock });
      const asked = askedBy(away);
      const { outbox, pacer } = outboxTo<{ card: Intent } | { news: StandingNews }>({
        ...basics,
        away,
        deliver: (...message) => asked(() => deliver(...message)),
      });
      // The bot's name.
      const ask = async (): Promise<void> => {
        await ifAlive();
        if (world.telegram.kind === "hangs") await clock.sleep(10_000);
        if (world.telegram.kind !== "well" && world.telegram.kind !== "holds")
          throw new HttpError("no answer", refusedConnection);
      };
      void away.run(() => asked(ask), stopping.signal);
      const events: IntentParts["events"] = new EventEmitter();
      const intents = createIntents({
        ...basics,
        gateway,
        newId: () => `intent-${(ids += 1)}`,
        run: `run-${(ids += 1)}`,
        objection: standingObjection(clock.now),
        noteChange: noteStandingChange(clock.now),
        kinds: {
          recordEffects: async () => undefined,
          flowOf: (intent) => flowOf(intent, "hex"),
          isConfigured: async () => true,
          recheck: (intent, person) =>
            intent.terms.kind === "multihop"
              ? multihopKind.recheck(tradeParts, intent as IntentOf<"multihop">, person)
              : swaps.recheck(intent as IntentOf<"swap">),
          holdings: async () => undefined,
          seen: async () => [],
        },
        events,
        outbox,
        onUnreadable: () => undefined,
      });
      const watches = createPriceWatches({
        ...basics,
        polled: {
          quote: async (pay, out) => {
            await ifAlive();
            world.polled.push({ at: clock.now(), pay });
            if (world.fault !== undefined) throw world.fault;
            world.isPolling = true;
            try {
              return amountOf(out, world.price(pay, out));
            } finally {
              world.isPolling = false;
            }
          },
        },
        pace: { requestsPerSecond: 2, everySeconds: options.everySeconds ?? 15 },
        tokens: world.tokens,
        prices: { noteQuote: () => true },
        noteError: (error) => void world.errors.push(error),
        ...(options.blocks && { blocks: options.blocks(basics), pools }),
      });
      const offering = {
        ...{ ...basics, intents, polled: swaps, trades: { draft }, balances, rights, watches, outbox },
        ...{ settings: config, tokens: world.tokens },
        estimateFee: options.isWallet === true ? async () => undefined : undefined,
      };
      const standing = createStandingOrders({
        ...offering,
        noteError: (error) => void world.errors.push(error),
        quoteAllowance: createUserRateLimit({ clock, burst: 60, refillSeconds: 1 }),
        newId: () => `order-${(ids += 1)}`,
      });
      events.on("changed", standing.wakeAfter);
      const proposals = createProposals({
        ...offering,
        isIn: (userId) => !world.strangers.has(userId),
        newId: () => `proposal-${(ids += 1)}`,
      });
      const topic = standingTopic({ clock, tokens: world.tokens });
      const newsTopic: Topic<{ news: StandingNews }> = {
        ...topic,
        render: async (...row) => {
          const due = await topic.render(...row);
          return due && { ...due, message: { news: due.message } };
        },
      };
      const offers: Topic<{ card: Intent }> = {
        ...standing.offers,
        render: async (...row) => {
          const due = await standing.offers.render(...row);
          return due && { ...due, message: due.message };
        },
      };
      const proposed: Topic<{ card: Intent }> = {
        ...proposals.topic,
        render: async (...row) => {
          const due = await proposals.topic.render(...row);
          return due && { ...due, message: { card: due.message } };
        },
      };
      outbox.use([cardTopic, offers, proposed, { name: CALL, render: async () => undefined }, newsTopic]);
      outbox.start();
      const running = Promise.all([
        standing.run(stopping.signal),
        proposals.run(stopping.signal),
        watches.run(stopping.signal),
        intents.expiry.run(stopping.signal),
      ]);
      return {
        standing,
        proposals,
        intents,
        store,
        draft,
        isAlive: () => isAlive,
        stop: async () => {
          stopping.abort();
          await running;
          await outbox.stop();
          pacer.stop();
        },
        kill: () => {
          isAlive = false;
          store.kill();
          pacer.stop();
          stopping.abort();
          void outbox.stop();
        },
      };
    },
  };
  return world;
}

/** Shows cards as the bot does. */
const cardTopic: Topic<{ card: Intent }> = {
  name: CARD,
  render: async (db, { userId, subject }) => {
    const card = await findIntent(db, userId, subject);
    if (card === undefined || card.replacedBy !== undefined) return undefined;
    if (card.messageId === undefined && card.state !== "QUOTED" && card.times.CLAIMED === undefined) return undefined;
    return {
      message: { card },
      edits: card.messageId,
      onSent: async (tx, _now, shownIn) => {
        if (shownIn !== undefined) await noteMessage(tx, subject, shownIn);
      },
    };
  },
};
