import type { Address } from "../../encoding/address.js";
import type { Holdings } from "../../encoding/amount.js";
import { isFault } from "../../fault.js";
import type { Clock } from "../../clock.js";
import type { ReadAccountMark } from "../chain/account-mark.js";
import type { Balances } from "../chain/query-gateway.js";
import type { AccountReading, AccountSeen } from "./account-seen.js";

export interface AccountReaderParts {
  readonly clock: Clock;
  /** Keeps all requests within what a node allows. */
  readonly pace: <Answer>(ask: () => Promise<Answer>) => Promise<Answer>;
  readonly readMark: ReadAccountMark;
  readonly balances: Pick<Balances, "read">;
  /** The number of the newest block. */
  readonly height: () => Promise<bigint>;
}

interface Looked {
  readonly address: Address;
  /** The tokens to read. */
  readonly all: readonly string[];
  readonly seen: AccountSeen | undefined;
  readonly signal: AbortSignal;
  /** Called before the balances are read. */
  readonly onWhole: () => void;
}

export type ReadingHow = Pick<Looked, "onWhole" | "signal">;

/**
 * Reads what an account holds, unless a mark says that nothing has changed. All of it is read again to confirm it, since
 * the mark and each balance may be of another node. @throws Fault `service-…`, `answer-unreadable`, `balances-untold`,
 * `account-unknown`.
 */
export async function readAccount(parts: AccountReaderParts, { address, all, seen, signal, onWhole }: Looked) {
  const ask = <Answer>(request: () => Promise<Answer>) =>
    parts.pace(() => {
      signal.throwIfAborted();
      return request();
    });
  const { known = {}, height: passed = 0n, unsure, mark: before } = seen ?? {};
  if (unsure !== undefined && (await ask(parts.height)) <= unsure.height) return "too-early";
  const at = parts.clock.now();
  const mark = await ask(() => parts.readMark(address));
  // Of a token that is new to the list, nothing is known yet.
  const areKnown = all.every((asset) => known[asset] !== undefined);
  if (unsure === undefined && mark !== undefined && mark === before && areKnown) return "unchanged";
  onWhole();
  const held: Record<string, bigint> = {};
  for (const asset of all) {
    const read = () => parts.balances.read(address, [asset]);
    Object.assign(held, await ask(() => read().catch((error: unknown) => noneIfUnknown(error, asset, known))));
  }
  const height = await ask(parts.height);
  if (height < passed) return "behind";
  return { at, height, ...(mark !== undefined && { mark }), held } satisfies AccountReading;
}

/** An account that isn't known has never received anything: a node that says so of one that has is wrong. */
function noneIfUnknown(error: unknown, asset: string, known: Holdings): Holdings {
  if (!isFault(error, "account-unknown") || Object.values(known).some((units) => units > 0n)) throw error;
  return { [asset]: 0n };
}
