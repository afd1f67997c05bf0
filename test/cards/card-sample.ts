import type { Card, View } from "../../src/cards/card.js";

/** Changes every text in the data that a card is drawn from. */
export type Change = <Value>(value: Value) => Value;

/** A card of the gallery, and its maximum number of lines; a card with details open has none. */
export interface CardSample {
  readonly name: string;
  /** `as` changes the data first. */
  readonly draw: (view: View, as?: Change) => Card;
  readonly lines?: number;
}

export const asIs: Change = (value) => value;
