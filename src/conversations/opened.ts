import type { Card } from "../cards/card.js";
import type { Refusal } from "../cards/mends.js";
import type { IntentKind } from "../model/terms.js";

/** What a dialog can open with what it collected. */
export type Opening =
  | IntentKind
  | "quote"
  | "order"
  | "launch-pair"
  | "launch-liquidity"
  | "launch-lock"
  | "launch-locked";

/** Why there is no card. Plain JSON, so that a dialog can keep it. */
interface Refused extends Refusal {
  readonly ok: false;
  readonly needsWallet?: true;
}

/** A card that can be confirmed, or why there is none. */
export type Opened = { readonly ok: true; readonly card: Card; readonly intentId: string } | Refused;

/** A card. Only one that can be confirmed has an intent. */
export interface ShownCard {
  readonly ok: true;
  readonly card: Card;
  readonly intentId?: string;
  /** Of a launch's checklist. */
  readonly launchId?: string;
}

/** A card, or why there is none. */
export type Shown = ShownCard | Refused;
