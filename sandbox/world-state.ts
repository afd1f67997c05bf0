import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { deserialize, serialize } from "node:v8";
import type { Sandbox } from "./sandbox.js";

/** How long changes gather before they are written. A kill loses no more than that. */
const GATHER_MS = 500;

type KeptParts = Pick<Sandbox, "chain" | "market" | "telegram" | "time">;

/** Everything that people did in a sandbox. */
export function keptWorld({ chain, market, telegram, time }: KeptParts): Buffer {
  return serialize({ time: time.keep(), chain: chain.keep(), market: market.keep(), telegram: telegram.keep() });
}

/** Makes a sandbox that was just started what the other was. @throws for what is no kept world of this version. */
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
 * Takes up the world in a file, if there is one, and keeps it there from now on. Returns what writes the last changes at the end,
 * and throws what went wrong on the way.
 * @throws Error when the file cannot be used.
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
