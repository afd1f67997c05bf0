import { sql } from "kysely";
import * as z from "zod";
import { DAY_MS } from "../../clock.js";
import { addressFromBytes } from "../../encoding/address.js";
import { amountOf, NATIVE_TOKEN } from "../../encoding/amount.js";
import { type Reader, stored, type Transaction } from "../../store/store.js";
import type { MovedTransaction } from "../chain/read-block.js";
import { isContract } from "../chain/transfers.js";
import type { Pools } from "../market/pools.js";
import { worthByPools } from "../market/price-tree.js";
import type { TokenList } from "../market/token-list.js";
import { payoutOf, personIn } from "../person/person.js";
import { blockNewsListener, type BlockNewsParts } from "./block-news.js";
import type { Topic } from "../telegram/outbox.js";
import { type Unclear, unclearOf } from "../telegram/outbox-unclear.js";
import { createNewsLoop, newsTopic } from "./news.js";
import * as rows from "./news-queries.js";
import type { NewsKind } from "./news-queries.js";

const amountsSchema = z.array(z.tuple([z.string(), z.bigint()]).readonly()).readonly();
/** What a transaction has brought, in base units by asset. */
const arrivalSchema = stored({ hash: z.string(), amounts: amountsSchema });
export type Arrival = z.infer<typeof arrivalSchema>;

/** Its subjects are addresses, and its units what has arrived is worth, in base units of the native token. */
export const arrivalKind: NewsKind<Arrival> = {
  name: "arrivals",
  gap: 300_000,
  perDay: 30,
  keptFor: 2 * DAY_MS,
  maximum: 2000,
  waitsForReturn: true,
  what: arrivalSchema,
};

/** What tells whether somebody's own call brought something. */
interface OwnCalls {
  readonly hasSigned: (db: Reader, call: Readonly<Record<"address" | "hash", string>>) => Promise<boolean>;
  readonly hasCalledAround: (
    db: Reader,
    owners: ReturnType<typeof rows.watchersOf>,
    around: { readonly address: string; readonly from: number; readonly to: number },
  ) => Promise<boolean>;
}

interface ArrivalParts extends BlockNewsParts {
  readonly calls: OwnCalls;
  readonly pools: Pick<Pools, "known">;
  readonly tokens: TokenList;
}

/** Tells people what arrives at their address, if they chose that. */
export interface Arrivals {
  /** Whether the node serves what it is read from. */
  readonly isOffered: () => Promise<boolean>;
  readonly isOn: (userId: number) => Promise<boolean>;
  /** What may not have reached a user. */
  readonly unclear: (userId: number) => Promise<Unclear | undefined>;
  /** @throws Fault `wallet-missing`. */
  readonly choose: (userId: number, isOn: boolean) => Promise<void>;
  /** Call it after a person's address has changed. */
  readonly follow: (userId: number) => Promise<void>;
  /** Each runs until the signal is aborted. */
  readonly loops: readonly ((signal: AbortSignal) => Promise<void>)[];
}

/** What is worth less, or has no pool, isn't told: dust that anybody sends makes no messages. 1 KLV. */
const LEAST_TOLD = 1_000_000n;
const WORTH_MAX_AGE_MS = 300_000;

export function createArrivals(parts: ArrivalParts): Arrivals {
  const { blocks, log, store } = parts;
  const telling = createNewsLoop(parts, arrivalKind);
  const newsOf = async (found: readonly Brought[]) => {
    const others: Brought[] = [];
    for (const brought of found) if (!(await isOwn(parts, brought))) others.push(brought);
    return newsWorth(parts, others);
  };
  blocks.believe(blockNewsListener(parts, { kind: arrivalKind, find: broughtBy, newsOf, onPublished: telling.wake }));

  const watchOf = (userId: number) => rows.newsWatchesOf(store.db, arrivalKind, userId);
  const follow = (userId?: number) => store.write((tx) => followAddresses(tx, blocks.time(), userId));
  return {
    isOffered: async () => !(await blocks.isClosed()),
    unclear: (userId) => unclearOf(store.db, { user_id: userId, topic: arrivalKind.name }, parts.clock.now()),
    isOn: async (userId) => (await watchOf(userId)).length > 0,
    choose: async (userId, isOn) => {
      const before = await watchOf(userId);
      await store.write(async (tx) => {
        const own = isOn ? payoutOf(await personIn(tx, userId)) : undefined;
        for (const { subject } of before)
          if (subject !== own) await rows.deleteWatch(tx, arrivalKind, { user_id: userId, subject });
        const since = blocks.time();
        if (own !== undefined) await rows.putWatch(tx, arrivalKind, userId, { subject: own, least: LEAST_TOLD, since });
      });
      blocks.wake();
    },
    follow,
    loops: [
      async (signal) => {
        // After a crash, an address may have changed without that.
        await follow().catch((err: unknown) => log.error({ err }, "New addresses aren't followed"));
        await telling.run(signal);
      },
    ],
  };
}

/** From now on, what arrives at another address than before is told. */
async function followAddresses(tx: Transaction, since: number, userId: number | undefined): Promise<void> {
  const watches = tx.updateTable("news_watches").where("kind", "=", arrivalKind.name);
  const some = userId === undefined ? watches : watches.where("user_id", "=", userId);
  const payout = sql<string>`(SELECT payout FROM users WHERE id = user_id)`;
  await some.where("subject", "<>", payout).set({ subject: payout, since, due_at: null }).execute();
}

/** What a transaction has brought to an address. */
interface Brought extends Arrival {
  readonly subject: string;
  readonly at: number;
  /** Whether contracts alone paid it. */
  readonly isByContracts: boolean;
}

function broughtBy({ hash, transfers }: MovedTransaction, at: number): readonly Brought[] {
  const all = new Map<string, { readonly sums: Map<string, bigint>; isByContracts: boolean }>();
  const move = (account: string, asset: string, units: bigint) => {
    const own = all.get(account) ?? { sums: new Map<string, bigint>(), isByContracts: true };
    own.sums.set(asset, (own.sums.get(asset) ?? 0n) + units);
    all.set(account, own);
    return own;
  };
  for (const { from, to, asset, units } of transfers) {
    if (!isContract(from)) move(from, asset, -units);
    if (!isContract(to)) move(to, asset, units).isByContracts &&= isContract(from);
  }
  return [...all].flatMap(([account, { sums, isByContracts }]) => {
    const amounts = [...sums].filter(([, units]) => units > 0n);
    if (amounts.length === 0) return [];
    return { subject: addressFromBytes(Buffer.from(account, "base64")), at, hash, amounts, isByContracts };
  });
}

/** A call that isn't signed has no hash that is known: it takes no longer, and clocks differ by no more. */
const MAX_QUERY_MS = 600_000;
const CLOCKS_DIFFER_MS = 60_000;

/** Whether one's own call brought it, which is on its card. */
async function isOwn({ calls, store: { db } }: ArrivalParts, { subject: address, hash, at, isByContracts }: Brought) {
  if (await calls.hasSigned(db, { address, hash })) return true;
  const owners = rows.watchersOf(db, arrivalKind, address);
  const around = { from: at - MAX_QUERY_MS, to: at + CLOCKS_DIFFER_MS };
  return isByContracts && calls.hasCalledAround(db, owners, { address, ...around });
}

/** What is worth enough; all of it while the pools can't be read. */
async function newsWorth({ pools, tokens }: ArrivalParts, all: readonly Brought[]) {
  const graph = all.length === 0 ? undefined : await pools.known(WORTH_MAX_AGE_MS);
  const native = tokens.named(NATIVE_TOKEN);
  const worthOf = ([asset, units]: Arrival["amounts"][number]): bigint => {
    if (asset === NATIVE_TOKEN) return units;
    if (graph === undefined) return LEAST_TOLD;
    return worthByPools(graph, amountOf(tokens.named(asset), units), native)?.amount.units ?? 0n;
  };
  return all.flatMap(({ subject, hash, amounts }) => {
    const units = amounts.reduce((total, amount) => total + worthOf(amount), 0n);
    return units < LEAST_TOLD ? [] : { subject, units, id: hash, what: { hash, amounts } };
  });
}

/** What has arrived, in all, by asset: of the most valuable transaction first. */
export interface Arrived {
  readonly amounts: Arrival["amounts"];
  /** The transaction, if it was one. */
  readonly hash?: string | undefined;
}

/** What was put into the outbox before arrivals were news. */
const queuedSchema = stored({ amounts: amountsSchema });

/** Tells each arrival once: what a crash may have sent isn't sent again, since it would look like another payment. */
export function arrivalsTopic(parts: Pick<ArrivalParts, "clock">): Topic<Arrived> {
  const told = newsTopic(parts, arrivalKind);
  return {
    ...told,
    render: async (db, row, person) => {
      const queued = queuedSchema.safeParse(row.payload);
      if (queued.success) return { message: queued.data };
      const due = await told.render(db, row, person);
      if (due === undefined) return undefined;
      const sums = new Map<string, bigint>();
      const arrived = due.message.found.map(({ what }) => what);
      for (const [asset, units] of arrived.flatMap(({ amounts }) => amounts))
        sums.set(asset, (sums.get(asset) ?? 0n) + units);
      const [first] = arrived;
      return { ...due, message: { amounts: [...sums], ...(arrived.length === 1 && { hash: first?.hash }) } };
    },
  };
}
