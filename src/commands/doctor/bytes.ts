import { isDeepStrictEqual } from "node:util";
import { stringify } from "lossless-json";
import { z } from "zod";
import { formatAssetId } from "../../encoding/amount.js";
import { callData, type ContractCall } from "../../encoding/call.js";
import { hashOf, transactionOf, type Frame, type RawData } from "../../encoding/transaction.js";
import { isFault } from "../../fault.js";
import { messages } from "../../locales/messages.js";
import { askNode, type NodeParts } from "../../services/gateway/ask-node.js";
import { expectSuccess, parseAs, wholeOrText } from "../../services/clients/http.js";
import { checkedTransaction } from "../../services/wallet/prepare.js";
import type { ChainNode } from "../../services/wallet/node.js";

export interface Attempt {
  readonly subject: string;
  /** `partly`: the bytes are proven, but the node did not build or simulate the call. `open`: a trial without money can't show it. */
  readonly verdict: "proven" | "partly" | "failed" | "open";
  /** For the operator, without secrets: it can be pasted into an issue. */
  readonly text: string;
}

interface Parts {
  readonly node: ChainNode;
  readonly walletNode: NodeParts;
  readonly hide: (text: string) => string;
  readonly sentence: (error: unknown) => string;
}

/** What stands in the bytes of a call that no node built. */
const ASSUMED_FEES = { KAppFee: 2_000_000n, BandwidthFee: 5_000_000n };
const MISSING_DECODE =
  "WALLET_NODE_URL has no POST /transaction/decode, which the Klever extension asks before it shows anything";

/** Where the node refuses to build it, the bytes are the bot's own. */
export async function tryCall(
  { node, walletNode, hide, sentence }: Parts,
  call: ContractCall,
  frame: Frame,
): Promise<Omit<Attempt, "subject"> & { readonly fee?: bigint }> {
  let refusal: string | undefined;
  let raw = transactionOf(call, frame, ASSUMED_FEES);
  try {
    raw = checkedTransaction(await node.build(call, frame.sender, frame.nonce), call, frame);
  } catch (error) {
    if (!isFault(error, "contract-failed", "call-ended", "funds-missing", "node-refused")) {
      return { verdict: "failed", text: sentence(error) };
    }
    refusal = isFault(error, "call-ended")
      ? hide(messages.en.intent.resultCode(error.parameters.code, error.parameters.text))
      : sentence(error);
  }
  try {
    const odd = await differsIn(walletNode, call, raw);
    if (odd !== undefined) return { verdict: "failed", text: `The wallets' node decodes other bytes: ${odd} differs` };
  } catch (error) {
    const isMissing = isFault(error, "service-status") && error.parameters.status === 404;
    return { verdict: "failed", text: isMissing ? MISSING_DECODE : sentence(error) };
  }
  if (refusal !== undefined) {
    return { verdict: "partly", text: `Its bytes are decoded as they are meant. Not simulated: ${refusal}` };
  }
  const text = "Built, simulated, each field as asked for, and decoded as it is meant";
  return { verdict: "proven", text, fee: (raw.KAppFee ?? 0n) + (raw.BandwidthFee ?? 0n) };
}

const paid = z.object({ asset: z.string(), value: z.bigint() });
// The bytes of a map, and so what is read of them, have no order.
const payments = z.preprocess((listed) => listed ?? [], z.array(paid)).transform((all) => all.sort(byAsset));
const parameter = z.object({ address: z.string(), callValue: payments });
const transaction = z.object({
  hash: z.string(),
  nonce: z.bigint(),
  kAppFee: z.bigint(),
  bandwidthFee: z.bigint(),
  chainID: z.string(),
  data: z.array(z.string()),
  contract: z.array(z.object({ parameter })),
});
const decodeAnswer = z.object({ data: z.object({ tx: transaction }) });

/** @returns the field that the wallets' node shows differently. */
async function differsIn(walletNode: NodeParts, call: ContractCall, raw: RawData): Promise<string | undefined> {
  const body = stringify({ RawData: raw }) ?? "";
  const answer = await askNode(walletNode, "transaction/decode", { body });
  expectSuccess("node", answer);
  const { tx } = parseAs(decodeAnswer, answer.text, wholeOrText, "a decoded transaction in another form").data;
  const callValue = call.payments.map((each) => ({ asset: formatAssetId(each), value: each.units })).sort(byAsset);
  const meant: z.output<typeof transaction> = {
    hash: hashOf(raw),
    nonce: raw.Nonce ?? 0n,
    kAppFee: raw.KAppFee ?? 0n,
    bandwidthFee: raw.BandwidthFee ?? 0n,
    chainID: Buffer.from(raw.ChainID, "base64").toString(),
    data: [Buffer.from(callData(call)).toString("hex")],
    contract: [{ parameter: { address: call.address, callValue } }],
  };
  return Object.entries(meant).find(([field, value]) => !isDeepStrictEqual(tx[field as keyof typeof tx], value))?.[0];
}

function byAsset(one: z.output<typeof paid>, other: z.output<typeof paid>): number {
  return one.asset < other.asset ? -1 : 1;
}
