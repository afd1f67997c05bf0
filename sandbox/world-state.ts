import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { deserialize, serialize } from "node:v8";
import type { Sandbox } from "./sandbox.js";

/** How long to collect changes before writing them: a kill loses at most this much. */
const GATHER_MS = 500;

type KeptParts = Pick<Sandbox, "chain" | "market" | "telegram" | "time">;

/** The serialized state of a sandbox. */
export function keptWorld({ chain, market, telegram, time }: KeptParts): Buffer {
  return serialize({ time: time.keep(), chain: chain.keep(), market: market.keep(), telegram: telegram.keep() });
}

/** Restores the state into a sandbox that has just started. @throws if `kept` is not a world of this version. */
export function restoreWorld({ chain, market, telegram, time }: KeptParts, kept: Buffer): void {
  const state = deserialize(kept) as {
    time: number;
    chain: ReturnType<KeptParts["chain"]["keep"]>;
    market: ReturnType<KeptParts["market"]["keep"]>;
    telegram: ReturnType<KeptParts["telegram"]["keep"]>;
  };
  time.restore(state.time);
  chain.restore(state.chain);
  market.restore(state.market);
  telegram.restore(state.telegram);
}

/**
 * Restores the world from a file, if it exists, and saves every change to it.
 * @returns a function that writes the last changes, and throws what went wrong with earlier writes.
 * @throws Error if the file cannot be used.
 */
export async function keepWorldIn(file: string, sandbox: KeptParts): Promise<() => Promise<void>> {
  if (existsSync(file)) restoreWorld(sandbox, await readFile(file));
  await mkdir(dirname(file), { recursive: true });

  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  const write = (): void => {
    timer = undefined;
    const world = keptWorld(sandbox);
    writing = writing.then(async () => {
      await writeFile(`${file}.new`, world);
      await rename(`${file}.new`, file);
    });
    writing.catch(() => undefined);
  };
  const changed = (): void => {
    timer ??= setTimeout(write, GATHER_MS);
  };
  const ends = [sandbox.chain, sandbox.market, sandbox.telegram].map((part) => part.subscribe(changed));
  return async () => {
    for (const end of ends) end();
    clearTimeout(timer);
    write();
    await writing;
  };
}
