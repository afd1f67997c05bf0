import { amountOf, type Amount, type Token } from "../../../src/encoding/amount.js";
import { missingPriceTopic, type PriceNews } from "../../../src/services/alerts/alerts-without-price.js";
import { priceAlertTopic, createPriceAlerts, type PriceAlerts } from "../../../src/services/alerts/price-alerts.js";
import type { PriceAlert } from "../../../src/services/alerts/price-alert-queries.js";
import { questionId } from "../../../src/services/price-watches/price-question-queries.js";
import { createPriceWatches, type PriceWatches } from "../../../src/services/price-watches/price-watches.js";
import { togetherOf } from "../../../src/services/telegram/outbox.js";
import { createMemoryDisk, type MemoryStore } from "../../support/memory-store.js";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.js";
import { outboxTo } from "../telegram/noticed.js";
import { kfi, klv, silent } from "../samples.js";

export const NOW = 1_700_000_000_000;

/** An alert that was just set, on 10 KFI in KLV. */
export function priceAlert(fields: Partial<PriceAlert> = {}): PriceAlert {
  return {
    id: "alert1",
    userId: 1001,
    amount: amountOf(kfi, 10_000_000n),
    out: klv,
    rule: { way: "above", price: "120" },
    lines: { high: 1_200_000_000n },
    anchor: 1_000_000_000n,
    isPaused: false,
    comesInQuietHours: false,
    endsAt: NOW + 86_400_000,
    endsFromNow: false,
    crossings: 0,
    told: 0,
    untold: [],
    ended: null,
    last: undefined,
    asked: undefined,
    missingSince: undefined,
    isMissingTold: false,
    ...fields,
  };
}

export interface Told {
  /** The message, which may have told of others, too. */
  readonly message: number;
  readonly at: number;
  readonly userId: number;
  readonly alert: PriceAlert;
}

export interface Process {
  readonly alerts: PriceAlerts;
  readonly watches: PriceWatches;
  readonly store: MemoryStore;
  /** A message from a user who couldn't be reached. */
  readonly hears: (userId: number) => Promise<void>;
  readonly stop: () => Promise<void>;
  /** SIGKILL: stops everything the process began. */
  readonly kill: () => void;
  readonly isAlive: () => boolean;
}

/** What outlives the processes: prices, chats and the disk. */
export interface World {
  readonly clock: VirtualClock;
  /** Units that the service quotes for a question now. */
  price: (amount: Amount, out: Token) => bigint;
  /** While set, the service fails with this instead. */
  fault: Error | undefined;
  /** While set, Telegram fails with this instead. */
  telegramFault: Error | undefined;
  readonly asked: { readonly at: number; readonly question: string; readonly units: bigint }[];
  readonly told: Told[];
  /** What was told about missing prices. */
  readonly news: { readonly at: number; readonly userId: number; readonly text: string }[];
  tokens: readonly Token[];
  /** What operators would be told of. */
  readonly errors: unknown[];
  readonly start: () => Process;
}

/** @param everySeconds time between two polls of a price. */
export function createWorld({
  everySeconds = 15,
  requestsPerSecond = 2,
  tokens = [klv, kfi] as readonly Token[],
} = {}) {
  const clock = createVirtualClock(NOW);
  const disk = createMemoryDisk();
  let [ids, messages] = [0, 0];
  const world: World = {
    clock,
    price: () => 1_000_000_000n,
    fault: undefined,
    telegramFault: undefined,
    asked: [],
    told: [],
    news: [],
    errors: [],
    tokens,
    start: () => {
      const store = disk.open();
      const stopping = new AbortController();
      let isAlive = true;
      const ifAlive = () => (isAlive ? Promise.resolve() : new Promise<void>(() => undefined));
      const quote = async (amount: Amount, out: Token): Promise<Amount> => {
        await ifAlive();
        if (world.fault !== undefined) throw world.fault;
        return amountOf(out, world.price(amount, out));
      };
      const polled = async (amount: Amount, out: Token) => {
        await clock.sleep(20);
        await ifAlive();
        const units = world.fault === undefined ? world.price(amount, out) : 0n;
        world.asked.push({ at: clock.now(), question: questionId({ amount, out }), units });
        return quote(amount, out);
      };
      const shared = { store, clock, log: silent };
      const deliver = async (userId: number, what: PriceAlert | PriceNews | readonly PriceAlert[]) => {
        await ifAlive();
        if (world.telegramFault !== undefined) throw world.telegramFault;
        const message = (messages += 1);
        if ("kind" in what) world.news.push({ at: clock.now(), userId, text: `${what.kind} ${what.alerts.length}` });
        else for (const alert of [what].flat()) world.told.push({ message, at: clock.now(), userId, alert });
        await clock.sleep(20);
        await ifAlive();
        return 1;
      };
      const { outbox, pacer } = outboxTo({ ...shared, deliver });
      const renderTogether = togetherOf(priceAlertTopic, (all) => all);
      outbox.use([{ ...priceAlertTopic, renderTogether }, missingPriceTopic({ clock })]);
      const common = {
        ...shared,
        tokens: { byId: (id: string) => world.tokens.find((token) => token.id === id) },
        noteError: (error: unknown) => void world.errors.push(error),
      };
      const watches = createPriceWatches({
        ...common,
        polled: { quote: polled },
        pace: { requestsPerSecond, everySeconds },
        prices: { noteQuote: () => true },
      });
      const newId = () => `id-${++ids}`;
      const alerts = createPriceAlerts({ ...common, quotation: { quote }, watches, newId, outbox });
      outbox.start();
      const running = Promise.all([watches.run(stopping.signal), alerts.run(stopping.signal)]);
      const stop = async () => {
        stopping.abort();
        await running;
        await outbox.stop();
        pacer.stop();
      };
      return {
        alerts,
        watches,
        store,
        isAlive: () => isAlive,
        hears: async (userId) => {
          const person = { chatId: userId, language: "en", timeZone: "UTC", presets: [], recentTokens: [] };
          await outbox.onUserReturned(userId, { ...person, restingSince: 1 })?.then(alerts.wake);
        },
        stop,
        kill: () => {
          isAlive = false;
          store.kill();
          pacer.stop();
          // Its loops end at once, as what they wait for never comes.
          stopping.abort();
          void outbox.stop();
        },
      };
    },
  };
  return world;
}
