import type { Address } from "../../encoding/address.js";
import { type Amount, amountOf, NATIVE_TOKEN } from "../../encoding/amount.js";
import type { ReturnDataEncoding } from "../../encoding/result.js";
import { type Fault, isFault } from "../../fault.js";
import { createLoop, type DueTimes, readOrLog } from "../../loop.js";
import { inLots, type Reader, type StoreBasics, type Transaction, unlessRowFails } from "../../store/store.js";
import type { Pools } from "../market/pools.js";
import { worthByPools } from "../market/price-tree.js";
import { askableTokens, type TokenList } from "../market/token-list.js";
import { payoutOf, personIn } from "../person/person.js";
import type { Outbox } from "../telegram/outbox-sender.js";
import { nextAllowed, wholeAfterOne } from "./allowed.js";
import { type AccountReading, type AccountSeen, agree, nextTold, settled, unlessOld } from "./account-seen.js";
import * as rows from "./arrival-watches.js";
import { tellArrived } from "./arrivals-topic.js";
import { countedSince, mayBeMoving, movesSince, NODE_LAG_MS } from "./own-moves.js";
import { type AccountReaderParts, readAccount, type ReadingHow } from "./read-account.js";

/** What tells that an address is in a block: the node's feed. */
interface AddressFeed {
  readonly watch: (address: string, look: (block?: number) => Promise<boolean>) => () => void;
}

interface ArrivalParts extends StoreBasics, AccountReaderParts {
  /** Without it, everybody is looked at in turn alone. */
  readonly feed: AddressFeed | undefined;
  readonly pools: Pick<Pools, "known">;
  readonly tokens: TokenList;
  readonly returnDataEncoding: ReturnDataEncoding;
  readonly outbox: Pick<Outbox, "wake">;
  readonly noteError: (error: unknown) => void;
}

/** Tells people what arrives at their address, if they chose that. */
export interface Arrivals {
  /** Whether it can be chosen: only with a feed is it told soon. */
  readonly isOffered: boolean;
  readonly isOn: (userId: number) => Promise<boolean>;
  /** What the account holds by then counts as told. @throws Fault `wallet-missing`. */
  readonly choose: (userId: number, isOn: boolean) => Promise<void>;
  /** Call it after a person's address has changed, or they were forgotten. */
  readonly look: (userId: number) => void;
  /** Each runs until the signal is aborted. */
  readonly loops: readonly ((signal: AbortSignal) => Promise<void>)[];
}

/** For each of what is told of and what is in turn, so that neither holds up the other. */
const LOOKS_AT_A_TIME = 5;
/** The feed has room for 50,000 addresses: the rest is for what is signed, and for pairs. */
const MOST_FOLLOWED = 40_000;
/** Whole readings of an account out of turn: one that changes in each block takes little of the requests that way. */
const WHOLE_READINGS = { atOnce: 20, oneMoreMs: rows.IN_TURN_MS / 2 };
/** A little longer than a block takes. */
const NEXT_BLOCK_MS = 4500;
/** By then a chain without a new block stands still. */
const STANDS_STILL_MS = 3_600_000;
const WORTH_MAX_AGE_MS = 300_000;
/** What is worth less, in base units of the native token, or has no pool, is only counted. 1 KLV. */
const LEAST_NAMED = 1_000_000n;

export function createArrivals(parts: ArrivalParts): Arrivals {
  const { store, clock, feed } = parts;
  const { db } = store;
  const queue = createOutOfTurn();
  const followed = new Map<number, { readonly address: string; readonly unwatch: () => void }>();
  const looking = new Set<number>();

  const hurry = (userId: number, at = clock.now()): void => {
    queue.add(userId, at);
    outOfTurn.wakeBy(at);
  };
  const hear = (userId: number, block: number | undefined): Promise<boolean> => {
    if (block === undefined) queue.addMissed(userId);
    else queue.add(userId, queue.allowedAt(userId, clock.now()));
    outOfTurn.wake();
    // It looks again after the next block, which confirms what this one shows.
    return Promise.resolve(block === undefined);
  };
  const follow: Follow = (userId, address) => {
    const before = followed.get(userId);
    if (before?.address === address) return;
    before?.unwatch();
    followed.delete(userId);
    if (feed === undefined || address === undefined || followed.size >= MOST_FOLLOWED) return;
    followed.set(userId, { address, unwatch: feed.watch(address, (block) => hear(userId, block)) });
  };
  const run = async (userId: number, signal: AbortSignal): Promise<void> => {
    if (looking.has(userId)) return;
    looking.add(userId);
    queue.remove(userId);
    let fault: Fault | undefined;
    const onWhole = () => queue.noteWhole(userId, clock.now());
    const look = () => lookAtAccount(parts, userId, follow, { onWhole, signal });
    const onFault = (err: Fault) => (fault = err);
    const found = unlessRowFails(rows.documentOf(userId), look, onFault);
    const { again } = (await found.finally(() => looking.delete(userId))) ?? {};
    if (again !== undefined) hurry(userId, Math.max(again, queue.allowedAt(userId, clock.now())));
    if (fault !== undefined) await putAside(parts, userId, fault);
  };

  const inOrder = rows.dueArrivalWatches(db);
  const inTurn = createLoop(parts, {
    name: "arrivals",
    width: LOOKS_AT_A_TIME,
    ...inOrder,
    due: (then, limit, running) => inOrder.due(then, limit, [...new Set([...running, ...looking])]),
    run: ({ user_id }, signal) => run(user_id, signal),
  });
  const outOfTurn = createLoop(parts, {
    name: "arrivals-told-of",
    width: LOOKS_AT_A_TIME,
    horizon: rows.IN_TURN_MS,
    keyOf: (userId: number) => userId,
    due: (then, limit) => Promise.resolve(queue.due(then, limit, looking)),
    times: (now) => Promise.resolve(queue.times(now)),
    run,
  });

  return {
    isOffered: feed !== undefined,
    isOn: (userId) => rows.hasArrivalWatch(db, userId),
    choose: async (userId, isOn) => {
      await store.write(async (tx) => {
        if (!isOn) return rows.deleteArrivalWatch(tx, userId);
        return rows.putArrivalWatch(tx, userId, payoutOf(await personIn(tx, userId)), clock.now());
      });
      hurry(userId);
    },
    look: hurry,
    loops: [
      async (signal) => {
        const left = "People who are told what arrives are unreadable; each is followed from their turn on";
        if (feed !== undefined) await readOrLog(parts, left, () => followAll(db, follow));
        await inTurn.run(signal);
      },
      outOfTurn.run,
    ],
  };
}

/** A record that can't be read isn't looked at until the choice is made again; others of the person's may be mended. */
async function putAside({ store, clock, log, noteError }: ArrivalParts, userId: number, fault: Fault): Promise<void> {
  const cause = isFault(fault.cause, "store-unreadable") ? fault.cause : fault;
  log.error({ userId, err: cause }, "What arrives at a person's address can't be told");
  const isOwn = isFault(cause, "store-unreadable") && cause.parameters.document === rows.documentOf(userId);
  const later = clock.now() + rows.IN_TURN_MS;
  await store.write((tx) => (isOwn ? rows.setArrivalDue(tx, userId, null) : rows.putArrivalsOff(tx, userId, later)));
  noteError(cause);
}

/** Has the feed watched for a person's address, or not any more. */
type Follow = (userId: number, address: string | undefined) => void;

async function followAll(db: Reader, follow: Follow): Promise<void> {
  const after = (last?: { readonly user_id: number }) => rows.arrivalWatchesAfter(db, last?.user_id);
  for await (const lot of inLots(Number.POSITIVE_INFINITY, after, rows.WATCHES_AT_ONCE))
    for (const { user_id, address } of lot) follow(user_id, address);
}

/** Whom to look at out of turn: each at a time, the least read first, then those for whom events may be missing. */
function createOutOfTurn() {
  const soon = new Map<number, number>();
  const missed = new Set<number>();
  /** When all whole readings are allowed again: of few, since readings take requests. */
  const wholeAt = new Map<number, number>();
  const whole = (userId: number) => wholeAt.get(userId) ?? 0;
  const allowedAt = (userId: number, now: number) => Math.max(now, nextAllowed(WHOLE_READINGS, whole(userId), now));
  const isDue = (at: number, then: DueTimes) => ("until" in then ? at <= then.until : at > then.after);
  return {
    allowedAt,
    noteWhole: (userId: number, now: number): void => {
      for (const [known, at] of wholeAt) if (at <= now) wholeAt.delete(known);
      wholeAt.set(userId, wholeAfterOne(WHOLE_READINGS, whole(userId), now));
      // It may have been told of meanwhile.
      if (soon.has(userId)) soon.set(userId, allowedAt(userId, now));
    },
    add: (userId: number, at: number): void => void soon.set(userId, Math.min(at, soon.get(userId) ?? at)),
    addMissed: (userId: number): void => void missed.add(userId),
    remove: (userId: number): void => {
      soon.delete(userId);
      missed.delete(userId);
    },
    due: (then: DueTimes, limit: number, looking: ReadonlySet<number>): readonly number[] => {
      const chosen = new Set<number>();
      const read = new Set<number>();
      // Those that wait for a time, or were read, were looked at not long ago, so there are few to pass over.
      for (const [userId, at] of soon) {
        if (chosen.size === limit) break;
        if (isDue(at, then) && !looking.has(userId)) (wholeAt.has(userId) ? read : chosen).add(userId);
      }
      const leastFirst = [...read].sort((one, other) => whole(one) - whole(other));
      for (const userId of leastFirst.slice(0, limit - chosen.size)) chosen.add(userId);
      for (const userId of "until" in then ? missed : []) {
        if (chosen.size === limit) break;
        if (!looking.has(userId)) chosen.add(userId);
      }
      return [...chosen];
    },
    times: (now: number): readonly number[] => {
      if (missed.size > 0) return [now];
      let [first, next, last] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (const at of soon.values()) {
        [first, last] = [Math.min(first, at), Math.max(last, at)];
        if (at > now) next = Math.min(next, at);
      }
      return [first, next, last].filter(Number.isFinite);
    },
  };
}

/** @returns when to look again out of turn, if at all. */
async function lookAtAccount(parts: ArrivalParts, userId: number, follow: Follow, how: ReadingHow) {
  const { store, clock } = parts;
  const row = await rows.arrivalWatchOf(store.db, userId);
  const person = await personIn(store.db, userId);
  const address = row === undefined ? undefined : person.wallet?.address;
  follow(userId, address);
  if (row === undefined || address === undefined || row.due_at === null) return {};
  const stored = address === row.address && row.seen !== null ? rows.seenIn(userId, row.seen) : undefined;
  const seen = stored && unlessOld(stored, clock.now());
  const isHeld = seen !== undefined && nextTold(seen, clock.now()) > clock.now();
  // What is read while their own calls may be moving it confirms nothing.
  const mayMove = () => mayBeMoving(store.db, { owner: userId, address }, clock.now(), clock.now());
  const isMoving = !isHeld && seen?.unsure !== undefined && (await mayMove());
  const all = askableTokens(parts.tokens, person);
  const read = () => readAccount(parts, { address, all, seen, ...how });
  const found = isHeld || isMoving ? "unchanged" : await readOrLog(parts, "An account could not be looked at", read);
  if (typeof found !== "object") {
    await store.write((tx) => rows.putArrivalsOff(tx, userId, clock.now() + rows.IN_TURN_MS));
    if (isMoving) return { again: clock.now() + NODE_LAG_MS };
    // A chain that stands still isn't asked about for each block that it doesn't make.
    const isSoon = found === "too-early" && clock.now() - (seen?.unsure?.at ?? 0) < STANDS_STILL_MS;
    return { again: isSoon ? clock.now() + NEXT_BLOCK_MS : undefined };
  }
  const isSmall = await smallnessOf(parts, seen, found);
  const again = await store.write(async (tx) => {
    const latest = await rows.arrivalWatchOf(tx, userId);
    // They may have become unreachable, too.
    const isSame = latest?.seen === row.seen && latest.due_at === row.due_at;
    const { wallet } = await personIn(tx, userId);
    if (!isSame || wallet?.address !== address) return clock.now();
    return noteAccount(parts, tx, { userId, address, seen, found, isSmall });
  });
  parts.outbox.wake();
  return { again };
}

/**
 * Whether an amount is worth too little to be told by itself, or has no pool: not if the pools can't be read.
 */
async function smallnessOf({ pools, tokens }: ArrivalParts, seen: AccountSeen | undefined, { held }: AccountReading) {
  const hasMore = Object.entries(held).some(([asset, units]) => units > (seen?.known[asset] ?? units));
  const graph = hasMore ? await pools.known(WORTH_MAX_AGE_MS) : undefined;
  const native = tokens.named(NATIVE_TOKEN);
  return (amount: Amount): boolean => {
    const worth = amount.token.id === NATIVE_TOKEN ? amount : graph && worthByPools(graph, amount, native)?.amount;
    return (worth?.units ?? (graph === undefined ? LEAST_NAMED : 0n)) < LEAST_NAMED;
  };
}

interface Noted {
  readonly userId: number;
  readonly address: Address;
  readonly seen: AccountSeen | undefined;
  readonly found: AccountReading;
  readonly isSmall: (amount: Amount) => boolean;
}

/** Notes a reading, and puts into the outbox what it confirms. @returns when to look again out of turn, if at all. */
async function noteAccount(parts: ArrivalParts, tx: Transaction, { userId, address, seen, found, isSmall }: Noted) {
  const now = parts.clock.now();
  const put = (next: AccountSeen) => rows.putSeen(tx, userId, address, next, now + rows.IN_TURN_MS);
  const { held } = found;
  if (seen === undefined) {
    await put({ known: held, height: 0n, since: found.at - NODE_LAG_MS, unsure: found, small: 0, wholeAt: 0 });
    return now + NEXT_BLOCK_MS;
  }
  const { unsure, mark: _before, ...rest } = seen;
  if (unsure === undefined) {
    const isNothing = found.mark === undefined && agree(held, seen.known);
    await put(isNothing ? { ...rest, known: { ...held, ...seen.known } } : { ...seen, unsure: found });
    return isNothing ? undefined : now + NEXT_BLOCK_MS;
  }
  const own = { owner: userId, address };
  const later = { ...found, held: { ...unsure.held, ...held } };
  if (await mayBeMoving(tx, own, unsure.at, now)) {
    await put({ ...seen, unsure: later });
    return now + NODE_LAG_MS;
  }
  const moves = await movesSince(tx, own, countedSince(seen.since, now), parts.returnDataEncoding);
  const { known, rises } = settled(seen.known, [unsure.held, held], moves);
  const isWhole = agree(unsure.held, held) && unsure.mark === found.mark;
  const confirmed = isWhole ? (found.mark === undefined ? {} : { mark: found.mark }) : { unsure: later };
  const next = { ...rest, known, height: unsure.height, since: now, ...confirmed };
  const rose = rises.map(({ asset, units }) => amountOf(parts.tokens.named(asset), units));
  const named = rose.filter((amount) => !isSmall(amount));
  await put(await tellArrived(tx, userId, next, { named, small: rose.length - named.length }, now));
  return isWhole ? undefined : now + NEXT_BLOCK_MS;
}
