import { repeat } from "../../clock.js";
import { addAmounts, amountOf, hasUnitsOf, isZero, smallerAmount, subtractAmounts } from "../../encoding/amount.js";
import { amountSchema, formatAssetId, parseAssetId, unlistedToken } from "../../encoding/amount.js";
import type { Amount, AssetId } from "../../encoding/amount.js";
import type { ReturnDataEncoding } from "../../encoding/result.js";
import { Fault } from "../../fault.js";
import { outputsOf, type Answered } from "../intent/trade-kind.js";
import type { Intent } from "../intent/intent.js";
import type { LockTerms, UnlockTerms } from "../terms/lock-terms.js";
import type { Reader, StoreBasics, Tables, Transaction } from "../../store/store.js";
import { findsAny, fromJson, readRow, toJson, whole } from "../../store/store.js";
import type { ChainStatus } from "../chain/query-gateway.js";
import { enqueue, type Topic } from "../telegram/outbox.js";

/** A lock as the contract's answers or its owner reported it; emptied ones have an amount of zero. */
export type Lock = ReturnType<typeof lockIn>;

/** The locked token 1:1, or the payment itself if the unlock epoch had begun. Undefined for any other answer. */
export function readLockOutcome({ terms: { amount }, outcome }: Answered<LockTerms>, encoding: ReturnDataEncoding) {
  const [payment] = outputsOf("simpleLock", "lockTokens", outcome, encoding) ?? [];
  if (payment === undefined || !hasUnitsOf(payment, amount)) return undefined;
  const { tokenId, nonce } = payment;
  if (nonce !== undefined) return { kind: "locked", locked: { tokenId, nonce } } as const;
  return tokenId === amount.token.id ? ({ kind: "returned" } as const) : undefined;
}

/** The original token 1:1, in base units if it was unknown. Undefined for any other answer. */
export function readUnlockOutcome({ terms, outcome }: Answered<UnlockTerms>, encoding: ReturnDataEncoding) {
  const [payment] = outputsOf("simpleLock", "unlockTokens", outcome, encoding) ?? [];
  if (payment === undefined || !hasUnitsOf(payment, terms.amount)) return undefined;
  const { original: token = unlistedToken(payment.tokenId) } = terms;
  return payment.tokenId === token.id ? amountOf(token, payment.units) : undefined;
}

const MAX_OPEN = 200;
/** Maximum number of emptied locks to keep: the account may hold more of a locked token than the bot knows. */
const MAX_EMPTY = 50;

/** By unlock epoch, including emptied ones. @throws Fault `store-unreadable`, as does everything that reads a lock. */
export async function locksOf(db: Reader, owner: number): Promise<readonly Lock[]> {
  const locks = db.selectFrom("locks").selectAll().where("owner", "=", owner);
  return (await locks.orderBy("unlock_epoch").orderBy("asset").execute()).map(lockIn);
}

export async function openLocks(db: Reader, owner: number): Promise<readonly Lock[]> {
  return (await locksOf(db, owner)).filter(({ amount }) => !isZero(amount));
}

/** Finds emptied locks as well. */
export async function findLock(db: Reader, owner: number, locked: AssetId): Promise<Lock | undefined> {
  const lock = db.selectFrom("locks").selectAll().where("owner", "=", owner);
  const row = await lock.where("asset", "=", formatAssetId(locked)).executeTakeFirst();
  return row && lockIn(row);
}

export function assertRoomForLock(open: readonly Lock[]): void {
  if (open.length >= MAX_OPEN) throw new Fault("locks-full", { maximum: MAX_OPEN });
}

/** Records a lock that its owner reported. @throws Fault `locks-full`. */
export async function enterLock(tx: Transaction, owner: number, lock: Omit<Lock, "isAnswered">): Promise<void> {
  const before = await findLock(tx, owner, lock.locked);
  if (before === undefined || isZero(before.amount)) assertRoomForLock(await openLocks(tx, owner));
  await putLock(tx, owner, { ...lock, isAnswered: before?.isAnswered ?? false });
}

/** Records the outcome of a lock or unlock that was answered ok. */
export async function recordLock(tx: Transaction, ended: Intent, encoding: ReturnDataEncoding): Promise<void> {
  const { owner, terms, times, quotedAt } = ended;
  if (terms.kind === "lock") {
    const read = readLockOutcome({ ...ended, terms }, encoding);
    if (read?.kind !== "locked") return;
    const { locked } = read;
    const { amount, unlockEpoch } = terms;
    const before = (await findLock(tx, owner, locked))?.amount;
    const sum = before?.token.id === amount.token.id ? addAmounts(amount, before) : amount;
    await putLock(tx, owner, { locked, amount: sum, unlockEpoch, lockedAt: times.OK ?? quotedAt, isAnswered: true });
  }
  if (terms.kind === "unlock") {
    const before = (await findLock(tx, owner, terms.locked))?.amount;
    if (before === undefined || readUnlockOutcome({ ...ended, terms }, encoding) === undefined) return;
    const unlocked = amountOf(before.token, terms.amount.units);
    await leaveLocked(tx, owner, terms.locked, subtractAmounts(before, smallerAmount(before, unlocked)));
  }
}

async function putLock(tx: Transaction, owner: number, lock: Lock): Promise<void> {
  const { locked, amount, unlockEpoch, lockedAt, isAnswered } = lock;
  const row = {
    token: toJson(amount.token),
    units: amount.units.toString(),
    unlock_epoch: sortable(unlockEpoch),
    locked_at: lockedAt,
    answered: isAnswered ? 1 : 0,
    remind: 1,
  };
  const insert = tx.insertInto("locks").values({ owner, asset: formatAssetId(locked), ...row });
  await insert.onConflict((conflict) => conflict.columns(["owner", "asset"]).doUpdateSet(row)).execute();
}

/** Sets the remaining amount. The latest emptied locks stay, so that later amounts add up. */
async function leaveLocked(tx: Transaction, owner: number, locked: AssetId, left: Amount): Promise<void> {
  const change = { units: left.units.toString(), ...(isZero(left) && { remind: null }) };
  const lock = tx.updateTable("locks").set(change).where("owner", "=", owner);
  await lock.where("asset", "=", formatAssetId(locked)).execute();
  const empty = tx.selectFrom("locks").select("asset").where("owner", "=", owner).where("units", "=", "0");
  const old = empty.orderBy("locked_at", "desc").orderBy("asset").offset(MAX_EMPTY).limit(MAX_OPEN);
  await tx.deleteFrom("locks").where("owner", "=", owner).where("asset", "in", old).execute();
}

/** Zero-padded text sorts like the epochs, which can exceed the database's integers. */
function sortable(epoch: bigint): string {
  return epoch.toString().padStart(20, "0");
}

function lockIn({ owner, asset, token, units, ...row }: Tables["locks"]) {
  return readRow(`locks/${owner}/${asset}`, () => ({
    locked: parseAssetId(asset),
    amount: amountSchema.parse({ token: fromJson(token), units: whole.parse(units) }),
    unlockEpoch: whole.parse(row.unlock_epoch),
    lockedAt: row.locked_at,
    /** False if the owner reported it. */
    isAnswered: row.answered === 1,
  }));
}

/** Often enough, as epochs last hours. */
const LOOK_EVERY_MS = 30_000;
/** Maximum number of reminders per look; the rest follow with the next one. */
const MAX_REMINDED = 1000;
const TOPIC = "lock";

export const lockTopic: Topic<Lock> = {
  name: TOPIC,
  render: async (db, { userId, subject }) => {
    const lock = await findLock(db, userId, parseAssetId(subject));
    return lock === undefined || isZero(lock.amount) ? undefined : { message: lock };
  },
};

interface ReminderParts extends StoreBasics {
  readonly lock: { readonly epochStatus: () => Promise<ChainStatus> };
  readonly outbox: { readonly wake: () => void };
}

/** Reminds the owner of each lock once, when its unlock epoch begins. Runs until the signal is aborted. */
export function remindOfLocks(parts: ReminderParts, signal: AbortSignal): Promise<void> {
  const { store, clock, log } = parts;

  const look = async (): Promise<void> => {
    const waiting = store.db.selectFrom("locks").select(["owner", "asset"]).where("remind", "=", 1);
    if (!(await findsAny(waiting))) return;
    const { epoch } = await parts.lock.epochStatus();
    const due = waiting.where("unlock_epoch", "<=", sortable(epoch)).limit(MAX_REMINDED);
    for (const { owner, asset } of await due.execute()) {
      const remind = store.write(async (tx) => {
        const lock = tx.updateTable("locks").set({ remind: null }).where("owner", "=", owner);
        await lock.where("asset", "=", asset).execute();
        await enqueue(tx, { user_id: owner, topic: TOPIC, subject: asset }, null, clock.now());
      });
      await remind.catch((err: unknown) => log.error({ userId: owner, err }, "Lock reminder failed; retrying"));
    }
    parts.outbox.wake();
  };

  return repeat(clock, LOOK_EVERY_MS, signal, look, (err) => log.info({ err }, "Locks not compared with the epoch"));
}
