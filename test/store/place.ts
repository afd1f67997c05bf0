import { overDefaults } from "../../src/store/defaults.js";
import type { Collection } from "../../src/store/store.js";

export interface Note {
  readonly version: 1;
  readonly text: string;
}

const blank: Note = { version: 1, text: "" };

export const notes: Collection<Note> = {
  name: "notes",
  create: () => blank,
  parse: (stored) => overDefaults(blank, stored),
};

/** A change that sets the text, and tells the one before. */
export const write = (text: string) => (note: Note) => [{ ...note, text }, note.text] as const;
