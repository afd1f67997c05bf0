import * as z from "zod";
import { addressSchema } from "../../encoding/address.js";
import { amountSchema, assetSchema, tokenSchema } from "../../encoding/amount.js";
import { untilSchema } from "../../encoding/typed.js";
import { stored } from "../../store/store.js";
import { lockVerdict } from "./launch.js";
import type { Asked, Pay } from "./swap.js";

/** Tokens put away until an epoch. */
export const lockTerms = stored({
  payout: addressSchema,
  kind: z.literal("lock"),
  amount: amountSchema,
  unlockEpoch: z.bigint(),
  /** The epoch when the card was made; absent where the node did not report it. */
  epoch: z.bigint().exactOptional(),
  /** When the unlock epoch begins, estimated, in milliseconds since 1970; absent where the length of epochs is not known. */
  unlocksAt: z.number().exactOptional(),
  /**
   * The years, rounded down, that the tokens are out of reach, where that needs an extra confirmation: beyond two, or where nobody can
   * tell the date. Then it is an estimate.
   */
  years: z.bigint().exactOptional(),
  /** The locked token of the person which the amount will be added to, where the bot knows of one. */
  mergesInto: assetSchema.exactOptional(),
  /** How it would stand against the router's conditions, where it is a step of a launch and they are known. */
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
export type LockRequest<Paid = Pay> = Asked<LockTerms["request"], Paid>;

/** What the bot's own record says against an unlock, in which the contract decides. */
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

/** Locked tokens taken back after their epoch. */
export const unlockTerms = stored({
  payout: addressSchema,
  kind: z.literal("unlock"),
  locked: assetSchema,
  /** How much of the locked token is burned; the same amount of what was locked comes back. */
  amount: amountSchema,
  /** What was locked, where the bot knows. */
  original: tokenSchema.exactOptional(),
  /** Absent where nothing speaks against it. */
  doubts: z.array(unlockDoubt).readonly().exactOptional(),
  request: stored({ kind: z.literal("unlock"), locked: assetSchema, pay: amountSchema.exactOptional() }),
});
export type UnlockTerms = z.infer<typeof unlockTerms>;
export type UnlockRequest<Paid = Pay> = Asked<UnlockTerms["request"], Paid>;
