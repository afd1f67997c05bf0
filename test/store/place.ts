import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { overDefaults } from "../../src/store/defaults.js";
import type { Collection } from "../../src/store/store.js";

/** A folder of its own, gone after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "swapdesk-store-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

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
