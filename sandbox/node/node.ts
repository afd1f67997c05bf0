import * as z from "zod";
import { addressIn, type Address } from "../chain/address.js";
import type { Chain } from "../chain/chain.js";
import { BadRequest, CallFailure } from "../chain/failure.js";
import { assetOf } from "../chain/ledger.js";
import { decodeByteArguments } from "../chain/arguments.js";
import { createAccounts } from "./accounts.js";
import { alterations, altered, type Alteration, type Built } from "./alterations.js";
import { Refusal } from "./answer.js";
import { createBlocks } from "./blocks.js";
import { buildTransaction } from "./build.js";
import { contractCall } from "./contract-call.js";
import { simulate, type Moment } from "./execution.js";
import { defaultFees, doubled, feeProblem, type Fees } from "./fees.js";
import { decoded, describe, describeBlock, snapshot } from "./shown.js";
import { hashOf, int64, senderOf, transaction, type Transaction } from "./transaction.js";

/**
 * What can be wrong with blocks: their transactions aren't found, as on a node that prunes nothing; one of each isn't;
 * every other time, the newest two aren't there yet; those of more than a minute ago aren't any more; they take twenty megabytes with their transactions; the route is closed.
 */
export const blockFaults = ["no transactions", "one missing", "lags", "pruned", "too long", "closed"] as const;

/** Ways in which a node can misbehave, besides failing connections. */
export const nodeSwitches = z.strictObject({
  /** What the node changes in each transaction that it builds. `null`: nothing any more. */
  alteration: z
    .enum(alterations as [Alteration, ...Alteration[]])
    .nullish()
    .transform((name) => name ?? undefined),
  /** Broadcasts are accepted but dropped. */
  losesBroadcasts: z.boolean().optional(),
  /** Governance has doubled the fees. */
  raisesFees: z.boolean().optional(),
  /** The node has just started and doesn't answer queries of contracts yet. */
  isNotReady: z.boolean().optional(),
  /** What is wrong with blocks. `null`: nothing any more. */
  blockFault: z
    .enum(blockFaults)
    .nullish()
    .transform((name) => name ?? undefined),
  /** Every call runs out of gas in its block, though not in the simulation. */
  runsOutOfGas: z.boolean().optional(),
});
type NodeSwitches = Partial<z.output<typeof nodeSwitches>>;

const LAG_BLOCKS = 2;
const PRUNED_BLOCKS = 15;
const TOO_LONG = 20_000_000;
/** How far a transaction's nonce may be ahead of its account's. */
const MAX_NONCE_DELTA = 100n;

const query = z.object({
  scAddress: z.string(),
  funcName: z.string(),
  caller: z.string().optional(),
  value: z.record(z.string(), int64).default({}),
  args: z.array(z.string()).default([]),
  sameScState: z.boolean().optional(),
  shouldBeSynced: z.boolean().optional(),
});

export type ChainNode = ReturnType<typeof createNode>;

/** A node like klever-go: it builds, accepts, executes and reports transactions; `/vm/query` only simulates. */
export function createNode(chain: Chain) {
  const { state, time } = chain;
  const { chainId } = state.world.chain;
  const accounts = createAccounts(state);
  let fees = defaultFees;
  let switches: NodeSwitches = {};
  let blocksAsked = 0;
  const feesNow = (): Fees => (switches.raisesFees === true ? doubled(fees) : fees);
  const costs = () => ({ fees: feesNow(), usesMoreGas: switches.runsOutOfGas === true });
  const blocks = createBlocks(chain, { nonces: accounts.nonces, costs });
  chain.subscribe(blocks.catchUp);
  const now: Moment = { block: time.block, epoch: time.epoch };

  /** Checks a transaction before it can enter the pool, in the real node's order and words. */
  const check = ({ RawData: raw, Signature: signatures }: Transaction, hash: Buffer, withSignature: boolean): void => {
    const sender = senderOf(raw);
    if (Buffer.from(raw.ChainID ?? "", "base64").toString() !== chainId) throw new Error("invalid chain ID");
    if (raw.Version !== 1n) throw new Error("invalid transaction version");
    contractCall(raw);
    const problem = feeProblem(feesNow(), raw);
    if (problem !== undefined) throw new Error(problem);
    if (!accounts.isKnown(sender))
      throw new Error(`account not found for address ${sender}, err: account was not found`);
    const nonce = raw.Nonce ?? 0n;
    const isLower = nonce < accounts.nonce(sender);
    const isVeryHigh = nonce > accounts.nonce(sender) + MAX_NONCE_DELTA;
    if (isLower || isVeryHigh) {
      throw new Error(`invalid transaction lowerNonceInTx: ${isLower}, veryHighNonceInTx: ${isVeryHigh}`);
    }
    const fee = (raw.BandwidthFee ?? 0n) + (raw.KAppFee ?? 0n);
    const held = accounts.balance(sender, "KLV");
    if (held < fee) {
      throw new Error(`insufficient funds, for address: ${sender}, kda: KLV, wanted ${fee}, have ${held}`);
    }
    if (!withSignature) return;
    const bytes = (signatures ?? []).map((signature) => Buffer.from(signature, "base64"));
    const signatureProblem = accounts.signatureProblem(sender, raw.PermissionID ?? 0n, hash, bytes);
    if (signatureProblem !== undefined) throw new Error(signatureProblem);
  };

  return {
    ...blocks,
    accounts,

    /** @throws Refusal, as do all methods below that take a request. */
    build: (json: unknown, skipValidate: boolean): object =>
      validated(() => {
        blocks.catchUp();
        const raw = buildTransaction(state, now, feesNow(), json);
        const hash = hashOf(raw);
        if (!skipValidate) check({ RawData: raw }, hash, false);
        const built: Built = { raw, hash: hash.toString("hex") };
        const answer = switches.alteration ? altered(built, switches.alteration) : built;
        return { result: { RawData: answer.raw }, txHash: skipValidate ? "" : answer.hash };
      }),

    decode: (json: unknown): object =>
      validated(() => {
        const { RawData: raw } = transaction.parse(json);
        return { tx: decoded(raw) };
      }),

    /** @returns the hash of the accepted transaction, or the hashes of several. */
    broadcast: (json: unknown): object =>
      validated(() => {
        blocks.catchUp();
        const { tx, txs = [] } = z
          .object({ tx: transaction.optional(), txs: z.array(transaction).optional() })
          .parse(json);
        const taken = (tx === undefined ? txs : [tx]).map((each, index) => {
          const bytes = hashOf(each.RawData);
          try {
            check(each, bytes, true);
          } catch (cause) {
            if (tx !== undefined) throw cause;
            throw new Error(`invalid transaction ${index}: ${(cause as Error).message}`, { cause });
          }
          return { hash: bytes.toString("hex"), transaction: each };
        });
        const [first] = taken;
        if (first === undefined) throw new Error("no transaction to process");
        if (switches.losesBroadcasts !== true) for (const each of taken) blocks.add(each);
        chain.changed();
        return tx === undefined ? { txsHashes: taken.map(({ hash }) => hash) } : { txHash: first.hash, txCount: 1 };
      }),

    lookUp: (hash: string, withResults: boolean): object => {
      blocks.catchUp();
      const known = blocks.find(hash);
      if (known === undefined) throw new Refusal("getting transaction failed: transaction not found", 500);
      return describe(known, withResults);
    },

    /** As klever-go node/blockAPI: what isn't found, or can't be decoded, is left out without a word. */
    block: (nonce: number, withTransactions: boolean): object => {
      blocks.catchUp();
      blocksAsked += 1;
      const { blockFault: wrong } = switches;
      const isLate = wrong === "lags" && blocksAsked % 2 === 0 && nonce > time.block() - LAG_BLOCKS;
      const isGone = wrong === "pruned" && nonce < time.block() - PRUNED_BLOCKS;
      const block = isLate || isGone ? undefined : blocks.at(nonce);
      if (block === undefined) {
        const key = nonce.toString(16).padStart(16, "0");
        throw new Refusal(`getting block failed: key ${key} not found in HdrNonceHashDataUnit`, 500);
      }
      const found = { "no transactions": [], "one missing": block.included.slice(1) };
      const shown = wrong === "no transactions" || wrong === "one missing" ? found[wrong] : block.included;
      const described = describeBlock(block, time.epoch(nonce), withTransactions ? shown : []);
      return wrong === "too long" && withTransactions ? { ...described, Padding: "A".repeat(TOO_LONG) } : described;
    },

    pool: (sender: Address | undefined) => {
      blocks.catchUp();
      return blocks.pool(sender).map(({ hash, transaction: { RawData: raw } }) => ({
        hash,
        sender: senderOf(raw),
        nonce: raw.Nonce ?? 0n,
      }));
    },

    /** The answer of `/vm/query`: the VM's output, with a failure repeated as text. */
    query: (json: unknown) => {
      if (switches.isNotReady === true) throw new Refusal("executeQuery: node is not ready yet to process VM Queries");
      blocks.catchUp();
      return carryOutQuery(query.safeParse(json));
    },

    set: (change: NodeSwitches): void => {
      switches = { ...switches, ...change };
    },
    switches: () => switches,
    /** Changes the fees, as governance can at any time. */
    setFees: (change: Partial<Fees>): void => {
      fees = { ...fees, ...change };
    },
    /** All waiting and executed transactions, newest first, for the inspector. */
    transactions: () => [...blocks.onChain(), ...blocks.pool()].reverse().map(snapshot),
  };

  function carryOutQuery(body: ReturnType<typeof query.safeParse>) {
    if (!body.success) throw new Refusal("executeQuery: invalid json request");
    const { scAddress, funcName, caller, value, args } = body.data;
    const odd = args.find((arg) => !/^(?:[0-9a-f]{2})*$/i.test(arg));
    if (odd !== undefined) throw new Refusal(`executeQuery: '${odd}' is not a valid hex string: encoding/hex`);
    const contract = accountAt(scAddress);
    const bytes = args.map((arg) => Buffer.from(arg, "hex"));
    const output = { returnData: null, returnCode: "Ok", returnMessage: "", gasRemaining: 0, logs: [] };
    try {
      const { entries } = simulate(state, now, {
        contract,
        functionName: funcName,
        inputs: (declaration) => decodeByteArguments(declaration, bytes),
        payments: Object.entries(value).map(([asset, units]) => ({ ...assetOf(asset), units })),
        caller: caller === undefined ? contract : accountAt(caller),
      });
      const returnData = entries.map((entry) => entry.toString("base64"));
      return { output: { ...output, returnData }, error: "" };
    } catch (failure) {
      if (failure instanceof BadRequest) throw new Refusal(`executeQuery: ${failure.message}`);
      if (!(failure instanceof CallFailure)) throw failure;
      const { returnCode, message: returnMessage } = failure;
      return { output: { ...output, returnCode, returnMessage }, error: `${returnCode}:${returnMessage}` };
    }
  }
}

/** Parses a request's account. @throws Refusal. */
export function accountAt(text: string): Address {
  return addressIn(text, (reason) => new Refusal(`'${text}' is not a valid address: ${reason}`));
}

/** Turns errors into a Refusal with status 400. */
function validated<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (failure) {
    const text = failure instanceof z.ZodError ? z.prettifyError(failure) : (failure as Error).message;
    throw new Refusal(`validation error: ${text}`, 400, { result: null, txHash: "" });
  }
}
