import { Transaction as ConnectTransaction, crypto } from "@klever/connect";
import { Transaction as SdkTransaction, TXContract_ContractType } from "@klever/sdk-node";
import { stringify } from "lossless-json";
import { describe, expect, it, test } from "vitest";
import { addressToBytes } from "../../src/encoding/address.js";
import { formatAssetId } from "../../src/encoding/amount.js";
import { callData, type ContractCall } from "../../src/encoding/call.js";
import { bytesOf } from "../../src/encoding/transaction.js";
import { isFault } from "../../src/fault.js";
import { checkedTransaction } from "../../src/services/signing/prepare.js";
import { keys } from "../sandbox/node/real-node.js";
import { alice, operator } from "../services/samples.js";
import { everyKind, type Built } from "./every-kind.js";

/** Klever's own packages and the bot must read and write the same bytes for every kind of transaction. */
let built: Promise<readonly Built[]> | undefined;
const allKinds = (): Promise<readonly Built[]> => (built ??= everyKind());

it("covers every kind of call that the bot makes", async () => {
  expect((await allKinds()).map(({ call }) => call.function)).toEqual([
    ...["swap", "multiPairSwap", "createPair", "issueLpToken", "setLocalRoles", "addInitialLiquidity"],
    ...["lockTokens", "setSwapEnabledByUser", "unlockTokens"],
  ]);
});

/** The enclosing message, in which the raw data is field 1. */
function wholeOf(raw: Uint8Array): Buffer {
  const length = raw.length < 128 ? [raw.length] : [(raw.length % 128) | 128, raw.length >> 7];
  return Buffer.concat([Uint8Array.of(0x0a, ...length), raw]);
}

describe("what the sandbox's node built", () => {
  it("is hashed and signed the same by sdk-node and the bot, and decoded as what the card says", async () => {
    for (const { call, raw, hash, signature } of await allKinds()) {
      const theirs = new SdkTransaction();
      theirs.fromHex(wholeOf(bytesOf(raw)).toString("hex"));
      expect([call.function, theirs.computeHash()]).toEqual([call.function, hash]);
      expect(await theirs.sign(keys.alice)).toBe(true);
      expect(theirs.data.Signature?.map((each) => Buffer.from(each).toString("hex"))).toEqual([
        Buffer.from(signature).toString("hex"),
      ]);
      const {
        Sender,
        Nonce,
        Data,
        KAppFee,
        BandwidthFee,
        ChainID,
        Contracts: contracts,
      } = JSON.parse(theirs.decode()) as {
        readonly [name: string]: unknown;
      };
      expect({ Sender, Nonce, Data, KAppFee, BandwidthFee, ChainID, contracts }).toEqual({
        Sender: alice,
        Nonce: Number(raw.Nonce ?? 0n),
        Data: [callData(call)],
        KAppFee: Number(raw.KAppFee),
        BandwidthFee: Number(raw.BandwidthFee),
        ChainID: "109",
        contracts: [{ Type: 63, Contract: { Type: 0, Address: call.address, CallValue: callValue(call, true) } }],
      });
    }
  });

  it("is hashed and signed the same by connect and the bot, from the node's JSON", async () => {
    const key = crypto.importPrivateKey(keys.alice);
    for (const { call, raw, hash, signature } of await allKinds()) {
      const json = JSON.parse(stringify({ RawData: raw })!) as { RawData: object };
      const theirs = ConnectTransaction.fromObject(json);
      expect([call.function, theirs.getHash()]).toEqual([call.function, hash]);
      await theirs.sign(key);
      expect(theirs.Signature.map((each) => Buffer.from(each).toString("hex"))).toEqual([
        Buffer.from(signature).toString("hex"),
      ]);
      // The same from its bytes.
      const again = ConnectTransaction.fromBytes(theirs.toBytes());
      expect([call.function, again.getHash()]).toEqual([call.function, hash]);
    }
  });
});

/** The payments in the packages' form; `whole` includes fields that are zero. */
function callValue(call: ContractCall, whole = false) {
  const zeros = whole ? { KDARoyalties: 0, KLVRoyalties: 0 } : {};
  return Object.fromEntries(
    call.payments.map((each) => [formatAssetId(each), { Amount: Number(each.units), ...zeros }]),
  );
}

interface Offline {
  Nonce: number;
  Sender: Uint8Array;
  Data: Uint8Array[];
  KAppFee: number;
  BandwidthFee: number;
  Version: number;
  ChainID: Uint8Array;
  PermissionID?: number;
  KDAFee?: { KDA: Uint8Array; Amount: number };
  type: TXContract_ContractType;
  contract: { Type: number; Address: Uint8Array; CallValue: Record<string, { Amount: number }> };
  times: number;
}

/** The hash of a call's transaction, built by sdk-node without a node, after `change`. */
async function offline({ call, raw }: Built, change: (draft: Offline) => void = () => undefined) {
  const draft: Offline = {
    Nonce: Number(raw.Nonce ?? 0n),
    Sender: addressToBytes(alice),
    Data: [Buffer.from(callData(call))],
    KAppFee: Number(raw.KAppFee),
    BandwidthFee: Number(raw.BandwidthFee),
    Version: 1,
    ChainID: Buffer.from("109"),
    type: TXContract_ContractType.SmartContractType,
    contract: { Type: 0, Address: addressToBytes(call.address), CallValue: callValue(call) },
    times: 1,
  };
  change(draft);
  const { type, contract, times, ...rest } = draft;
  const built = new SdkTransaction({ ...rest, Contract: [] });
  for (let count = 0; count < times; count += 1) await built.addContract(type, contract);
  return built.computeHash();
}

/** Whether the bot would offer a transaction of this kind with this hash for signing. */
function isOffered({ call, raw }: Built, hash: string): boolean {
  const { Nonce: nonce = 0n, KAppFee = 0n, BandwidthFee = 0n } = raw;
  try {
    const told = { ...raw, KAppFee, BandwidthFee };
    checkedTransaction({ raw: told, hash }, call, { sender: alice, nonce, chainId: "109" });
  } catch (error) {
    if (isFault(error, "transaction-altered")) return false;
    throw error;
  }
  return true;
}

describe("what sdk-node builds offline", () => {
  it("passes the bot's check for every kind of call", async () => {
    for (const kind of await allKinds()) {
      const built = await offline(kind);
      expect([kind.call.function, isOffered(kind, built)]).toEqual([kind.call.function, true]);
      // With at most one payment there is only one way to write it, which is the node's.
      if (kind.call.payments.length < 2) expect(built).toBe(kind.hash);
    }
  });

  test.each<[what: string, change: (draft: Offline) => void]>([
    ["a second contract", (draft) => (draft.times = 2)],
    ["no contract", (draft) => (draft.times = 0)],
    ["a transfer", (draft) => (draft.type = TXContract_ContractType.TransferContractType)],
    ["a deployment", (draft) => (draft.contract.Type = 1)],
    ["another contract", (draft) => (draft.contract.Address = addressToBytes(operator))],
    ["a unit more", (draft) => (draft.contract.CallValue = paid(draft, (amount) => amount + 1))],
    ["a second asset", (draft) => (draft.contract.CallValue = { ...paid(draft), "USDT-2AB1": { Amount: 1 } })],
    ["another call", (draft) => (draft.Data = [Buffer.from("swap@00")])],
    ["more data", (draft) => draft.Data.push(Buffer.from("00"))],
    ["another sender", (draft) => (draft.Sender = addressToBytes(operator))],
    ["the next nonce", (draft) => (draft.Nonce += 1)],
    ["the main net", (draft) => (draft.ChainID = Buffer.from("108"))],
    ["another version", (draft) => (draft.Version = 2)],
    ["a permission", (draft) => (draft.PermissionID = 1)],
    ["a fee in a token", (draft) => (draft.KDAFee = { KDA: Buffer.from("KFI"), Amount: 1 })],
  ])("is refused for %s", async (_what, change) => {
    for (const kind of await allKinds()) {
      expect([kind.call.function, isOffered(kind, await offline(kind, change))]).toEqual([kind.call.function, false]);
    }
  });
});

function paid({ contract }: Offline, amount = (units: number) => units) {
  const [[asset, value] = ["KLV", { Amount: 0 }], ...rest] = Object.entries(contract.CallValue);
  return { ...Object.fromEntries(rest), [asset]: { Amount: amount(value.Amount) } };
}
