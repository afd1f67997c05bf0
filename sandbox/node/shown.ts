/** How the node and the inspector show a transaction. */
import { bytesOf, textOf } from "../chain/address.js";
import type { Block, Known } from "./blocks.js";
import { functionNameOf } from "./contract-call.js";
import { decodeSmartContract, hashOf, senderOf, SMART_CONTRACT, type RawData } from "./transaction.js";

/** Decodes a transaction (klever-go indexer/data/transaction.go). @throws Error unless it has a contract call. */
export function decoded(raw: RawData): object {
  const [contract] = raw.Contract;
  if (contract?.Type !== SMART_CONTRACT) throw new Error("invalid transaction type");
  const {
    Type: scType = 0n,
    Address: address,
    CallValue: values,
  } = decodeSmartContract(contract.Parameter.value ?? "");
  return {
    hash: hashOf(raw).toString("hex"),
    sender: senderOf(raw),
    nonce: raw.Nonce ?? 0n,
    ...(raw.PermissionID !== undefined && { permissionID: raw.PermissionID }),
    data: (raw.Data ?? []).map((each) => Buffer.from(each, "base64").toString("hex")),
    kAppFee: raw.KAppFee ?? 0n,
    bandwidthFee: raw.BandwidthFee ?? 0n,
    status: "",
    resultCode: "Ok",
    version: raw.Version ?? 0n,
    chainID: Buffer.from(raw.ChainID ?? "", "base64").toString(),
    searchOrder: 0,
    receipts: null,
    contract: [
      {
        type: SMART_CONTRACT,
        typeString: "SmartContractType",
        parameter: {
          type: scType === 0n ? "SCInvoke" : "SCDeploy",
          typeValue: scType,
          address: textOf(Buffer.from(address, "base64")),
          callValue: Object.entries(values).map(([asset, { Amount, KDARoyalties, KLVRoyalties }]) => ({
            asset,
            value: Amount ?? 0n,
            kdaRoyalties: KDARoyalties ?? 0n,
            klvRoyalties: KLVRoyalties ?? 0n,
          })),
        },
      },
    ],
  };
}

/**
 * In klever-go's own form (core/process/transaction/receipt.go, core/kapp/accounts/accounts.go): kind and contract, and
 * then texts and addresses as bytes; a failure keeps none but who signed.
 */
function receiptsOf({ transaction: { RawData: raw }, outcome }: Known): readonly object[] {
  const [TRANSFER, SIGNED_BY, FUNGIBLE, SEMI_FUNGIBLE] = [0, 19, 0, 2];
  const receipt = (...data: readonly (Buffer | string)[]) => ({
    Data: data.map((each) => Buffer.from(each as string).toString("base64")),
  });
  return [
    receipt(Buffer.of(SIGNED_BY, 255), bytesOf(senderOf(raw)), "1"),
    ...(outcome?.transfers ?? []).map(({ from, to, units, tokenId, nonce }) => {
      const [own, kind] = nonce === 0n ? ["", FUNGIBLE] : [`${nonce}`, SEMI_FUNGIBLE];
      return receipt(Buffer.of(TRANSFER, 0), bytesOf(from), bytesOf(to), `${units}`, tokenId, own, Buffer.of(kind));
    }),
  ];
}

/** As klever-go data/api/blockAPI.go: the transaction's own fields and what the node knows about it. */
export function describe(known: Known, withResults: boolean): object {
  const { hash, transaction: signed, block, outcome } = known;
  const signatures = (signed.Signature ?? []).map((each) => Buffer.from(each, "base64").toString("hex"));
  return {
    ...signed,
    ...(outcome !== undefined && outcome.resultCode !== 0 && { Result: 1, ResultCode: outcome.resultCode }),
    ...(block !== undefined && { Block: block, Receipts: receiptsOf(known) }),
    status: block === undefined ? "pending" : "onChain",
    hash,
    signature: signatures,
    ...(outcome !== undefined && withResults && { logs: { address: "", contractId: 0, events: outcome.events } }),
  };
}

/**
 * As klever-go data/api/blockAPI.go and data/block/block.pb.go: the fields' own names, bytes in base64, zero and empty
 * values left out, and the transactions that were found in the order of a Go map, which is random.
 */
export function describeBlock(block: Block, epoch: number, found: readonly Known[]): object {
  const { nonce, hash, parentHash, timestamp, included } = block;
  const base64 = (hex: string) => Buffer.from(hex, "hex").toString("base64");
  const shown = found
    .map((known) => ({ known, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ known }) => describe(known, false));
  return {
    Header: {
      ...(nonce > 0 && { Nonce: nonce }),
      ParentHash: base64(parentHash),
      Timestamp: timestamp,
      ...(nonce > 0 && { Slot: nonce }),
      ...(epoch > 0 && { Epoch: epoch }),
      TrieRoot: base64(hash),
      ...(included.length > 0 && { TxCount: included.length }),
    },
    ...(included.length > 0 && { TxHashes: included.map((known) => base64(known.hash)) }),
    ProducerSignature: base64(hash),
    PubKeysBitmap: "AQ==",
    Signature: base64(hash),
    hash,
    status: "on-chain",
    ...(shown.length > 0 && { transactions: shown }),
  };
}

/** Fees are in base units of KLV; without a block, the transaction is in the pool. */
export function snapshot({ hash, transaction: { RawData: raw }, block, outcome }: Known) {
  return {
    hash,
    sender: senderOf(raw),
    nonce: (raw.Nonce ?? 0n).toString(),
    call: functionNameOf(raw),
    fee: ((raw.BandwidthFee ?? 0n) + (raw.KAppFee ?? 0n)).toString(),
    ...(block !== undefined && { block }),
    ...(outcome !== undefined && outcome.resultCode !== 0 && { failure: outcome.words }),
  };
}
