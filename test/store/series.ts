import { collectionOf } from "../support/documents.js";

/** A document from which a test can tell whether it is whole. */
export interface Numbered {
  readonly number: number;
  readonly text: string;
}

/** The document of a number. Lengths vary widely, up to 200,000 characters. */
export function numbered(number: number): Numbered {
  return { number, text: String(number % 10).repeat((number * 79_193) % 200_000) };
}

export const series = collectionOf<Numbered>(
  "series",
  () => numbered(0),
  (stored) => {
    const document = stored as Numbered;
    if (document.text !== numbered(document.number).text) throw new TypeError("two writings are mixed");
    return document;
  },
);
