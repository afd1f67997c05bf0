import { isDeepStrictEqual } from "node:util";
import { stringify } from "lossless-json";
import { z } from "zod";
import { addressFromBytes, addressToBytes } from "./encoding/address.js";
import { formatAssetId } from "./encoding/asset.js";
import { callData } from "./encoding/wire.js";
import { writeMessage } from "./encoding/protobuf.js";
import {
  rawDataToJson,
  readSmartContract,
  smartContract,
  transactionHash,
  writeRawData,
  type RawData,
} from "./encoding/transaction.js";
import { isFault } from "./fault.js";
import { messages } from "./locales/messages.js";
import { askNode, type NodeParts } from "./services/clients/ask-node.js";
import { expectSuccess } from "./services/clients/http.js";
import { parseAs, wholeOrText } from "./services/clients/json.js";
import { checkTransaction, type Expected } from "./services/wallet-gateway/check.js";
import type { ChainNode } from "./services/wallet-gateway/node.js";

/** What a transaction needs besides its call. */
export type Frame = Omit<Expected, "call" | "hash">;
type Meant = Omit<Expected, "hash">;

/** What one attempt of the trial showed. */
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

const MISSING_DECODE =
  "WALLET_NODE_URL has no POST /transaction/decode, which the Klever extension asks before it shows anything";

/** Has a call built, checked and decoded; where the node refuses to build it, the bytes are the bot's own. */
export async function tryCall(
  { node, walletNode, hide, sentence }: Parts,
  meant: Meant,
): Promise<Omit<Attempt, "subject"> & { readonly fee?: bigint }> {
  let refusal: string | undefined;
  let raw = bytesOf(meant);
  try {
    const built = await node.build(meant.call, meant.sender, meant.nonce);
    checkTransaction(built.raw, { ...meant, hash: built.hash });
    ({ raw } = built);
  } catch (error) {
    if (!isFault(error, "contract-failed", "call-ended", "funds-missing", "node-refused")) {
      return { verdict: "failed", text: sentence(error) };
    }
    refusal = isFault(error, "call-ended")
      ? hide(messages.en.intent.resultCode(error.parameters.code, error.parameters.text))
      : sentence(error);
  }
  try {
    const odd = await differsIn(walletNode, raw);
    if (odd !== undefined) return { verdict: "failed", text: `The wallets' node decodes other bytes: ${odd} differs` };
  } catch (error) {
    const isMissing = isFault(error, "service-status") && error.parameters.status === 404;
    return { verdict: "failed", text: isMissing ? MISSING_DECODE : sentence(error) };
  }
  if (refusal !== undefined) {
    return { verdict: "partly", text: `Its bytes are decoded as they are meant. Not simulated: ${refusal}` };
  }
  const text = "Built, simulated, each field as asked for, and decoded as it is meant";
  return { verdict: "proven", text, fee: raw.KAppFee + raw.BandwidthFee };
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

/** Which field the node that wallets ask shows otherwise than it stands in the bytes; undefined where none. */
async function differsIn(walletNode: NodeParts, raw: RawData): Promise<string | undefined> {
  const body = stringify({ RawData: rawDataToJson(raw) }) ?? "";
  const answer = await askNode(walletNode, "transaction/decode", { body });
  expectSuccess("node", answer);
  const { tx } = parseAs(decodeAnswer, answer.text, wholeOrText, "a decoded transaction in another form").data;
  const called = readSmartContract(raw.Contract[0]?.Parameter?.value ?? new Uint8Array());
  const callValue = called.payments.map((each) => ({ asset: formatAssetId(each), value: each.units })).sort(byAsset);
  const meant: z.output<typeof transaction> = {
    hash: Buffer.from(transactionHash(writeRawData(raw))).toString("hex"),
    nonce: raw.Nonce,
    kAppFee: raw.KAppFee,
    bandwidthFee: raw.BandwidthFee,
    chainID: Buffer.from(raw.ChainID).toString(),
    data: raw.Data.map((each) => Buffer.from(each).toString("hex")),
    contract: [{ parameter: { address: addressFromBytes(called.address), callValue } }],
  };
  return Object.entries(meant).find(([field, value]) => !isDeepStrictEqual(tx[field as keyof typeof tx], value))?.[0];
}

function byAsset(one: z.output<typeof paid>, other: z.output<typeof paid>): number {
  return one.asset < other.asset ? -1 : 1;
}

/** The transaction of a call as the bot itself would write it; its fees are made up. */
function bytesOf({ call, sender, nonce, chainId }: Meant): RawData {
  const value = writeMessage(smartContract, {
    Type: 0n,
    Address: addressToBytes(call.address),
    CallValue: call.payments.map((payment) => ({
      key: formatAssetId(payment),
      value: { Amount: payment.units, KDARoyalties: 0n, KLVRoyalties: 0n },
    })),
  });
  return {
    Nonce: nonce,
    Sender: addressToBytes(sender),
    Contract: [{ Type: 63n, Parameter: { type_url: "type.googleapis.com/proto.SmartContract", value } }],
    PermissionID: 0n,
    Data: [new Uint8Array(Buffer.from(callData(call), "utf8"))],
    KAppFee: 2_000_000n,
    BandwidthFee: 5_000_000n,
    Version: 1n,
    ChainID: new Uint8Array(Buffer.from(chainId, "utf8")),
    KDAFee: undefined,
  };
}
