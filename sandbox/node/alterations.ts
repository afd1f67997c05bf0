import { decodeSmartContract, encodeSmartContract, hashOf, type RawData, type SmartContract } from "./transaction.js";

/** A built transaction, as a node returns it. */
export interface Built {
  readonly raw: RawData;
  /** Hex. */
  readonly hash: string;
}

/** What a dishonest node does: each of these changes one thing in the transaction that it built. */
const changes = {
  type: ({ raw }) => (contractIn(raw).Type = 62n),
  "type-url": ({ raw }) => (contractIn(raw).Parameter.type_url = "type.googleapis.com/proto.TransferContract"),
  "second-contract": ({ raw }) => raw.Contract.push(structuredClone(contractIn(raw))),
  deployment: ({ call }) => (call.Type = 1n),
  address: ({ call }) => (call.Address = flipped(call.Address)),
  amount: ({ call }) => (paymentIn(call).Amount = (paymentIn(call).Amount ?? 0n) + 1n),
  asset: ({ call }) => {
    const payment = paymentIn(call);
    const [asset = ""] = Object.keys(call.CallValue);
    call.CallValue = { [asset === "KFI" ? "KLV" : "KFI"]: payment };
  },
  "second-payment": ({ call }) => (call.CallValue["USDT-2AB1"] = { Amount: 1n }),
  "kda-royalties": ({ call }) => (paymentIn(call).KDARoyalties = 1n),
  "klv-royalties": ({ call }) => (paymentIn(call).KLVRoyalties = 1n),
  data: ({ raw }) => (raw.Data = [flipped(raw.Data?.[0] ?? "")]),
  "second-data": ({ raw }) => (raw.Data = [...(raw.Data ?? []), "AA=="]),
  sender: ({ raw }) => (raw.Sender = flipped(raw.Sender)),
  nonce: ({ raw }) => (raw.Nonce = (raw.Nonce ?? 0n) + 1n),
  "chain-id": ({ raw }) => (raw.ChainID = Buffer.from("108").toString("base64")),
  version: ({ raw }) => (raw.Version = 2n),
  permission: ({ raw }) => (raw.PermissionID = 1n),
  "kda-fee": ({ raw }) => (raw.KDAFee = { KDA: Buffer.from("KFI").toString("base64"), Amount: 1n }),
  "bandwidth-fee": ({ raw }) => (raw.BandwidthFee = (raw.BandwidthFee ?? 0n) * 1000n),
  "kapp-fee": ({ raw }) => (raw.KAppFee = (raw.KAppFee ?? 0n) * 1000n),
} satisfies Record<string, (draft: { readonly raw: RawData; readonly call: SmartContract }) => unknown>;

/** Changes to the bytes that encoding a message can't produce. */
const byteChanges = {
  "unknown-field": (value: Buffer) => Buffer.concat([value, Buffer.from("2001", "hex")]),
  "trailing-byte": (value: Buffer) => Buffer.concat([value, Buffer.of(0x0a)]),
  // The payments come last, after the 34 bytes of the address field.
  "doubled-asset": (value: Buffer) => Buffer.concat([value, value.subarray(34)]),
};

type FieldChange = keyof typeof changes;
type ByteChange = keyof typeof byteChanges;
export type Alteration = FieldChange | ByteChange | "hash";
export const alterations = [...Object.keys(changes), ...Object.keys(byteChanges), "hash"] as readonly Alteration[];

/** The transaction with one change and a matching hash, so that only comparing the fields reveals it. */
export function altered({ raw, hash }: Built, alteration: Alteration): Built {
  if (alteration === "hash") return { raw, hash: flipped(Buffer.from(hash, "hex").toString("base64"), "hex") };
  const draft = structuredClone(raw);
  const { Parameter: parameter } = contractIn(draft);
  if (alteration in byteChanges) {
    const value = Buffer.from(parameter.value ?? "", "base64");
    parameter.value = byteChanges[alteration as ByteChange](value).toString("base64");
  } else {
    const call = decodeSmartContract(parameter.value ?? "");
    changes[alteration as FieldChange]({ raw: draft, call });
    for (const contract of draft.Contract) contract.Parameter.value = encodeSmartContract(call);
  }
  return { raw: draft, hash: hashOf(draft).toString("hex") };
}

function contractIn(raw: RawData): RawData["Contract"][number] {
  const [contract] = raw.Contract;
  if (contract === undefined) throw new Error("a transaction without contract");
  return contract;
}

/** The first payment, created if there is none. */
function paymentIn(call: SmartContract): SmartContract["CallValue"][string] {
  return Object.values(call.CallValue)[0] ?? (call.CallValue["KLV"] = {});
}

/** The bytes with the last bit flipped. */
function flipped(text: string, encoding: "base64" | "hex" = "base64"): string {
  const bytes = Buffer.from(text, "base64");
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
  return bytes.toString(encoding);
}
