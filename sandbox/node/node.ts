import { z } from "zod";
import { readAddress, type Address } from "../chain/address.js";
import type { Chain } from "../chain/chain.js";
import { BadRequest, CallFailure } from "../chain/failure.js";
import { assetOf } from "../chain/ledger.js";
import { decodeByteArguments } from "../chain/arguments.js";
import { createAccounts, type Accounts } from "./accounts.js";
import { altered, type Alteration, type Built } from "./alterations.js";
import { Refusal } from "./answer.js";
import { createBlocks, type Blocks, type Known } from "./blocks.js";
import { buildTransaction } from "./build.js";
import { contractCall } from "./contract-call.js";
import { simulate, type Moment } from "./execution.js";
import { defaultFees, doubled, feeProblem, type Fees } from "./fees.js";
import { hashOf, int64, senderOf, transaction, type RawData, type Transaction } from "./transaction.js";

/** What can be wrong with a node besides its connection. */
interface NodeSwitches {
  /** What it changes in each transaction that it builds. */
  readonly alteration?: Alteration | undefined;
  /** It says yes to a broadcast and keeps nothing. */
  readonly losesBroadcasts?: boolean | undefined;
  /** Governance has doubled the fees. */
  readonly raisesFees?: boolean | undefined;
}

/** A node of the real chain (klever-go): it builds, takes, carries out and tells of transactions; `/vm/query` only simulates. */
export interface ChainNode extends Pick<Blocks, "emptyPool" | "rollBack"> {
  readonly accounts: Accounts;
  /** @throws Refusal, as each that follows. */
  readonly build: (json: unknown, skipValidate: boolean) => object;
  readonly decode: (json: unknown) => object;
  /** The hash of a transaction that the node took. */
  readonly broadcast: (json: unknown) => string;
  readonly lookUp: (hash: string, withResults: boolean) => object;
  readonly pool: (sender: Address | undefined) => readonly object[];
  readonly query: (json: unknown) => object;
  readonly set: (switches: NodeSwitches) => void;
  readonly switches: () => NodeSwitches;
  /** As governance may at any time. */
  readonly setFees: (change: Partial<Fees>) => void;
  /** Everything that waits or was carried out, the newest first, for the inspector. */
  readonly transactions: () => readonly TransactionSnapshot[];
}

interface TransactionSnapshot {
  readonly hash: string;
  readonly sender: Address;
  readonly nonce: string;
  readonly call: string;
  /** Units of KLV. */
  readonly fee: string;
  /** Absent while it waits. */
  readonly block?: number;
  /** The words of a failure. */
  readonly failure?: string;
}

/** How far ahead of its account a nonce may be. */
const MAX_NONCE_DELTA = 100n;

const query = z.strictObject({
  scAddress: z.string(),
  funcName: z.string(),
  caller: z.string().optional(),
  value: z.record(z.string(), int64).default({}),
  args: z.array(z.string()).default([]),
  sameScState: z.boolean().optional(),
  shouldBeSynced: z.boolean().optional(),
});

export function createNode(chain: Chain): ChainNode {
  const { state, time } = chain;
  const { chainId } = state.world.chain;
  const accounts = createAccounts(state);
  let fees = defaultFees;
  let switches: NodeSwitches = {};
  const feesNow = (): Fees => (switches.raisesFees === true ? doubled(fees) : fees);
  const blocks = createBlocks(chain, { nonces: accounts.nonces, fees: feesNow });
  chain.subscribe(blocks.catchUp);
  const now: Moment = { block: time.block, epoch: time.epoch };

  /** The checks of a transaction before it may wait for a block, in the node's order and words. */
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

    build: (json, skipValidate) =>
      validated(() => {
        blocks.catchUp();
        const raw = buildTransaction(state, now, feesNow(), json);
        const hash = hashOf(raw);
        if (!skipValidate) check({ RawData: raw }, hash, false);
        const built: Built = { raw, hash: hash.toString("hex") };
        const answer = switches.alteration === undefined ? built : altered(built, switches.alteration);
        return { result: { RawData: answer.raw }, txHash: skipValidate ? "" : answer.hash };
      }),

    decode: (json) =>
      validated(() => {
        const { RawData: raw } = transaction.parse(json);
        return {
          tx: { hash: hashOf(raw).toString("hex"), sender: senderOf(raw), nonce: raw.Nonce ?? 0n, chainID: chainId },
        };
      }),

    broadcast: (json) =>
      validated(() => {
        blocks.catchUp();
        const { tx } = z.strictObject({ tx: transaction }).parse(json);
        const bytes = hashOf(tx.RawData);
        check(tx, bytes, true);
        const hash = bytes.toString("hex");
        if (switches.losesBroadcasts !== true) blocks.add({ hash, transaction: tx });
        chain.changed();
        return hash;
      }),

    lookUp: (hash, withResults) => {
      blocks.catchUp();
      const known = blocks.find(hash);
      if (known === undefined) throw new Refusal("getting transaction failed: transaction not found", 500);
      return describe(known, withResults);
    },

    pool: (sender) => {
      blocks.catchUp();
      return blocks.pool(sender).map(({ hash, transaction: { RawData: raw } }) => ({
        hash,
        sender: senderOf(raw),
        nonce: raw.Nonce ?? 0n,
      }));
    },

    query: (json) => {
      blocks.catchUp();
      return carryOutQuery(query.safeParse(json));
    },

    set: (change) => {
      switches = { ...switches, ...change };
    },
    switches: () => switches,
    setFees: (change) => {
      fees = { ...fees, ...change };
    },
    transactions: () => [...blocks.onChain(), ...blocks.pool()].reverse().map(snapshot),
  };

  function carryOutQuery(body: ReturnType<typeof query.safeParse>): object {
    if (!body.success) throw new Refusal("executeQuery: invalid json request");
    const { scAddress, funcName, caller, value, args } = body.data;
    const odd = args.find((arg) => !/^(?:[0-9a-f]{2})*$/i.test(arg));
    if (odd !== undefined) throw new Refusal(`executeQuery: '${odd}' is not a valid hex string: encoding/hex`);
    const contract = accountAt(scAddress);
    const bytes = args.map((arg) => Buffer.from(arg, "hex"));
    const output = { returnData: [] as string[], returnCode: "Ok", returnMessage: "", gasRemaining: 0, logs: [] };
    try {
      const { entries } = simulate(state, now, {
        contract,
        functionName: funcName,
        inputs: (declaration) => decodeByteArguments(declaration, bytes),
        payments: Object.entries(value).map(([asset, units]) => ({ ...assetOf(asset), units })),
        caller: caller === undefined ? contract : accountAt(caller),
      });
      return { data: { ...output, returnData: entries.map((entry) => entry.toString("base64")) } };
    } catch (failure) {
      if (failure instanceof BadRequest) throw new Refusal(`executeQuery: ${failure.message}`);
      if (!(failure instanceof CallFailure)) throw failure;
      return { data: { ...output, returnCode: failure.returnCode, returnMessage: failure.message } };
    }
  }
}

/** An account in a request. @throws Refusal. */
export function accountAt(text: string): Address {
  try {
    return readAddress(text);
  } catch (cause) {
    throw new Refusal(`'${text}' is not a valid address: ${(cause as Error).message}`);
  }
}

/** What goes wrong with a transaction is told with status 400. */
function validated<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (failure) {
    const text = failure instanceof z.ZodError ? z.prettifyError(failure) : (failure as Error).message;
    throw new Refusal(`validation error: ${text}`, 400, { result: null, txHash: "" });
  }
}

/** As klever-go data/api/blockAPI.go: the transaction itself, and beside it what the node knows of it. */
function describe({ hash, transaction: signed, block, outcome }: Known, withResults: boolean): object {
  const signatures = (signed.Signature ?? []).map((each) => Buffer.from(each, "base64").toString("hex"));
  return {
    ...signed,
    ...(outcome !== undefined && outcome.resultCode !== 0 && { Result: 1, ResultCode: outcome.resultCode }),
    ...(block !== undefined && { Block: block }),
    status: block === undefined ? "pending" : "onChain",
    hash,
    signature: signatures,
    ...(outcome !== undefined && withResults && { logs: { address: "", contractId: 0, events: outcome.events } }),
  };
}

function snapshot({ hash, transaction: { RawData: raw }, block, outcome }: Known): TransactionSnapshot {
  return {
    hash,
    sender: senderOf(raw),
    nonce: (raw.Nonce ?? 0n).toString(),
    call: functionNameIn(raw),
    fee: ((raw.BandwidthFee ?? 0n) + (raw.KAppFee ?? 0n)).toString(),
    ...(block !== undefined && { block }),
    ...(outcome !== undefined && outcome.resultCode !== 0 && { failure: outcome.words }),
  };
}

function functionNameIn(raw: RawData): string {
  return (
    Buffer.from(raw.Data?.[0] ?? "", "base64")
      .toString()
      .split("@")[0] ?? ""
  );
}
