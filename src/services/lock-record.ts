import type { Amount } from "../encoding/amount.js";
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
  /** A call of the bot was answered so; otherwise the person reported it. */
  readonly isAnswered: boolean;
}
