import * as z from "zod";
import { isFault } from "../../fault.js";
import { readSetting, setting, type StoreBasics, unlessUnreadable, writeSetting } from "../../store/store.js";
import type { Budget } from "../base/budget.js";
import type { createBlockListeners } from "./block-listeners.js";
import type { createBlockProgress } from "./block-progress.js";
import type { createChainTime } from "./chain-time.js";
import { type createBlockRhythm, SLOT_MS, THREE_SLOTS_MS } from "./block-rhythm.js";
import { type createOwedTransactions, owedSchema } from "./owed-transactions.js";
import type { ChainBlock, ChainReader } from "./read-block.js";

/** What is older isn't told any more: six hours, in blocks. A node keeps them for nine times that. */
export const MAX_BLOCKS_BACK = (6 * 3_600_000) / SLOT_MS;
/** How far a node can be behind another one of the same address. */
const FEW_BLOCKS = 8;
/** How many blocks others can have taken the place of, and how often in a row nodes may contradict each other. */
const MAX_FORK = 16;
/**
 * A block that isn't there, or can't be read, is asked for so often on a connection, as soon as that if the one before was
 * hidden, and before the next block is: of several nodes behind one address, most may have stopped.
 */
const [FEW_TRIES, HIDDEN_TRIES, MANY_TRIES] = [3, 12, 40];
/** Between looks at the node's height while no block comes, and whether anybody listens. */
const HEIGHT_ASKED_MS = 60_000;
const PARKED_MS = 30_000;
/** Between tries to read a block that other nodes have. */
const BEHIND_MS = 250;

const markSchema = z.object({ number: z.number(), hash: z.string(), at: z.number() }).readonly();
/** A block that was read; without a hash if only its number is known. */
type ReadMark = z.infer<typeof markSchema>;

const keptSchema = z.object({
  /** The last blocks that were told of, the newest last. */
  trail: z.array(markSchema).min(1),
  missedAt: z.number().optional(),
  owed: z.array(owedSchema),
});
/** How far the chain has been told of; null while nobody believes it. */
const kept = setting("blocks", keptSchema.nullable(), null);

interface Reading {
  /** The last blocks that were read, each the parent of the next one. */
  readonly trail: ReadMark[];
  /** The newest of them, if it is to be told once a block stands on it. */
  held?: ChainBlock | undefined;
}

/** What the steps of a reader share. Times are monotonic. */
export interface BlockSteps extends StoreBasics, Omit<ChainReader, "readMoved"> {
  readonly budget: Pick<Budget, "poll">;
  readonly listeners: ReturnType<typeof createBlockListeners>;
  readonly rhythm: ReturnType<typeof createBlockRhythm>;
  readonly owed: ReturnType<typeof createOwedTransactions>;
  readonly time: ReturnType<typeof createChainTime>;
  readonly progress: ReturnType<typeof createBlockProgress>;
  reading: Reading | undefined;
  /** Whether anybody believes what is read, and whether the disk may say so. */
  isBelieved: boolean;
  isKept: boolean;
  /** Whether there may be more blocks already. */
  isBehind: boolean;
  /** The newest block that is known of, and when the node was asked for its height. */
  top: number;
  askedAt: number;
  /** Consecutive times that the next block wasn't there or couldn't be read. */
  tries: number;
  /** When the last one was found, and whether nodes hid it, so that they may hide the next one, too. */
  foundAt: number;
  hides: boolean;
  /** Blocks that didn't stand on the one below, since a higher one than ever was told of. */
  contradictions: number;
  highest: number;
}

/** Reads the next block, or finds out why there is none. @returns milliseconds until the next step. @throws Fault. */
export async function nextBlockStep(p: BlockSteps): Promise<number> {
  p.isBelieved = await p.listeners.isBelieved();
  if (!p.isBelieved && !p.listeners.isLookedFor()) return park(p);
  p.reading ??= await beginReading(p);
  if (p.reading === undefined) return SLOT_MS;
  const isIdle = p.progress.idleFor() >= HEIGHT_ASKED_MS && p.clock.monotonic() - p.askedAt >= HEIGHT_ASKED_MS;
  // One that isn't there by now may be hidden by a node that has stopped.
  const isLate = p.tries > 0 && p.tries < MANY_TRIES && p.tries % FEW_TRIES === 0;
  if (p.top === 0 || isIdle || isLate) {
    await askForHeight(p);
    await checkHeight(p, p.reading);
  }
  const { reading } = p;
  // What comes from now on is told, also after a kill.
  if (p.isBelieved && !p.isKept) await keep(p, reading.held ? reading.trail.slice(0, -1) : reading.trail);
  await p.budget.poll();
  const block = await blockOrNone(p, lastOf(reading).number + 1);
  return block === undefined ? wait(p, reading) : take(p, reading, block);
}

/** When the newest block that is known of was made; zero if none is. */
export function newestTime({ reading, top }: BlockSteps): number {
  const { number, at } = reading === undefined ? { number: top, at: 0 } : lastOf(reading);
  // Not later than it was, since a slot may have no block.
  return at + Math.max(0, top - number) * SLOT_MS;
}

/** Finds out whether the node serves blocks, while nobody listens. */
export async function probeBlocks(p: BlockSteps): Promise<void> {
  if (p.clock.monotonic() - p.askedAt < HEIGHT_ASKED_MS) return;
  await askForHeight(p);
  await p.readBlock(p.top, { withTransactions: false });
  p.progress.closed(false);
}

/** Whether a fault leaves it open that the node serves blocks. */
export function serves(error: unknown): boolean {
  const isRefused = isFault(error, "service-status") && [404, 405, 501].includes(error.parameters.status);
  return !isRefused && !isFault(error, "service-unauthorized");
}

const lastOf = ({ trail }: Reading): ReadMark => trail.at(-1) as ReadMark;

async function park(p: BlockSteps): Promise<number> {
  if (p.isKept) await keep(p);
  p.reading = undefined;
  [p.top, p.tries] = [0, 0];
  p.owed.forget();
  p.progress.parked();
  return PARKED_MS;
}

/** Writes how far the chain has been told of. */
async function keep(p: BlockSteps, trail: readonly ReadMark[] = []): Promise<void> {
  const { missedAt } = p.progress.state();
  const next = { trail: [...trail], ...(missedAt !== undefined && { missedAt }), owed: [...p.owed.kept()] };
  await p.store.write((tx) => writeSetting(tx, kept, p.isBelieved ? next : null));
  p.isKept = p.isBelieved;
}

async function askForHeight(p: BlockSteps): Promise<void> {
  await p.budget.poll();
  // oxlint-disable-next-line money/no-floating-point -- the number of a block, not money
  p.top = Number(await p.height());
  p.askedAt = p.clock.monotonic();
}

/** From the last block that was told of before a restart, or from the newest one. */
async function beginReading(p: BlockSteps): Promise<Reading | undefined> {
  const before = await unlessUnreadable(
    () => readSetting(p.store.db, kept),
    (err) => p.log.error({ err }, "Nobody knows how far the chain was told of"),
  );
  p.progress.begun();
  p.rhythm.forget();
  if (before === undefined) p.progress.missed(p.clock.now());
  p.isBehind = true;
  p.isKept = before != null;
  if (p.isBelieved && before) {
    if (before.missedAt !== undefined) p.progress.missed(before.missedAt);
    p.owed.add(before.owed);
    return { trail: before.trail };
  }
  await askForHeight(p);
  const newest = await newestBlock(p);
  return newest && { trail: [markOf(newest)] };
}

/** Without its transactions. Behind one address, the next to answer may be a node that doesn't have it yet. */
async function newestBlock(p: BlockSteps): Promise<ChainBlock | undefined> {
  for (let tries = 1; tries <= FEW_TRIES; tries += 1) {
    await p.budget.poll();
    const newest = await p.readBlock(p.top, { withTransactions: false, isLast: tries === FEW_TRIES });
    if (newest !== undefined) return newest;
  }
  return undefined;
}

const markOf = ({ number, hash, at }: ChainBlock): ReadMark => ({ number, hash, at });

function goOnAfter(p: BlockSteps, mark: Omit<ReadMark, "hash">): void {
  p.reading = { trail: [{ ...mark, hash: "" }] };
  p.isBehind = true;
  p.tries = 0;
}

/** Leaves out what nobody wants to hear any more, and notices that the chain has begun again. */
async function checkHeight(p: BlockSteps, reading: Reading): Promise<void> {
  const last = lastOf(reading);
  const oldest = p.isBelieved ? p.top - MAX_BLOCKS_BACK : p.top - 1;
  if (p.top + FEW_BLOCKS < last.number) {
    const newest = await newestBlock(p);
    // One that works through the past has older blocks; a chain that has begun again has newer ones, of lower numbers.
    if (newest === undefined || newest.at <= last.at) return;
    p.log.warn({ from: last.number, to: p.top }, "The chain has begun again");
    p.owed.forget();
    p.progress.begunAgain();
    p.progress.missed(last.at);
    p.highest = 0;
    const first = Math.max(0, oldest);
    goOnAfter(p, { number: first, at: newest.at - (p.top - first) * SLOT_MS });
  } else if (oldest > last.number) {
    const mark = { number: oldest, at: last.at + (oldest - last.number) * SLOT_MS };
    p.log.warn({ from: last.number + 1, to: oldest }, "Blocks are left out: too old, or for nobody");
    if (p.isBelieved) p.progress.missed(mark.at);
    goOnAfter(p, mark);
  }
}

/** Undefined if it isn't there, or can't be read. */
async function blockOrNone(p: BlockSteps, number: number, withTransactions = true): Promise<ChainBlock | undefined> {
  // Behind one address there may be a node that has stopped: another connection may lead to another one, and is kept then.
  const isLast = p.tries > 0 && p.tries % FEW_TRIES === 0;
  return p.readBlock(number, { withTransactions, isLast }).catch((err: unknown) => {
    if (!isFault(err, "answer-unreadable")) throw err;
    p.log.info({ err, block: number }, "A block can't be read");
    return undefined;
  });
}

async function wait(p: BlockSteps, reading: Reading): Promise<number> {
  const { number, at } = lastOf(reading);
  p.tries += 1;
  if (p.top > number) {
    if (p.tries >= MANY_TRIES && p.top - number > FEW_BLOCKS) await leaveOut(p, { number, at });
    return p.tries > MANY_TRIES ? SLOT_MS : BEHIND_MS;
  }
  if (p.hides && p.tries < HIDDEN_TRIES) return BEHIND_MS;
  p.hides = false;
  if (p.isBehind) p.progress.read(true);
  p.isBehind = false;
  const pause = p.rhythm.missed();
  return p.tries > MANY_TRIES ? SLOT_MS : pause;
}

/** Goes on with the first block that the node has: it was set up lately, keeps few, or has lost some. */
async function leaveOut(p: BlockSteps, { number, at }: Omit<ReadMark, "hash">): Promise<void> {
  const isThere = async (other: number): Promise<boolean> => {
    await p.budget.poll();
    return (await blockOrNone(p, other, false)) !== undefined;
  };
  let [gone, there] = [number + 1, p.top];
  if (!(await isThere(there))) return;
  while (there - gone > 1) {
    const middle = Math.floor((gone + there) / 2);
    if (await isThere(middle)) there = middle;
    else gone = middle;
  }
  const mark = { number: gone, at: at + (gone - number) * SLOT_MS };
  p.log.warn({ from: number + 1, to: gone }, "Blocks are left out, since the node doesn't have them");
  p.progress.missed(mark.at);
  goOnAfter(p, mark);
}

async function take(p: BlockSteps, reading: Reading, block: ChainBlock): Promise<number> {
  const { trail, held } = reading;
  const { hash, at } = lastOf(reading);
  const pause = p.tries > 0 || !p.isBehind ? p.rhythm.found() : 0;
  // More than one slot without it: there may be others by now.
  if (p.tries >= FEW_TRIES) p.isBehind = true;
  const now = p.clock.monotonic();
  if (p.tries >= FEW_TRIES && now - p.foundAt > THREE_SLOTS_MS) p.hides = true;
  p.foundAt = now;
  p.tries = 0;
  p.top = Math.max(p.top, block.number);
  if (hash !== "" && block.parent !== hash && p.contradictions < MAX_FORK) {
    p.contradictions += 1;
    p.isBehind = true;
    p.log.info({ block: block.number - 1 }, "A block that was read is no longer on the chain");
    reading.held = undefined;
    trail.pop();
    // Of a longer fork, the older blocks are as they were told.
    if (trail.length === 0) trail.push({ number: block.number - 2, hash: "", at: at - SLOT_MS });
    return 0;
  }
  if (p.top - block.number <= FEW_BLOCKS) p.listeners.tellNewest(block);
  if (held !== undefined) await believe(p, held);
  reading.held = undefined;
  if (p.isBelieved ? held !== undefined : p.isKept) await keep(p, trail);
  trail.push(markOf(block));
  if (trail.length > MAX_FORK) trail.shift();
  reading.held = block;
  p.progress.read(!p.isBehind);
  await compareTime(p, block);
  return p.isBehind ? 0 : pause;
}

/** That the newest block is old says something of the clock; that a block is old which others stand on does not. */
async function compareTime(p: BlockSteps, { number, at }: ChainBlock): Promise<void> {
  if (!p.time.note(at)) return;
  await askForHeight(p);
  if (p.top <= number) p.time.noteNewest(at);
  else p.isBehind = true;
}

/** Tells of a block that another stands on. */
async function believe(p: BlockSteps, { number, at, transactions, missing }: ChainBlock): Promise<void> {
  if (p.isBelieved) {
    await p.listeners.tell({ number, at, transactions });
    p.owed.add(missing.map((hash) => ({ hash, block: number, at })));
  }
  p.owed.leave(number);
  if (number > p.highest) [p.highest, p.contradictions] = [number, 0];
}
