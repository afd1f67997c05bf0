import * as z from "zod";
import { amountSchema } from "../../encoding/amount.js";
import { stored } from "../../store/store.js";

/** `limit`: at a price or better; `stop`: asked about once it falls; `dca`: regularly. */
export const standingKinds = ["limit", "stop", "dca"] as const;
export type StandingKind = (typeof standingKinds)[number];

/** Names the standing order that a card is of. A card that asks for anything else doesn't belong to it any more. */
export const standingReference = stored({
  id: z.string(),
  kind: z.enum(standingKinds),
  /** Of a limit: the least that the user gets, after the fee, whatever that is when a card is made. */
  least: amountSchema.exactOptional(),
  /** Which of a regular order's occurrences it is, counted from 0 and never used twice, and its place among `of`. */
  occurrence: stored({ n: z.int(), place: z.int(), of: z.int() }).exactOptional(),
});
export type StandingReference = z.infer<typeof standingReference>;
