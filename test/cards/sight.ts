import type { Card, View } from "../../src/cards/card.js";

/** Does something to every text of what a card is drawn from. */
export type Change = <Value>(value: Value) => Value;

/** What is shown, and in how many lines at most; a card in detail is as long as it has to be. */
export interface Sight {
  readonly name: string;
  /** `as` changes the data first. */
  readonly draw: (view: View, as?: Change) => Card;
  readonly lines?: number;
}

export const asIs: Change = (value) => value;
