import { isDeepStrictEqual } from "node:util";
import { stringify } from "lossless-json";
import pino from "pino";
import { z } from "zod";
import { systemClock, type Clock } from "./clock.js";
import { secretsOf, walletModeOf, type Config } from "./config.js";
import { addressFromBytes, addressToBytes, parseAccountAddress, type Address } from "./encoding/address.js";
import { amountOf, formatAmount } from "./encoding/amount.js";
import { formatAssetId } from "./encoding/asset.js";
import type { ContractCall } from "./encoding/call.js";
import { callData, viewBody } from "./encoding/wire.js";
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
import { sentenceOf } from "./locales/sentence.js";
import { askNode } from "./services/clients/ask-node.js";
import { createHttp, expectSuccess } from "./services/clients/http.js";
import { parseAs, wholeOrText } from "./services/clients/json.js";
import { createContractViews } from "./services/clients/wire-gateway.js";
import { hideSecrets } from "./services/log.js";
import { checkTransaction } from "./services/wallet-gateway/check.js";
import { createChainNode } from "./services/wallet-gateway/node.js";
import { smallestCalls } from "./trial-calls.js";

/** What one attempt of the trial showed. */
export interface Attempt {
  readonly subject: string;
  /** `partly`: the bytes are proven, but the node did not build or simulate the call. `open`: a trial without money can't show it. */
  readonly verdict: "proven" | "partly" | "failed" | "open";
  /** For the operator, without secrets: it can be pasted into an issue. */
  readonly text: string;
}

const KLV = { id: "KLV", name: "KLV", precision: 6, kind: "fungible" } as const;
const SMART_CONTRACT = { type: 63n, url: "type.googleapis.com/proto.SmartContract" };
/** What stands in the bytes of a call that no node built. */
const ASSUMED_FEES = { KAppFee: 2_000_000n, BandwidthFee: 5_000_000n };

/**
 * A first trial without money: has the configured node build one transaction of every kind that the bot makes for this account,
 * checks each as the bot would, and has the node that wallets ask decode it. Nothing is signed, nothing broadcast.
 */
export async function tryAs(config: Config, text: string, clock: Clock = systemClock): Promise<readonly Attempt[]> {
  const hide = hideSecrets(secretsOf(config));
  const http = createHttp({ timeoutSeconds: config.httpTimeoutSeconds, clock, log: pino({ level: "silent" }) });
  const { nodeUrl } = config;
  const node = createChainNode({ nodeUrl, http, clock, hide });
  const views = createContractViews({ nodeUrl, http, hide, returnDataEncoding: "base64", bodyOf: viewBody });
  const attempts: Attempt[] = [];
  const sentence = (error: unknown): string =>
    hide(isFault(error) ? sentenceOf(error, messages.en) : "It could not be tried");
  const add = (subject: string, verdict: Attempt["verdict"], said: string) =>
    attempts.push({ subject, verdict, text: said });
  /** What is tried, and what it proved; undefined where it failed. */
  const attempt = async <Value>(subject: string, work: () => Promise<Value>, said: (value: Value) => string) => {
    try {
      const value = await work();
      add(subject, "proven", said(value));
      return value;
    } catch (error) {
      add(subject, "failed", sentence(error));
      return undefined;
    }
  };

  const tryAll = async (): Promise<void> => {
    const address = await attempt(
      "address",
      () => Promise.resolve().then(() => parseAccountAddress(text)),
      (read) => `${read} is an account's address`,
    );
    if (address === undefined) return;
    const wallet = walletModeOf(config);
    if (wallet === undefined) {
      add("mode", "failed", "CALL_GATEWAY is query; transactions are built where it is wallet");
      return;
    }
    const { chainId } = wallet;
    const told = await attempt(
      "chain",
      node.chainId,
      (id) => `The node says that it belongs to chain ${id ?? "(nothing)"}`,
    );
    if (told !== chainId) {
      if (told !== undefined)
        add("chain", "failed", `CHAIN_ID is ${chainId}, the node's is ${told}: nothing else was tried`);
      return;
    }

    const account = await attempt(
      "account",
      () => node.nonce(address),
      ({ nonce }) => `Its next number is ${nonce}`,
    );
    const nonce = account?.nonce ?? 0n;
    if ((account?.pending ?? 0n) > 0n) add("account", "failed", "Transactions of it wait in the node's pool");
    await attempt(
      "balance",
      () => node.balance(address, KLV.id),
      (units) => `It holds ${formatAmount(amountOf(KLV, units))} KLV`,
    );
    const signsAlone = await attempt(
      "permissions",
      () => node.signsAlone(address),
      (alone) => `Its own key alone ${alone ? "can" : "can't"} sign`,
    );
    if (signsAlone === false) add("permissions", "failed", "The bot refuses accounts that need other signatures");

    await attempt("epoch", views.chainStatus, ({ epoch }) => `The chain is in epoch ${epoch}`);
    const referral = { contract: "referral", address: config.referralContract } as const;
    const named = await attempt(
      "view getRouterAddress",
      () => views.query(referral, "getRouterAddress", {}),
      ([router]) => `REFERRAL_CONTRACT swaps through ${router}`,
    );
    if (named !== undefined && named[0] !== config.routerContract) {
      add("view getRouterAddress", "failed", "That is not ROUTER_CONTRACT");
    }
    const router = { contract: "router", address: config.routerContract } as const;
    const listed = await attempt(
      "view getAllPairContractMetadata",
      () => views.query(router, "getAllPairContractMetadata", {}),
      (pairs) => `The router lists ${pairs.length} pairs`,
    );
    const lock = { contract: "simpleLock", address: config.lockContract } as const;
    const [lockedToken] =
      (await attempt(
        "view getLockedTokenId",
        () => views.query(lock, "getLockedTokenId", {}),
        ([id]) => `LOCK_CONTRACT gives out ${id}`,
      )) ?? [];

    const pairs = (listed ?? []).flatMap((each) =>
      each.address === undefined ? [] : [{ ...each, address: each.address }],
    );
    const pool = pairs.find(({ firstTokenId, secondTokenId }) => [firstTokenId, secondTokenId].includes(KLV.id));
    const target = pool && ({ contract: "pair", address: pool.address } as const);
    const reserves =
      target &&
      (await attempt(
        "pool",
        () => views.query(target, "getReservesAndTotalSupply", {}),
        ([first, second]) => `${pool.firstTokenId}/${pool.secondTokenId} holds ${first} and ${second} smallest units`,
      ));
    const turned = pairs.filter(({ firstTokenId, secondTokenId }) => firstTokenId > secondTokenId);
    if (listed !== undefined) {
      add(
        "payment order",
        turned.length === 0 ? "proven" : "partly",
        turned.length === 0
          ? "Each pair has its tokens in the order in which the chain passes payments on"
          : `The chain passes payments on sorted by token; ${turned.length} of ${pairs.length} pairs have theirs the other way round, and the bot pays no first liquidity there`,
      );
    }

    const calls = smallestCalls(config, address, { pairs, pool, reserves, lockedToken });
    const fees = [];
    for (const call of calls) {
      const { fee, ...tried } = await tryCall(call, { address, nonce, chainId });
      attempts.push({ subject: call.function, ...tried });
      if (fee !== undefined) fees.push(fee);
      if (tried.verdict !== "failed") continue;
      add("other calls", "open", "Not tried after this one failed");
      break;
    }
    const dearest = fees.reduce((most, fee) => (fee > most ? fee : most), 0n);
    const inKlv = (units: bigint) => `${formatAmount(amountOf(KLV, units))} KLV`;
    if (fees.length === 0) add("network fee", "failed", "The node built nothing, so no fee is known");
    else if (dearest > wallet.maxNetworkFee)
      add(
        "network fee",
        "failed",
        `The dearest is ${inKlv(dearest)}, above MAX_NETWORK_FEE of ${inKlv(wallet.maxNetworkFee)}`,
      );
    else
      add("network fee", "proven", `At most ${inKlv(dearest)}; MAX_NETWORK_FEE allows ${inKlv(wallet.maxNetworkFee)}`);
  };

  /** Has a call built, checked and decoded; where the node refuses to build it, the bytes are the bot's own. */
  const tryCall = async (
    call: ContractCall,
    { address, nonce, chainId }: { readonly address: Address; readonly nonce: bigint; readonly chainId: string },
  ): Promise<Omit<Attempt, "subject"> & { readonly fee?: bigint }> => {
    let refusal: string | undefined;
    let raw = bytesOf(call, address, nonce, chainId);
    try {
      const built = await node.build(call, address, nonce);
      checkTransaction(built.raw, { call, sender: address, nonce, chainId, hash: built.hash });
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
      const odd = await differsIn(raw);
      if (odd !== undefined)
        return { verdict: "failed", text: `The wallets' node decodes other bytes: ${odd} differs` };
    } catch (error) {
      const isMissing = isFault(error, "service-status") && error.parameters.status === 404;
      const missing =
        "WALLET_NODE_URL has no POST /transaction/decode, which the Klever extension asks before it shows anything";
      return { verdict: "failed", text: isMissing ? missing : sentence(error) };
    }
    if (refusal !== undefined)
      return { verdict: "partly", text: `Its bytes are decoded as they are meant. Not simulated: ${refusal}` };
    return {
      verdict: "proven",
      text: "Built, simulated, each field as asked for, and decoded as it is meant",
      fee: raw.KAppFee + raw.BandwidthFee,
    };
  };

  /** Which field the node that wallets ask shows otherwise than it stands in the bytes; undefined where none. */
  const differsIn = async (raw: RawData): Promise<string | undefined> => {
    const body = stringify({ RawData: rawDataToJson(raw) }) ?? "";
    const walletNode = { nodeUrl: walletModeOf(config)?.walletNodeUrl ?? nodeUrl, http };
    const answer = await askNode(walletNode, "transaction/decode", { body });
    expectSuccess("node", answer);
    const { tx } = parseAs(decodeAnswer, answer.text, wholeOrText, "a decoded transaction in another form").data;
    // The bytes of a map, and so what is read of them, have no order.
    const byAsset = (one: { readonly asset: string }, other: { readonly asset: string }) =>
      one.asset < other.asset ? -1 : 1;
    for (const { parameter } of tx.contract) parameter.callValue.sort(byAsset);
    const { address, payments } = readSmartContract(raw.Contract[0]?.Parameter?.value ?? new Uint8Array());
    const meant = {
      hash: Buffer.from(transactionHash(writeRawData(raw))).toString("hex"),
      nonce: raw.Nonce,
      kAppFee: raw.KAppFee,
      bandwidthFee: raw.BandwidthFee,
      chainID: Buffer.from(raw.ChainID).toString(),
      data: raw.Data.map((each) => Buffer.from(each).toString("hex")),
      contract: [
        {
          parameter: {
            address: addressFromBytes(address),
            callValue: payments
              .map((payment) => ({ asset: formatAssetId(payment), value: payment.units }))
              .sort(byAsset),
          },
        },
      ],
    };
    return Object.entries(meant).find(([field, value]) => !isDeepStrictEqual(tx[field as keyof typeof tx], value))?.[0];
  };

  try {
    await tryAll();
  } finally {
    await http.close();
  }
  add("signature, broadcast, wallet", "open", "Not tried: nothing was signed or sent, and no wallet was opened");
  return attempts;
}

const decodeAnswer = z.object({
  data: z.object({
    tx: z.object({
      hash: z.string(),
      nonce: z.bigint(),
      kAppFee: z.bigint(),
      bandwidthFee: z.bigint(),
      chainID: z.string(),
      data: z.array(z.string()),
      contract: z.array(
        z.object({
          parameter: z.object({
            address: z.string(),
            callValue: z
              .array(z.object({ asset: z.string(), value: z.bigint() }))
              .nullish()
              .transform((payments) => payments ?? []),
          }),
        }),
      ),
    }),
  }),
});

/** The transaction of a call as the bot itself would write it. */
function bytesOf(call: ContractCall, sender: Address, nonce: bigint, chainId: string): RawData {
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
    Contract: [{ Type: SMART_CONTRACT.type, Parameter: { type_url: SMART_CONTRACT.url, value } }],
    PermissionID: 0n,
    Data: [new Uint8Array(Buffer.from(callData(call), "utf8"))],
    ...ASSUMED_FEES,
    Version: 1n,
    ChainID: new Uint8Array(Buffer.from(chainId, "utf8")),
    KDAFee: undefined,
  };
}
