import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { Fault } from "../fault.js";
import { nodeFiles } from "./files.js";

/** A document of any collection, as the text that the store keeps (json.ts). */
export interface StoredText {
  readonly collection: string;
  readonly id: string;
  readonly text: string;
}

const FIRST_LINE = '{"swapdesk":"documents","version":1}';
const LINE = /^\{"collection":"([a-z]{1,32})","id":"([A-Za-z0-9_-]{1,64})","document":(.*)\}$/s;
const LAST_LINE = /^\{"documents":\d+,"sha256":"[0-9a-f]{64}"\}$/;

/**
 * Writes documents to a file that only its owner can read: one line each, and at the end how many they are and a checksum.
 * The file gets its name when it is whole and on disk. Gives how many documents it holds.
 */
export async function writeArchive(path: string, documents: AsyncIterable<StoredText>): Promise<number> {
  const unfinished = `${path}.unfinished`;
  let count = 0;
  async function* lines() {
    const hash = createHash("sha256").update(`${FIRST_LINE}\n`);
    yield `${FIRST_LINE}\n`;
    for await (const { collection, id, text } of documents) {
      const line = `{"collection":"${collection}","id":"${id}","document":${text}}\n`;
      hash.update(line);
      yield line;
      count += 1;
    }
    yield `{"documents":${count},"sha256":"${hash.digest("hex")}"}\n`;
  }
  await writeFile(unfinished, lines(), { mode: 0o600, flush: true });
  await rename(unfinished, path);
  await nodeFiles.syncFolder(dirname(path));
  return count;
}

/** The documents of a file. @throws Fault `archive-damaged` where it is not as it was written, at its end at the latest. */
export async function* readArchive(path: string): AsyncGenerator<StoredText> {
  const damaged = (reason: string) => new Fault("archive-damaged", { path, reason });
  const hash = createHash("sha256");
  let [number, count, end] = [0, 0, ""];
  for await (const line of linesOf(path)) {
    number += 1;
    if (end !== "") throw damaged("something follows its end");
    if (LAST_LINE.test(line)) {
      end = line;
      continue;
    }
    hash.update(`${line}\n`);
    if (number === 1 && line !== FIRST_LINE) throw damaged("it does not begin as one of this version");
    if (number === 1) continue;
    const [, collection, id, text] = LINE.exec(line) ?? [];
    if (collection === undefined || id === undefined || text === undefined)
      throw damaged(`line ${number} is no document`);
    count += 1;
    yield { collection, id, text };
  }
  if (end === "") throw damaged("its end is missing");
  if (end !== `{"documents":${count},"sha256":"${hash.digest("hex")}"}`) throw damaged("its checksum is another");
}

/** Node's own readline also ends a line where a document's text has U+2028. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of createReadStream(path, "utf8")) {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.splice(-1).join("");
    yield* lines;
  }
  if (rest !== "") yield rest;
}
