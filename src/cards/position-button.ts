import { NATIVE_TOKEN } from "../encoding/amount.js";
import { buttons, shortButton } from "./buttons.js";
import type { View } from "./card.js";

/** A picture of what is held of a token, counted in another one. */
export function positionButton(text: string, tokenId: string, countedIn: string) {
  return shortButton(text, buttons.position, { amounts: "hidden", pair: `${tokenId}/${countedIn}` });
}

/** A picture of what a trade sold; undefined if it was no sale. */
export function soldButton(id: string, receivedId: string, { words }: View) {
  if (receivedId !== NATIVE_TOKEN) return undefined;
  return shortButton(words.picture.position, buttons.soldPosition, { amounts: "hidden", id });
}
