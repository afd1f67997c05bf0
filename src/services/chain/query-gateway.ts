import * as z from "zod";
import { within } from "../../clock.js";
import type { Address } from "../../encoding/address.js";
import type { Holdings } from "../../encoding/amount.js";
import { contractCall, wireBody, type ContractCall } from "../../encoding/call.js";
import type { ContractName, FunctionName, InputsOf } from "../../encoding/contracts.js";
import {
  decodeOutputs,
  readAnswer,
  failureOf,
  MAX_LISTED,
  resultCodeNamed,
  unreadableAnswer,
} from "../../encoding/result.js";
import type { ContractAnswer, OutputsOf, ReturnDataEncoding } from "../../encoding/result.js";
import { Fault, isFault, unlessFault, unlessFaultSync } from "../../fault.js";
import type { Basics } from "../../loop.js";
import { expectSuccess, type HttpAnswer, isSuccess, parseAs, parseJson, wholeOrText } from "../base/http.js";
import { askNode, dataOf, isNotFound, type NodeParts } from "./node.js";
import type { CallGateway } from "../intent/change.js";
import type { ContractOutcome } from "../intent/intent.js";
import { createKeyedQueue } from "../base/keyed-queue.js";
import { createUntoldPause } from "./untold-pause.js";
import { plainText } from "../base/display-text.js";

/** Longer messages from a contract are an attack or a stack trace. */
const MAX_CONTRACT_TEXT = 300;

/** Fits a call's results and the events that a node may add. */
const MAX_CALL_BYTES = 256 * 1024;
/**
 * The largest honest answer to a view is the router's list of pairs. A pair is two ids of at most 15 bytes, the lengths
 * of both, and an address: 70 bytes, so 140 hex digits, two quotation marks and a comma.
 */
const PAIR_BYTES = 143;
/** The list, and what a node adds to it: gas, accounts, logs. */
export const MAX_VIEW_BYTES = MAX_LISTED * PAIR_BYTES + 64 * 1024;

interface ContractViewParts extends NodeParts {
  readonly returnDataEncoding: ReturnDataEncoding;
  /** Removes secrets from the node's messages, which may repeat the password in its URL. */
  readonly hide: (text: string) => string;
}

/** The documented interface: `POST {nodeUrl}/vm/query` executes calls and answers views. */
export function createQueryGateway(
  parts: ContractViewParts & { readonly callIncludesCaller: boolean },
): ContractGateway {
  return {
    ...createContractViews({ ...parts, bodyOf: (call) => wireBody(call) }),
    begin: ({ call, terms }) => {
      const body = JSON.stringify(wireBody(call, parts.callIncludesCaller ? terms.payout : undefined));
      const request = { body, retry: false, maximumBytes: MAX_CALL_BYTES };
      const send = async () => readSendAnswer(await askNode(parts, "vm/query", request), parts.hide);
      return Promise.resolve({ kind: "call", send });
    },
    // Nothing has left, but one rule for all interruptions errs on the safe side.
    interrupted: "unknown",
  };
}

export interface ChainStatus {
  readonly epoch: bigint;
  readonly epochMilliseconds?: number;
  /** In milliseconds since 1970. */
  readonly nextEpochAt?: number;
}

/** What contracts and the node tell without a transaction. */
export interface ContractViews {
  /**
   * Calls a read-only function, with retries. @throws Fault `view-missing` if there is no such contract or function,
   * `contract-failed` with the contract's message, `node-refused` with the node's own, which says nothing about the
   * contract; `service-…`, `answer-unreadable`.
   */
  readonly query: <Contract extends ContractName, Name extends FunctionName<Contract>>(
    target: { readonly contract: Contract; readonly address: Address },
    functionName: Name,
    inputs: InputsOf<Contract, Name>,
  ) => Promise<OutputsOf<Contract, Name>>;
  /** @throws Fault `service-…`, `answer-unreadable`. */
  readonly chainStatus: () => Promise<ChainStatus>;
}

/** All that goes to contracts: calls, and views. */
export type ContractGateway = CallGateway & ContractViews;

/** @param parts.bodyOf encodes a call the way the node expects it. */
export function createContractViews(
  parts: ContractViewParts & { readonly bodyOf: (call: ContractCall) => object },
): ContractViews {
  return {
    query: async (target, functionName, inputs) => {
      const body = JSON.stringify(parts.bodyOf(contractCall(target, functionName, inputs)));
      const answer = await askNode(parts, "vm/query", { body, maximumBytes: MAX_VIEW_BYTES });
      const read = answer.status < 500 && answer.status !== 429 ? contractAnswer(answer) : undefined;
      if (read?.ok === false) throw viewRefusal(read, parts.hide);
      expectSuccess("node", answer);
      if (read === undefined) throw unreadableAnswer("neither a return code nor an error");
      return decodeOutputs(target.contract, functionName, read.returnData, parts.returnDataEncoding);
    },

    chainStatus: async () => {
      const answer = await askNode(parts, "node/status");
      expectSuccess("node", answer);
      return readChainStatus(answer.text, answer.receivedAt);
    },
  };
}

/** A proxy may have timed out although the node received the call. */
const REQUEST_TIMEOUT = 408;

/**
 * Only a readable answer with status 2xx, or a readable refusal with 4xx except 408, is definite.
 * @throws Fault for anything else: the outcome is unknown.
 */
export function readSendAnswer(answer: HttpAnswer, hide: (text: string) => string): ContractOutcome {
  const { status } = answer;
  // Slower, but strict: an answer that states two return codes says nothing certain about the call.
  const read = status < 500 ? contractAnswer(answer, Number) : undefined;
  if (read?.ok === true && isSuccess(answer)) return { kind: "ok", returnData: read.returnData };
  if (read?.ok === false && (isSuccess(answer) || (status >= 400 && status !== REQUEST_TIMEOUT))) {
    return { kind: "failed", ...failureOf(resultCodeNamed(read.returnCode), contractText(read, hide)) };
  }
  expectSuccess("node", answer);
  throw unreadableAnswer("neither a success nor a failure");
}

const metrics = z.object({
  klv_epoch_number: z.number().int().nonnegative(),
  klv_slots_per_epoch: z.number().int().positive().optional(),
  klv_slot_duration: z.number().int().positive().optional(),
  klv_current_slot: z.number().int().nonnegative().optional(),
  klv_slot_at_epoch_start: z.number().int().nonnegative().optional(),
});
const epochStatus = dataOf({ metrics });

/**
 * Parses `GET /node/status` (klever-go): the epoch, and its length and end if slots are reported.
 * @throws Fault `answer-unreadable`.
 */
export function readChainStatus(text: string, now: number): ChainStatus {
  const told = parseAs(epochStatus, text, Number, "a node status without an epoch").data.metrics;
  const epoch = BigInt(told.klv_epoch_number);
  const { klv_slots_per_epoch: slots, klv_slot_duration: duration } = told;
  if (slots === undefined || duration === undefined) return { epoch };
  const { klv_current_slot: current, klv_slot_at_epoch_start: start } = told;
  // A node that was restarted says 0 until its next epoch (klever-go cmd/node/metrics/metrics.go).
  const isStartKnown = start !== undefined && (start > 0 || epoch === 0n);
  if (current === undefined || !isStartKnown) return { epoch, epochMilliseconds: slots * duration };
  const slotsLeft = Math.max(0, start + slots - current);
  return { epoch, epochMilliseconds: slots * duration, nextEpochAt: now + slotsLeft * duration };
}

function contractAnswer({ text }: HttpAnswer, readNumber?: (digits: string) => number): ContractAnswer | undefined {
  return unlessFaultSync(() => readAnswer(parseJson(text, readNumber)));
}

/** The node's own errors, such as that it isn't ready, come without a return code. */
const RETURN_CODE = /^[A-Z][A-Za-z]+(?=:|$)/;
const MISSING_CODES = ["VMFunctionNotFound", "ContractNotFound"];

function viewRefusal(read: ContractAnswer, hide: (text: string) => string): Fault {
  const text = contractText(read, hide);
  const returnCode = read.returnCode || RETURN_CODE.exec(read.message)?.[0];
  if (returnCode === undefined) return new Fault("node-refused", { text });
  return new Fault(MISSING_CODES.includes(returnCode) ? "view-missing" : "contract-failed", { text });
}

function contractText({ message, returnCode }: ContractAnswer, hide: (text: string) => string): string {
  const shown = (text: string) => plainText(hide(text), MAX_CONTRACT_TEXT);
  return shown(message) || shown(returnCode) || "no reason";
}

const balanceAnswer = dataOf({ balance: z.bigint().nonnegative() });

/**
 * In base units. @throws Fault `balances-untold` if the node has no such endpoint, `account-unknown`, `service-…`,
 * `answer-unreadable`.
 */
export async function readBalance(node: NodeParts, address: Address, asset: string): Promise<bigint> {
  const answer = await askNode(node, `address/${address}/balance?asset=${encodeURIComponent(asset)}`);
  if (isNotFound(answer, "account")) throw new Fault("account-unknown", { address });
  if ([404, 405, 501].includes(answer.status)) throw new Fault("balances-untold", {});
  expectSuccess("node", answer);
  return parseAs(balanceAnswer, answer.text, wholeOrText, "a balance in another form").data.balance;
}

const TIMEOUT_MS = 1500;
const MAX_CONCURRENT_READS = 8;

/** Account balances. A node that doesn't offer them is left alone for a while. */
export interface Balances {
  /** Whether the node offered balances when it was last asked. */
  readonly areTold: () => boolean;
  /** What an account holds of some assets (`KLV`, `LKTOK-1A2B/7`), in base units. @throws as {@link readBalance}. */
  readonly read: (address: Address, assets: readonly string[]) => Promise<Holdings>;
  /** Same as `read`, but undefined if the node doesn't answer in time. Never throws a Fault. */
  readonly known: (address: Address, assets: readonly string[]) => Promise<Holdings | undefined>;
}

export function createBalances(parts: NodeParts & Basics): Balances {
  const { clock, log } = parts;
  const queue = createKeyedQueue(MAX_CONCURRENT_READS);
  const untold = createUntoldPause(clock);
  const areTold = (): boolean => !untold.isOn();

  const readOne = async (address: Address, asset: string) => {
    if (!areTold()) throw new Fault("balances-untold", {});
    try {
      const units = await readBalance(parts, address, asset);
      untold.end();
      return [asset, units] as const;
    } catch (error) {
      if (!isFault(error, "balances-untold")) untold.end();
      else if (areTold()) untold.note();
      throw error;
    }
  };
  const read = async (address: Address, assets: readonly string[]): Promise<Holdings> => {
    const held = assets.map((asset) => queue.take(`${address} ${asset}`, () => readOne(address, asset)));
    return Object.fromEntries(await Promise.all(held));
  };
  const known = (address: Address, assets: readonly string[]): Promise<Holdings | undefined> => {
    const note = (err: Fault) => {
      if (err.code !== "balances-untold") log.info({ err }, "Balances unreadable");
    };
    const told = unlessFault(() => read(address, assets), note);
    return within(clock, TIMEOUT_MS, told);
  };

  return { areTold, read, known };
}
