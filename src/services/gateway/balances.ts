import type { Logger } from "pino";
import { z } from "zod";
import { within, type Clock } from "../../clock.js";
import type { Address } from "../../encoding/address.js";
import { Fault, isFault, unlessFault } from "../../fault.js";
import type { Holdings } from "../intent/kind.js";
import { createKeyedQueue } from "../limits/keyed-queue.js";
import { askNode, type NodeParts } from "./ask-node.js";
import { expectSuccess } from "../clients/http.js";
import { parseAs, wholeOrText } from "../clients/json.js";

/** When a node without the read is asked again. */
const RETRY_READ_MS = 600_000;
const TIMEOUT_MS = 1500;
const MAX_CONCURRENT_READS = 8;

const answerSchema = z.object({ data: z.object({ balance: z.bigint().nonnegative() }) });

/**
 * In base units.
 * @throws Fault `balances-untold` for a node without the read, `account-unknown`, `service-…`, `answer-unreadable`.
 */
export async function readBalance(node: NodeParts, address: Address, asset: string): Promise<bigint> {
  const path = `address/${address}/balance?asset=${encodeURIComponent(asset)}`;
  const answer = await askNode(node, path);
  // An account that never received anything is answered as an error of the server.
  if (answer.status >= 400 && /account (?:was )?not found/i.test(answer.text)) {
    throw new Fault("account-unknown", { address });
  }
  if ([404, 405, 501].includes(answer.status)) throw new Fault("balances-untold", {});
  expectSuccess("node", answer);
  return parseAs(answerSchema, answer.text, wholeOrText, "a balance in another form").data.balance;
}

/** What accounts hold. A node that does not offer the read is left alone for a while. */
export interface Balances {
  /**
   * How much an account holds of some assets (`KLV`, `LKTOK-1A2B/7`).
   * @throws as {@link readBalance}.
   */
  readonly read: (address: Address, assets: readonly string[]) => Promise<Holdings>;
  /** False where the node did not offer the read when it was asked last. */
  readonly areTold: () => boolean;
  /** Undefined where the node does not answer in a moment. Never throws a Fault. */
  readonly known: (address: Address, assets: readonly string[]) => Promise<Holdings | undefined>;
}

export function createBalances(parts: NodeParts & { readonly clock: Clock; readonly log: Logger }): Balances {
  const { clock, log } = parts;
  const queue = createKeyedQueue(MAX_CONCURRENT_READS);
  let untoldUntil = Number.NEGATIVE_INFINITY;

  const readOne = async (address: Address, asset: string): Promise<bigint> => {
    if (clock.monotonic() < untoldUntil) throw new Fault("balances-untold", {});
    return readBalance(parts, address, asset).catch((error: unknown) => {
      if (isFault(error, "balances-untold")) untoldUntil = clock.monotonic() + RETRY_READ_MS;
      throw error;
    });
  };
  const read = async (address: Address, assets: readonly string[]): Promise<Holdings> =>
    Object.fromEntries(
      await Promise.all(
        assets.map(async (asset) => {
          const units = await queue.take(`${address} ${asset}`, () => readOne(address, asset));
          return [asset, units] as const;
        }),
      ),
    );

  return {
    read,
    areTold: () => clock.monotonic() >= untoldUntil,
    known: (address, assets) => {
      const onFault = (err: Fault) => {
        if (err.code !== "balances-untold") log.info({ err }, "Balances unreadable");
      };
      return within(
        clock,
        TIMEOUT_MS,
        unlessFault(() => read(address, assets), onFault),
      );
    },
  };
}
