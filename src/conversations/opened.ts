import type { Card } from "../cards/card.js";

/** The commands that open a card which can be confirmed. */
export type CardCommand = "swap" | "multihop" | "lock" | "unlock";

/** A card that was opened, or why it was not. Plain JSON, so that a dialog can keep it. */
export type Opened =
  | { readonly ok: true; readonly card: Card; readonly intentId: string }
  | { readonly ok: false; readonly sentence: string; readonly needsWallet?: true };
