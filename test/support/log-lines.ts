import { Writable } from "node:stream";

/** Collects the bot's log lines. */
export function logOf() {
  const lines: string[] = [];
  const logTo = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(...chunk.toString().trim().split("\n"));
      done();
    },
  });
  return { lines, logTo };
}
