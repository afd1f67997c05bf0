import { collectionOf } from "../support/documents.js";

export interface Note {
  readonly text: string;
}

export const notes = collectionOf<Note>("notes", () => ({ text: "" }));

/** A change that sets the text, and returns the previous one. */
export const write = (text: string) => (note: Note) => [{ ...note, text }, note.text] as const;
