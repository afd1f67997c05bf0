import { formatAssetId } from "../../../src/encoding/amount.js";
import type { Lock } from "../../../src/services/trade/lock-record.js";
import { type Database, toJson } from "../../../src/store/store.js";

/** Writes locks to the store. */
export async function storeLocks({ write }: Pick<Database, "write">, owner: number, locks: readonly Lock[]) {
  const rows = locks.map(({ locked, amount, unlockEpoch, lockedAt, isAnswered }) => ({
    owner,
    asset: formatAssetId(locked),
    token: toJson(amount.token),
    units: amount.units.toString(),
    unlock_epoch: unlockEpoch.toString().padStart(20, "0"),
    locked_at: lockedAt,
    answered: isAnswered ? 1 : 0,
    remind: amount.units > 0n ? 1 : null,
  }));
  await write((tx) => tx.insertInto("locks").values(rows).execute());
}
