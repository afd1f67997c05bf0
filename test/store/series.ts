import { overDefaults } from "../../src/store/defaults.js";
import type { Collection } from "../../src/store/store.js";

/** A document that shows by itself whether it is whole. */
export interface Numbered {
  readonly version: 1;
  readonly number: number;
  readonly text: string;
}

/** The document of a number: of very different lengths, up to 200,000 characters. */
export function numbered(number: number): Numbered {
  return { version: 1, number, text: String(number % 10).repeat((number * 79_193) % 200_000) };
}

export const series: Collection<Numbered> = {
  name: "series",
  create: () => numbered(0),
  parse: (stored) => {
    const document = overDefaults(numbered(0), stored);
    if (document.text !== numbered(document.number).text) throw new TypeError("two writings are mixed");
    return document;
  },
};
