import type { Address } from "../../encoding/address.js";
import { parseAmount } from "../../encoding/amount.js";
import { parseAssetId } from "../../encoding/asset.js";
import type { Token } from "../../encoding/token.js";
import { Fault } from "../../fault.js";
import { readUnlockTime } from "../chain/epochs.js";
import type { ChainStatus } from "../clients/gateway.js";
import { withLockByWord } from "../locks/book.js";
import type { Person } from "../../model/person.js";
import { withDone, withLaunch, withOpen } from "./launch.js";
import type { Launch, LaunchStep } from "../../model/launch.js";

/** Takes a person's word that a step is done, where no view tells. `pair`: the pair's address, which the first step gives. */
export function withWord(person: Person, launch: Launch, step: LaunchStep, pair?: Address): Person {
  const told = withDone(launch, step, "word");
  return withLaunch(person, pair === undefined ? told : { ...told, pair });
}

/** Takes a person's word that a step is not done: it is open again. */
export function withoutWord(person: Person, launch: Launch, step: LaunchStep): Person {
  return withLaunch(person, withOpen(launch, step));
}

/**
 * Enters a lock of LP tokens that the person tells of: one whose call had no clear answer, or that was made in a wallet.
 * @param typed the locked token with its number, how much of it the person holds, and its unlock epoch.
 * @throws Fault `asset-invalid`, `locked-token-invalid`, `amount-…`, `unlock-time-invalid`.
 */
export function withLockTold(
  person: Person,
  launch: Launch,
  lpToken: Token,
  typed: { readonly locked: string; readonly amount: string; readonly epoch: string },
  status: ChainStatus,
  now: number,
): Person {
  const { tokenId, nonce } = parseAssetId(typed.locked);
  if (nonce === undefined) throw new Fault("locked-token-invalid", { text: typed.locked.slice(0, 40) });
  const lock = {
    locked: { tokenId, nonce },
    amount: parseAmount(typed.amount, lpToken),
    unlockEpoch: readUnlockTime(typed.epoch, status, now).epoch,
    lockedAt: now,
  };
  return withLaunch(withLockByWord(person, lock), withOpen(launch, "lock"));
}
