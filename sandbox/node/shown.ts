/** How the node and the inspector show a transaction. */
import { textOf } from "../chain/address.js";
import type { Known } from "./blocks.js";
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

/** As klever-go data/api/blockAPI.go: the transaction's own fields and what the node knows about it. */
export function describe({ hash, transaction: signed, block, outcome }: Known, withResults: boolean): object {
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
