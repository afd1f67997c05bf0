import { EventEmitter } from "node:events";
import { amountOf, type Amount, type Holdings, type Token } from "../../../src/encoding/amount.js";
import { Fault } from "../../../src/fault.js";
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
import { changePerson, type Person } from "../../../src/services/person/person.js";
import { occurrenceAt, type Schedule } from "../../../src/services/standing/schedule.js";
import { noteStandingChange, standingObjection } from "../../../src/services/standing/standing-claims.js";
import type { PairFeed } from "../../../src/services/price-watches/price-reserves.js";
import { createPriceWatches } from "../../../src/services/price-watches/price-watches.js";
import { standingTopic, type StandingNews } from "../../../src/services/standing/standing-news.js";
import { createStandingOrders, type StandingOrders } from "../../../src/services/standing/standing-orders.js";
import { notBegun } from "../../../src/services/standing/standing-preview.js";
import type { StandingOrder } from "../../../src/services/standing/standing-queries.js";
import type { Topic } from "../../../src/services/telegram/outbox.js";
import type { Request } from "../../../src/services/terms/terms.js";
import { createSwaps, swapKind } from "../../../src/services/trade/swap.js";
import { flowOf } from "../../../src/services/trade/kinds.js";
import type { IntentOf } from "../../../src/services/intent/intent.js";
import type { Owner } from "../../../src/services/intent/trade-kind.js";
import type { RequestOf } from "../../../src/services/terms/terms.js";
import { swapTransaction } from "../../encoding/golden-transactions.js";
import { createMemoryDisk, type MemoryStore } from "../../support/memory-store.js";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.js";
import { alice, kfi, klv, operator, referralContract, silent, unchecked } from "../samples.js";
import type { SendOutcome } from "../intent/arrange.js";
import { NotConnected } from "../../../src/services/base/http.js";
import { outboxTo } from "../telegram/noticed.js";

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
    createdAt: NOW,
    ...fields,
  };
}

export interface StandingProcess {
  readonly standing: StandingOrders;
  readonly intents: Intents;
  readonly store: MemoryStore;
  readonly isAlive: () => boolean;
  readonly stop: () => Promise<void>;
  /** SIGKILL. */
  readonly kill: () => void;
}

type Told = { readonly at: number; readonly userId: number } & (
  | { readonly card: Intent; readonly edits: number | undefined }
  | { readonly news: StandingNews }
);

/** What outlives the processes: prices, balances, chats and the disk. */
export function createStandingWorld(
  options: {
    readonly standingMax?: number;
    readonly isWallet?: boolean;
    readonly everySeconds?: number;
    /** Tells of the pairs of `graph`, if it is given. */
    readonly feed?: ((clock: VirtualClock) => PairFeed) | undefined;
  } = {},
) {
  const clock: VirtualClock = createVirtualClock(NOW);
  const disk = createMemoryDisk();
  const feed = options.feed?.(clock);
  let [ids, messages, transactions] = [0, 0, 0];
  const world = {
    clock,
    disk,
    /** Units that the service quotes now. */
    price: (_pay: Amount, _out: Token): bigint => 1_000_000n,
    /** While set, the quotation service fails with this. */
    fault: undefined as Fault | undefined,
    holdings: undefined as Holdings | undefined,
    /** The node's pools. */
    graph: undefined as PoolGraph | undefined,
    /** What the node says of every token. */
    rights: "untold" as ToldRights,
    /** How calls end. */
    outcome: (): SendOutcome => ({ kind: "ok", returnData: [] }),
    percentage: 1000,
    /** The nonce of the next transaction that a wallet is asked to sign. */
    nonce: 7n,
    tokens: tokenListOf([klv, kfi]),
    /** Prices asked for, but those that the watching of prices asks for. */
    asked: [] as { readonly at: number; readonly pay: Amount; readonly by: "loop" | "person" }[],
    polled: [] as { readonly at: number; readonly pay: Amount }[],
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
    /** What a tap on an expired card opens: it asks for the same. */
    renew: ({ intents }: StandingProcess, { owner, terms, call }: Intent) =>
      intents.open(owner, owner, { terms, call, expiresAt: clock.now() + 30_000 }),
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
      const pools = { known, reread: known, rereadReserves: known, areOffered: () => true } as unknown as Pools;
      const rights = { known: async () => world.rights };
      const swaps = createSwaps({ ...basics, quotation: { quote }, pools, rights, routerCheck: unchecked, config });
      const balances = {
        areTold: () => true,
        read: async () => world.holdings ?? {},
        known: async () => world.holdings,
      };
      const swapParts = { tokens: world.tokens, store, swaps, balances, rights, settings: config };
      const gateway = {
        interrupted: "unknown" as const,
        begin: async ({ id, call }: Pick<Intent, "call" | "id">) => {
          if (options.isWallet === true) return { kind: "request" as const, transaction: walletRequest() };
          const send = async () => {
            world.sent.push({ id, minimum: "inputs" in call ? call.inputs : undefined });
            await ifAlive();
            const outcome = world.outcome();
            if (!("fault" in outcome)) return outcome;
            const { code, parameters } = outcome.fault;
            throw outcome.kind === "unknown"
              ? outcome.fault
              : new Fault(code, parameters, { cause: new NotConnected() });
          };
          return { kind: "call" as const, send };
        },
      };
      const walletRequest = (): PreparedTransaction => {
        transactions += 1;
        return {
          raw: swapTransaction,
          hash: `hash-${transactions}`,
          nonce: world.nonce,
          networkFee: amountOf(klv, 1n),
          token: `token-${transactions}`,
          signUntil: clock.now() + 60_000,
          sendUntil: clock.now() + 120_000,
        };
      };
      const deliver = async (
        userId: number,
        what: { card: Intent } | { news: StandingNews },
        how: { edits?: number | undefined },
      ) => {
        await ifAlive();
        world.told.push({ at: clock.now(), userId, edits: how.edits, ...what });
        return how.edits ?? (messages += 1);
      };
      const { outbox, pacer } = outboxTo<{ card: Intent } | { news: StandingNews }>({ ...basics, deliver });
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
          recheck: (intent) => swaps.recheck(intent as IntentOf<"swap">),
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
            return amountOf(out, world.price(pay, out));
          },
        },
        requestsPerSecond: 2,
        everySeconds: options.everySeconds ?? 15,
        tokens: world.tokens,
        prices: { noteQuote: () => true },
        noteError: (error) => void world.errors.push(error),
        ...(feed && { feed, pools }),
      });
      const standing = createStandingOrders({
        ...basics,
        intents,
        polled: swaps,
        trades: {
          draft: (request: Request, owner: Owner) => swapKind.draft(swapParts, request as RequestOf<"swap">, owner),
        },
        balances,
        rights,
        estimateFee: undefined,
        settings: config,
        tokens: world.tokens,
        watches,
        outbox,
        noteError: (error) => void world.errors.push(error),
        quoteAllowance: createUserRateLimit({ clock, burst: 60, refillSeconds: 1 }),
        newId: () => `order-${(ids += 1)}`,
      });
      events.on("changed", standing.wakeAfter);
      const topic = standingTopic({ clock, tokens: world.tokens });
      const newsTopic: Topic<{ news: StandingNews }> = {
        ...topic,
        render: async (...row) => {
          const due = await topic.render(...row);
          return due && { ...due, message: { news: due.message } };
        },
      };
      outbox.use([cardTopic, { name: CALL, render: async () => undefined }, newsTopic]);
      outbox.start();
      const running = Promise.all([
        standing.run(stopping.signal),
        watches.run(stopping.signal),
        intents.expiry.run(stopping.signal),
      ]);
      return {
        standing,
        intents,
        store,
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
  isEdit: true,
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
