import pino from "pino";
import { systemClock, type Clock } from "../../clock.js";
import { secretsOf, type Config } from "../../config.js";
import { parseAccountAddress, type Address } from "../../encoding/address.js";
import { amountOf, formatAmount } from "../../encoding/amount.js";
import type { ContractCall } from "../../encoding/call.js";
import type { Frame } from "../../encoding/transaction.js";
import { isFault, unlessFault } from "../../fault.js";
import { messages, errorMessage } from "../../locales/messages.js";
import { connect, type Connections } from "../../connect.js";
import { hideSecrets } from "../../log.js";
import { KLV } from "../../services/wallet/prepare.js";
import { tryCall, type Attempt } from "./bytes.js";
import { smallestCalls, targetsOf, type Known } from "./calls.js";

type Trial = ReturnType<typeof createTrial>;

/**
 * A trial without money: the node builds one transaction of every kind, each is checked as the bot would, and the
 * wallets' node decodes it. Nothing is signed or broadcast.
 */
export async function tryAs(config: Config, text: string, clock: Clock = systemClock): Promise<readonly Attempt[]> {
  const hide = hideSecrets(secretsOf(config));
  const connections = connect(config, { clock, log: pino({ level: "silent" }), hide });
  const trial = createTrial(config, connections, hide);
  try {
    await tryAll(trial, text);
  } finally {
    await connections.close();
  }
  trial.add("signature, broadcast, wallet", "open", "Not tried: nothing was signed or sent, and no wallet was opened");
  return trial.attempts;
}

function createTrial(config: Config, { gateway, http, node }: Connections, hide: (text: string) => string) {
  const attempts: Attempt[] = [];
  const add = (subject: string, verdict: Attempt["verdict"], text: string) => attempts.push({ subject, verdict, text });
  const sentence = (error: unknown): string =>
    hide(isFault(error) ? errorMessage(error, messages.en) : "It could not be tried");
  return {
    config,
    attempts,
    walletNode: { nodeUrl: config.gateway.kind === "wallet" ? config.gateway.walletNodeUrl : config.nodeUrl, http },
    node,
    gateway,
    hide,
    sentence,
    add,
    attempt: async <Value>(subject: string, work: () => Value | Promise<Value>, said: (value: Value) => string) => {
      try {
        const value = await work();
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
  const { config, node, add, attempt } = trial;
  const isAccount = (read: Address) => `${read} is an account's address`;
  const address = await attempt("address", () => parseAccountAddress(text), isAccount);
  if (address === undefined) return undefined;
  const { gateway } = config;
  if (gateway.kind === "query") {
    return add("mode", "failed", "CALL_GATEWAY is query; transactions are built where it is wallet");
  }
  const { chainId } = gateway;
  const belongs = (id = "(nothing)") => `The node says that it belongs to chain ${id}`;
  const told = await attempt("chain", node.chainId, belongs);
  if (told === undefined) return undefined;
  if (told !== chainId) {
    return add("chain", "failed", `CHAIN_ID is ${chainId}, the node's is ${told}: nothing else was tried`);
  }
  const nonce = await tryAccount(trial, address);
  const calls = smallestCalls(config, address, await readKnown(trial));
  return tryCalls(trial, calls, { sender: address, nonce, chainId }, gateway.maxNetworkFee);
}

async function tryAccount({ node, add, attempt }: Trial, address: Address): Promise<bigint> {
  const nextNumber = ({ nonce }: { readonly nonce: bigint }) => `Its next number is ${nonce}`;
  const account = await attempt("account", () => node.nonce(address), nextNumber);
  if ((account?.pending ?? 0n) > 0n) add("account", "failed", "Transactions of it wait in the node's pool");
  await attempt(
    "balance",
    () => node.balance(address, KLV.id),
    (units) => `It holds ${inKlv(units)}`,
  );
  const canSign = (alone: boolean) => `Its own key alone ${alone ? "can" : "can't"} sign`;
  const signsAlone = await attempt("permissions", () => node.signsAlone(address), canSign);
  if (signsAlone === false) add("permissions", "failed", "The bot refuses accounts that need other signatures");
  return account?.nonce ?? 0n;
}

async function readKnown({ config, gateway }: Trial): Promise<Known> {
  const { router, lock } = targetsOf(config);
  const [listed = [], lockedToken] = await Promise.all([
    unlessFault(() => gateway.query(router, "getAllPairContractMetadata", {})),
    unlessFault(() => gateway.query(lock, "getLockedTokenId", {})),
  ]);
  const pairs = listed.flatMap(({ address, ...each }) => (address === undefined ? [] : [{ ...each, address }]));
  const pool = pairs.find(({ firstTokenId, secondTokenId }) => [firstTokenId, secondTokenId].includes(KLV.id));
  const reserves =
    pool &&
    (await unlessFault(() =>
      gateway.query({ contract: "pair", address: pool.address }, "getReservesAndTotalSupply", {}),
    ));
  return { pairs, pool, reserves, lockedToken: lockedToken?.[0] };
}

/** Stops at the first that fails; compares fees with the limit. */
async function tryCalls(
  trial: Trial,
  calls: readonly ContractCall[],
  frame: Frame,
  maxNetworkFee: bigint,
): Promise<void> {
  const { add } = trial;
  const fees: bigint[] = [];
  for (const call of calls) {
    const { verdict, text, fee } = await tryCall(trial, call, frame);
    add(call.function, verdict, text);
    if (fee !== undefined) fees.push(fee);
    if (verdict !== "failed") continue;
    add("other calls", "open", "Not tried after this one failed");
    break;
  }
  const dearest = fees.reduce((most, fee) => (fee > most ? fee : most), 0n);
  const [most, limit] = [inKlv(dearest), inKlv(maxNetworkFee)];
  if (fees.length === 0) add("network fee", "failed", "The node built nothing, so no fee is known");
  else if (dearest <= maxNetworkFee) {
    add("network fee", "proven", `At most ${most}; MAX_NETWORK_FEE allows ${limit}`);
  } else add("network fee", "failed", `The dearest is ${most}, above MAX_NETWORK_FEE of ${limit}`);
}

function inKlv(units: bigint): string {
  return `${formatAmount(amountOf(KLV, units))} KLV`;
}
