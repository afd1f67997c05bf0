import { isDeepStrictEqual } from "node:util";
import { stringify } from "lossless-json";
import * as z from "zod";
import { systemClock, type Clock } from "../../clock.js";
import type { Config, WalletConfig } from "../../config.js";
import { type Asking, whileConnected } from "../../app/connect.js";
import { parseAccountAddress, type Address } from "../../encoding/address.js";
import { formatAssetId, KLV } from "../../encoding/amount.js";
import { callData, type ContractCall } from "../../encoding/call.js";
import { transactionHash, transactionOf, type Frame, type RawData } from "../../encoding/transaction.js";
import { isFault } from "../../fault.js";
import { errorMessage, messages } from "../../locales/messages.js";
import { expectSuccess, parseAs, wholeOrText } from "../../services/base/http.js";
import { askNode, type NodeParts } from "../../services/chain/node.js";
import { checkedTransaction, inKlv } from "../../services/signing/prepare.js";
import { smallestCalls } from "./calls.js";

export interface Attempt {
  readonly subject: string;
  /** `partly`: the bytes are proven, but the node didn't build or simulate the call. `open`: needs money to show. */
  readonly verdict: "proven" | "partly" | "failed" | "open";
  /** For the operator, without secrets, so that it can be pasted into an issue. */
  readonly text: string;
}

type Trial = ReturnType<typeof createTrial>;

/**
 * Runs a trial without money: the node builds one transaction of every kind, each is checked as the bot would, and the
 * wallets' node decodes it. Nothing is signed or broadcast.
 */
export function tryAs(config: Config, text: string, clock: Clock = systemClock): Promise<readonly Attempt[]> {
  return whileConnected(config, clock, async (asking) => {
    const trial = createTrial(asking);
    const { add, attempts } = trial;
    await tryAll(trial, text);
    add("signature, broadcast, wallet", "open", "Not tried: nothing was signed or sent, and no wallet was opened");
    return attempts;
  });
}

function createTrial({ connections, config }: Asking) {
  const attempts: Attempt[] = [];
  const add = (subject: string, verdict: Attempt["verdict"], text: string) => attempts.push({ subject, verdict, text });
  const sentence = (error: unknown): string =>
    connections.hide(isFault(error) ? errorMessage(error, messages.en) : "It could not be tried");
  return {
    config,
    connections,
    attempts,
    sentence,
    add,
    attempt: async <Value>(subject: string, work: Promise<Value>, said: (value: Value) => string) => {
      try {
        const value = await work;
        add(subject, "proven", said(value));
        return value;
      } catch (error) {
        add(subject, "failed", sentence(error));
        return undefined;
      }
    },
  };
}

async function tryAll(trial: Trial, text: string): Promise<unknown> {
  const { config, connections, add, attempt } = trial;
  const { node } = connections;
  const read = Promise.resolve(text).then(parseAccountAddress);
  const address = await attempt("address", read, (account) => `${account} is an account's address`);
  if (address === undefined) return undefined;
  const { gateway } = config;
  if (gateway.kind === "query") {
    return add("mode", "failed", "CALL_GATEWAY is query; transactions are built where it is wallet");
  }
  const { chainId } = gateway;
  const named = node.chainId().then((id = "(nothing)") => id);
  const told = await attempt("chain", named, (id) => `The node says that it belongs to chain ${id}`);
  if (told === undefined) return undefined;
  if (told !== chainId) {
    return add("chain", "failed", `CHAIN_ID is ${chainId}, the node's is ${told}: nothing else was tried`);
  }
  const nonce = await tryAccount(trial, address);
  return tryCalls(trial, gateway, await smallestCalls(config, connections.gateway, address), {
    sender: address,
    nonce,
    chainId,
  });
}

async function tryAccount({ connections: { node }, add, attempt }: Trial, address: Address): Promise<bigint> {
  const account = await attempt("account", node.nonce(address), ({ nonce }) => `Its next number is ${nonce}`);
  if ((account?.txPending ?? 0n) > 0n) add("account", "failed", "Transactions of it wait in the node's pool");
  await attempt("balance", node.balance(address, KLV.id), (units) => `It holds ${inKlv(units)} KLV`);
  const canSign = (alone: boolean) => `Its own key alone ${alone ? "can" : "can't"} sign`;
  const signsAlone = await attempt("permissions", node.signsAlone(address), canSign);
  if (signsAlone === false) add("permissions", "failed", "The bot refuses accounts that need other signatures");
  return account?.nonce ?? 0n;
}

/** Stops at the first call that fails; compares the highest fee with the limit. */
async function tryCalls(trial: Trial, wallet: WalletConfig, calls: readonly ContractCall[], frame: Frame) {
  const { add, connections, sentence } = trial;
  const { maxNetworkFee, walletNodeUrl } = wallet;
  const failed = (error: unknown): Tried => ({ verdict: "failed", text: sentence(error) });
  let dearest: bigint | undefined;
  for (const call of calls) {
    const { verdict, text, fee } = await tryCall(
      trial,
      { nodeUrl: walletNodeUrl, http: connections.http },
      call,
      frame,
    ).catch(failed);
    add(call.function, verdict, text);
    if (fee !== undefined && fee > (dearest ?? -1n)) dearest = fee;
    if (verdict !== "failed") continue;
    add("other calls", "open", "Not tried after this one failed");
    break;
  }
  if (dearest === undefined) return add("network fee", "failed", "The node built nothing, so no fee is known");
  const [most, limit] = [`${inKlv(dearest)} KLV`, `${inKlv(maxNetworkFee)} KLV`];
  return dearest <= maxNetworkFee
    ? add("network fee", "proven", `At most ${most}; MAX_NETWORK_FEE allows ${limit}`)
    : add("network fee", "failed", `The dearest is ${most}, above MAX_NETWORK_FEE of ${limit}`);
}

type Tried = Omit<Attempt, "subject"> & { readonly fee?: bigint };

/** Fees in the bytes of a call that no node built. */
const ASSUMED_FEES = { KAppFee: 2_000_000n, BandwidthFee: 5_000_000n };
const MISSING_DECODE =
  "WALLET_NODE_URL has no POST /transaction/decode, which the Klever extension asks before it shows anything";

/** If the node refuses to build the call, tries the bot's own bytes. */
async function tryCall(trial: Trial, walletNode: NodeParts, call: ContractCall, frame: Frame): Promise<Tried> {
  const { connections, sentence } = trial;
  const { node, hide } = connections;
  let refusal: string | undefined;
  let raw = transactionOf(call, frame, ASSUMED_FEES);
  try {
    raw = checkedTransaction(await node.build(call, frame.sender, frame.nonce), call, frame);
  } catch (error) {
    if (!isFault(error, "contract-failed", "call-ended", "funds-missing", "node-refused")) throw error;
    refusal = isFault(error, "call-ended")
      ? hide(messages.en.resultCode(error.parameters.code, error.parameters.text))
      : sentence(error);
  }
  const objection = await objectionTo(walletNode, call, raw);
  if (objection !== undefined) return { verdict: "failed", text: objection };
  if (refusal !== undefined) {
    return { verdict: "partly", text: `Its bytes are decoded as they are meant. Not simulated: ${refusal}` };
  }
  const text = "Built, simulated, each field as asked for, and decoded as it is meant";
  return { verdict: "proven", text, fee: (raw.KAppFee ?? 0n) + (raw.BandwidthFee ?? 0n) };
}

const paid = z.object({ asset: z.string(), value: z.bigint() });
// A map's bytes have no fixed order, and neither has what is decoded from them.
const payments = z.preprocess((listed) => listed ?? [], z.array(paid)).transform((all) => all.sort(byAsset));
const trialParameter = z.object({ address: z.string(), callValue: payments });
const transaction = z.object({
  hash: z.string(),
  nonce: z.bigint(),
  kAppFee: z.bigint(),
  bandwidthFee: z.bigint(),
  chainID: z.string(),
  data: z.array(z.string()),
  contract: z.array(z.object({ parameter: trialParameter })),
});
const decodeAnswer = z.object({ data: z.object({ tx: transaction }) });

/** @returns a sentence if the wallets' node shows something else than what was meant. */
async function objectionTo(walletNode: NodeParts, call: ContractCall, raw: RawData): Promise<string | undefined> {
  const body = stringify({ RawData: raw }) ?? "";
  const answer = await askNode(walletNode, "transaction/decode", { body });
  if (answer.status === 404) return MISSING_DECODE;
  expectSuccess("node", answer);
  const { tx } = parseAs(decodeAnswer, answer.text, wholeOrText, "a decoded transaction in another form").data;
  const callValue = call.payments.map((each) => ({ asset: formatAssetId(each), value: each.units })).sort(byAsset);
  const meant: z.output<typeof transaction> = {
    hash: transactionHash(raw),
    nonce: raw.Nonce ?? 0n,
    kAppFee: raw.KAppFee ?? 0n,
    bandwidthFee: raw.BandwidthFee ?? 0n,
    chainID: Buffer.from(raw.ChainID, "base64").toString(),
    data: [Buffer.from(callData(call)).toString("hex")],
    contract: [{ parameter: { address: call.address, callValue } }],
  };
  const odd = Object.entries(meant).find(([field, value]) => !isDeepStrictEqual(tx[field as keyof typeof tx], value));
  return odd && `The wallets' node decodes other bytes: ${odd[0]} differs`;
}

function byAsset(one: z.output<typeof paid>, other: z.output<typeof paid>): number {
  return one.asset < other.asset ? -1 : 1;
}
