import type { Card } from "../cards/card.js";

/** A card that was opened, or why it was not. Plain JSON, so that a dialog can keep it. */
export type Opened =
  | { readonly ok: true; readonly card: Card; readonly intentId: string }
  | { readonly ok: false; readonly sentence: string; readonly needsWallet?: true };
