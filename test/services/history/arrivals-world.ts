import { pino } from "pino";
import type { Address } from "../../../src/encoding/address.js";
import type { Token } from "../../../src/encoding/amount.js";
import { Fault } from "../../../src/fault.js";
import { type Arrived, arrivalsTopic } from "../../../src/services/history/arrivals-topic.js";
import { createArrivals } from "../../../src/services/history/arrivals.js";
import { insertIntent } from "../../../src/services/intent/intent-row.js";
import type { Intent } from "../../../src/services/intent/intent.js";
import { createPoolGraph } from "../../../src/services/market/route.js";
import { tokenListOf } from "../../../src/services/market/token-list.js";
import type { Tables } from "../../../src/store/store.js";
import { changePerson, newPerson, type Person, putPerson } from "../../../src/services/person/person.js";
import { createPace } from "../../../src/services/signing/pace.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { talkingFeed } from "../../support/talking-feed.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { poolAddress, poolOf } from "../market/pool-samples.js";
import { kfi, klv } from "../samples.js";
import { outboxTo } from "../telegram/noticed.js";

export const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];
export const BLOCK = 4000;
export const START = Date.parse("2026-12-04T12:00:00Z");

/** A token with a pool, 100 of which are worth 1 KLV, and one without. */
export const cheap = { id: "CHP-1A2B", name: "claim at evil.example", precision: 6, kind: "fungible" } as const;
export const poolless = { id: "SPM-9Z9Z", name: "🎁 FREE", precision: 0, kind: "fungible" } as const;
const graph = createPoolGraph([
  poolOf(0, ["KLV", 10n ** 14n], ["KFI", 10n ** 12n]),
  poolOf(1, ["KLV", 10n ** 12n], [cheap.id, 10n ** 14n]),
]);

export interface Told extends Arrived {
  readonly userId: number;
  readonly at: number;
  readonly isSilent: boolean;
}

type Units = Readonly<Record<string, bigint>>;

/** One of many addresses. */
export const addressOf = (userId: number): Address => poolAddress(userId);

/** A chain with accounts, whose node tells of its blocks, and a bot that tells people what arrives. */
export function createArrivalsWorld() {
  const clock = createVirtualClock(START);
  const disk = createMemoryDisk();
  const told: Told[] = [];
  const errors: unknown[] = [];
  const requests: string[] = [];
  const accounts = new Map<string, Units>();
  const tokensOf = () => tokenListOf([klv, ...(world.listsKfi ? [kfi] : []), cheap, poolless, ...world.moreTokens]);
  let block = 1;
  const ask = async <Answer>(request: string, answer: () => Answer): Promise<Answer> => {
    requests.push(request);
    await world.beforeAnswer(request);
    if (world.isDown) throw new Fault("service-unreachable", { service: "node" });
    return answer();
  };
  const unitsOf = (address: string, asset: string) => accounts.get(address)?.[asset] ?? 0n;
  const balanceOf = (address: string, asset: string) => world.lags.get(asset)?.[address] ?? unitsOf(address, asset);
  const textOf = (address: string) =>
    Object.entries(accounts.get(address) ?? {})
      .map(([asset, units]) => `${asset}=${units}`)
      .join();
  const world = {
    clock,
    told,
    errors,
    requests,
    blockIs: (number: number) => (block = number),
    isDown: false,
    /** What happens elsewhere while the node is asked. */
    beforeAnswer: async (_request: string): Promise<void> => undefined,
    listsKfi: true,
    moreTokens: [] as readonly Token[],
    /** How often what is read next can't be. */
    unreadable: 0,
    /** Whether the node has marks, and pools. */
    hasMarks: true,
    hasPools: true,
    /** What a node says that is behind, by asset and address. */
    lags: new Map<string, Units>(),
    telegram: async (_userId: number): Promise<void> => undefined,
    gain: (userId: number, asset: string, units: bigint) => {
      const address = addressOf(userId);
      accounts.set(address, { ...accounts.get(address), [asset]: unitsOf(address, asset) + units });
    },
    /** The node answers as of another moment. @returns what it answered from until now. */
    goBack: (to: { readonly block: number; readonly accounts: ReadonlyMap<string, Units> }) => {
      const now = { block, accounts: new Map(accounts) };
      block = to.block;
      accounts.clear();
      for (const [address, units] of to.accounts) accounts.set(address, units);
      return now;
    },
    /** Makes blocks without a word of the feed. */
    pass: async (blocks = 1) => {
      for (let count = 0; count < blocks; count += 1) {
        block += 1;
        await clock.advance(BLOCK);
      }
    },
    begin: START,
    start: (feed: Parameters<typeof talkingFeed>[1] | "none" = {}, run = "run 0") => {
      const store = disk.open();
      const stopping = new AbortController();
      const node = feed === "none" ? undefined : talkingFeed(clock, feed);
      const deliver = async (userId: number, arrived: Arrived, { isSilent }: { readonly isSilent: boolean }) => {
        await world.telegram(userId);
        told.push({ userId, at: clock.now(), isSilent, ...arrived });
        return told.length;
      };
      const { outbox } = outboxTo<Arrived>({ store, clock, deliver, run });
      outbox.use([arrivalsTopic({ clock })]);
      outbox.start();
      const log = pino({ level: "silent" });
      const readable = ((table: keyof Tables) => {
        if (hasBegun && world.unreadable-- > 0) throw new Fault("store-read-failed", { document: "data" });
        return store.db.selectFrom(table);
      }) as typeof store.db.selectFrom;
      let hasBegun = false;
      const arrivals = createArrivals({
        feed: node?.feed,
        pace: createPace(clock),
        readMark: (address) => ask(`mark ${address}`, () => (world.hasMarks ? textOf(address) : undefined)),
        balances: {
          read: (address, [asset = ""]) =>
            ask(`balance ${address} ${asset}`, () => {
              if (!accounts.has(address)) throw new Fault("account-unknown", { address });
              return { [asset]: balanceOf(address, asset) };
            }),
        },
        height: () => ask("height", () => BigInt(block)),
        pools: { known: async () => (world.hasPools ? graph : undefined) },
        tokens: tokensOf(),
        returnDataEncoding: "hex",
        outbox,
        noteError: (error) => void errors.push(error),
        store: { ...store, db: { selectFrom: readable } },
        clock,
        log,
      });
      hasBegun = true;
      for (const loop of arrivals.loops) void loop(stopping.signal);
      if (node !== undefined) void node.feed.run(stopping.signal);
      return {
        store,
        outbox,
        arrivals,
        node,
        /** A block in which these people are named, of which the feed tells. */
        next: async (...named: readonly number[]) => {
          block += 1;
          node?.block(block, named.map(addressOf));
          await clock.advance(BLOCK);
        },
        put: (id: number, fields: Partial<Person> = {}) =>
          store.write((tx) =>
            putPerson(tx, id, { ...newPerson(id), wallet: { address: addressOf(id), since: 0 }, ...fields }),
          ),
        change: (id: number, fields: Partial<Person>) =>
          store.write((tx) => changePerson(tx, id, (before) => ({ ...before, ...fields }))),
        call: (call: Intent) => store.write((tx) => insertIntent(tx, call)),
        kill: () => {
          store.kill();
          stopping.abort();
          void outbox.stop();
        },
        stop: async () => {
          stopping.abort();
          await Promise.all([outbox.stop(), clock.advance(BLOCK)]);
        },
      };
    },
  };
  return world;
}
