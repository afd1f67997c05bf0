import * as z from "zod";
import { amountSchema } from "../../encoding/amount.js";
import { stored } from "../../store/store.js";

/**
 * `limit`: at a price or better; `stop`: asked about once it falls; `dca`: regularly; `exit`: parts of what is held, at
 * prices and once it falls.
 */
export const standingKinds = ["limit", "stop", "dca", "exit"] as const;
export type StandingKind = (typeof standingKinds)[number];

/** Names the standing order that a card is of. A card that asks for anything else doesn't belong to it any more. */
export const standingReference = stored({
  id: z.string(),
  kind: z.enum(standingKinds),
  /** Of a limit or a target of an exit: the least that the user gets, after the fee, whatever that is when a card is made. */
  least: amountSchema.exactOptional(),
  /** Of a stop or the floor of an exit: its line, the most that the user gets for it to be there. Absent in what earlier versions wrote. */
  most: amountSchema.exactOptional(),
  /** Of an exit, if less was held than was planned: what is left goes on with that. */
  shrunk: stored({ planned: amountSchema, held: amountSchema }).exactOptional(),
  /** Which of a regular order's occurrences, or of an exit's parts, it is, never used twice, and its place among `of`. */
  occurrence: stored({ n: z.int(), place: z.int(), of: z.int() }).exactOptional(),
});
export type StandingReference = z.infer<typeof standingReference>;
