import type { Logger } from "pino";
import { z } from "zod";
import { within, type Clock } from "../../clock.js";
import type { Address } from "../../encoding/address.js";
import { Fault, isFault, unlessFault } from "../../fault.js";
import type { Holdings } from "../intent/finding.js";
import { createTurns } from "../limits/turns.js";
import { askNode, type NodeParts } from "./ask-node.js";
import { expectSuccess } from "../clients/http.js";
import { parseAs, wholeOrText } from "../clients/json.js";

/** When a node without the read is asked again. */
const ASKED_AGAIN_MILLISECONDS = 600_000;
/** How long those wait who can do without. */
const PATIENCE_MILLISECONDS = 1500;
/** Reads at once, for everybody together. */
const READS_AT_ONCE = 8;

const answerSchema = z.object({ data: z.object({ balance: z.bigint().nonnegative() }) });

/**
 * One balance in smallest units, by `GET /address/{address}/balance?asset=…` (klever-go).
 * @throws Fault `balances-untold` for a node without it, `account-unknown`, `service-…`, `answer-unreadable`.
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

/** What accounts hold, from a read that a node may offer or not. */
export type Balances = ReturnType<typeof createBalances>;

/** Balances from the node, which is left alone for a while after it did not offer them. */
export function createBalances(parts: NodeParts & { readonly clock: Clock; readonly log: Logger }) {
  const { clock, log } = parts;
  const turns = createTurns(READS_AT_ONCE);
  let untoldUntil = Number.NEGATIVE_INFINITY;

  const readOne = async (address: Address, asset: string): Promise<bigint> => {
    if (clock.monotonic() < untoldUntil) throw new Fault("balances-untold", {});
    return readBalance(parts, address, asset).catch((error: unknown) => {
      if (isFault(error, "balances-untold")) untoldUntil = clock.monotonic() + ASKED_AGAIN_MILLISECONDS;
      throw error;
    });
  };

  const read = async (address: Address, assets: readonly string[]): Promise<Holdings> => {
    const units = await Promise.all(
      assets.map((asset) => turns.take(`${address} ${asset}`, () => readOne(address, asset))),
    );
    return Object.fromEntries(assets.map((asset, index) => [asset, units[index] ?? 0n]));
  };

  return {
    /**
     * How much an account holds of some assets (`KLV`, `LKTOK-1A2B/7`).
     * @throws Fault `balances-untold` where the node does not offer the read, `account-unknown`, `service-…`, `answer-unreadable`.
     */
    read,
    /** False where the node did not offer the read when it was asked last. */
    areTold: (): boolean => clock.monotonic() >= untoldUntil,
    /** The same within a moment, or undefined. Never throws: the caller does without. */
    known: (address: Address, assets: readonly string[]): Promise<Holdings | undefined> => {
      const onFault = (err: Fault) => {
        if (err.code !== "balances-untold") log.info({ err }, "Balances could not be read");
      };
      const reading = unlessFault(() => read(address, assets), onFault);
      return within(clock, PATIENCE_MILLISECONDS, reading);
    },
  };
}
