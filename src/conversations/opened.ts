import type { Card } from "../cards/card.js";

/** Why there is no card. Plain JSON, so that a dialog can keep it. */
interface Refused {
  readonly ok: false;
  readonly sentence: string;
  readonly needsWallet?: true;
}

/** A card that can be confirmed, or why there is none. */
export type Opened = { readonly ok: true; readonly card: Card; readonly intentId: string } | Refused;

/** A card, or why there is none. Only one that can be confirmed has an intent. */
export type Shown = { readonly ok: true; readonly card: Card; readonly intentId?: string } | Refused;
