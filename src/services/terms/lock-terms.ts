import * as z from "zod";
import { addressSchema } from "../../encoding/address.js";
import { amountSchema, assetSchema, tokenSchema } from "../../encoding/amount.js";
import { untilSchema } from "../../encoding/typed.js";
import { stored } from "../../store/store.js";
import { lockVerdict } from "./launch-terms.js";
import type { RequestInput, Pay } from "./swap-terms.js";

/** Locks tokens until an epoch. */
export const lockTerms = stored({
  payout: addressSchema,
  kind: z.literal("lock"),
  amount: amountSchema,
  unlockEpoch: z.bigint(),
  /** The epoch when the card was made; absent if the node didn't report it. */
  epoch: z.bigint().exactOptional(),
  /** Estimated start of the unlock epoch, in milliseconds since 1970; absent if the length of epochs is unknown. */
  unlocksAt: z.number().exactOptional(),
  /**
   * Years that the tokens are out of reach, rounded down. Set if they need an extra confirmation: beyond two, or if the
   * date is unknown; then they are an estimate.
   */
  years: z.bigint().exactOptional(),
  /** The user's locked token that the amount will be added to, if the bot knows of one. */
  mergesInto: assetSchema.exactOptional(),
  /** Set if it can't be told whether the token's issuer lets it come out again. */
  isReturnUnknown: z.literal(true).exactOptional(),
  /** Set if a launch waits for it and the router's conditions are known. */
  verdict: lockVerdict.exactOptional(),
  request: stored({
    kind: z.literal("lock"),
    pay: amountSchema,
    token: tokenSchema,
    until: untilSchema,
    launchId: z.string().exactOptional(),
  }),
});
export type LockTerms = z.infer<typeof lockTerms>;
export type LockRequest<Paid = Pay> = RequestInput<LockTerms["request"], Paid>;

/** An objection to an unlock from the bot's own records; the contract decides. */
const unlockDoubt = z.discriminatedUnion("kind", [
  stored({ kind: z.literal("too-much"), recorded: amountSchema }),
  stored({
    kind: z.literal("too-early"),
    unlockEpoch: z.bigint(),
    epoch: z.bigint(),
    /** Estimated, in milliseconds since 1970. */
    beginsAt: z.number().exactOptional(),
  }),
]);
export type UnlockDoubt = z.infer<typeof unlockDoubt>;

/** Takes back locked tokens after their epoch. */
export const unlockTerms = stored({
  payout: addressSchema,
  kind: z.literal("unlock"),
  locked: assetSchema,
  /** How much of the locked token is burned; the same amount of the original token comes back. */
  amount: amountSchema,
  /** The token that was locked, if the bot knows. */
  original: tokenSchema.exactOptional(),
  /** Absent if there are none. */
  doubts: z.array(unlockDoubt).readonly().exactOptional(),
  request: stored({ kind: z.literal("unlock"), locked: assetSchema, pay: amountSchema.exactOptional() }),
});
export type UnlockTerms = z.infer<typeof unlockTerms>;
export type UnlockRequest<Paid = Pay> = RequestInput<UnlockTerms["request"], Paid>;
