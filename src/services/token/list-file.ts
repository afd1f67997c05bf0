import { unwatchFile, watchFile } from "node:fs";
import { DataFile } from "lowdb/node";
import type { Logger } from "pino";
import { z } from "zod";
import { Fault, unlessFault } from "../../fault.js";

/** How often a running bot looks whether a list has changed: a bind mount notifies no watcher. */
const LOOK_EVERY_MS = 1000;

const MAX_REASONS = 20;

/** A JSON array in a file, one entry on each line. */
export function listFile<Entry>(
  file: string,
  schema: z.ZodType<readonly Entry[]>,
  code: "token-list-invalid" | "pools-file-invalid",
) {
  let latest = "";
  const json = { parse: JSON.parse as (text: string) => unknown[], stringify: linesOf };
  const adapter = new DataFile<readonly unknown[]>(file, json);
  /** @throws Fault of the list's code, naming every invalid entry by its index. */
  const read = async (): Promise<readonly Entry[]> => {
    const data = await adapter.read().catch((cause: unknown) => {
      const problem = cause instanceof SyntaxError ? "is not JSON" : "cannot be read";
      throw new Fault(code, { reason: `${file} ${problem}` }, { cause });
    });
    if (data === null) throw new Fault(code, { reason: `${file} does not exist or says nothing` });
    const list = schema.safeParse(data);
    if (!list.success) throw new Fault(code, { reason: `${file}: ${reasonsOf(list.error)}` });
    latest = JSON.stringify(data);
    return list.data;
  };
  return {
    read,
    write: (entries: readonly Entry[]) => adapter.write(entries),
    /** What is invalid, or refused by `apply` with a Fault, is logged and changes nothing. @returns what ends it. */
    watch: (apply: (entries: readonly Entry[]) => void, log: Logger): (() => void) => {
      const reload = async () => {
        const before = latest;
        const entries = await read();
        if (latest === before) return;
        apply(entries);
        log.info({ file, entries: entries.length }, "List reloaded");
      };
      const onFault = (err: Fault) => log.error({ err, file }, "List not reloaded: the earlier one stays in use");
      const onChange = () => void unlessFault(reload, onFault);
      watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, onChange);
      onChange();
      return () => unwatchFile(file, onChange);
    },
  };
}

export function linesOf(entries: readonly unknown[]): string {
  const lines = entries.map((entry) => `  ${JSON.stringify(entry)}`);
  return `[\n${lines.join(",\n")}\n]\n`;
}

function reasonsOf({ issues }: z.ZodError): string {
  return issues
    .slice(0, MAX_REASONS)
    .map(({ path: [index], message }) => (index === undefined ? message : `entry ${String(index)}: ${message}`))
    .join("; ");
}
