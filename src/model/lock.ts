import { isZero, type Amount } from "../encoding/amount.js";
import type { AssetId } from "../encoding/asset.js";

/** Tokens that the bot has locked for a person and that are not unlocked yet, by what the node answered. */
export interface Lock {
  /** The locked token and its nonce. */
  readonly locked: AssetId;
  /** How much of what was locked is still in it. */
  readonly amount: Amount;
  readonly unlockEpoch: bigint;
  /** Milliseconds since 1970. */
  readonly lockedAt: number;
  /** The intents that this figure comes from, so that none is counted twice. */
  readonly intents: readonly string[];
  /** When the person was reminded that it can be unlocked. */
  readonly remindedAt?: number;
}

/** A person's locks by locked token and nonce; those of which nothing is left stay, with zero, so that they add up. */
export type Locks = Readonly<Record<string, Lock>>;

/** Whether the person is still to be reminded of it. */
export function awaitsReminder({ amount, remindedAt }: Lock): boolean {
  return remindedAt === undefined && !isZero(amount);
}
