import { Transaction, TxBuilder } from "@klever/connect";
import { decodeByType } from "@klever/connect-contracts";
import { SmartContract } from "@klever/connect-encoding";
import {
  abiDecoder,
  abiEncoder,
  Transaction as SdkTransaction,
  TXContract_ContractType,
  utils,
} from "@klever/sdk-node";
import { expect, it } from "vitest";
import { addressToBytes } from "../../src/encoding/address.js";
import { decodeOutputs } from "../../src/encoding/result.js";
import { swapContractHex } from "../encoding/golden-transactions.js";
import { nested } from "../encoding/nested.js";
import { account, kleverAbi, pair } from "../encoding/samples.js";

/** Known mistakes of Klever's packages, so that an update that fixes one is noticed. */
it("the packages still make these mistakes, and the bot does not", async () => {
  const above = 2n ** 53n + 1n;
  const payload = new TxBuilder().smartContract({ scType: 0, address: pair, callValue: { KLV: above } });
  const { contracts } = payload.buildRequest() as unknown as {
    readonly contracts: readonly { readonly callValue: { readonly KLV: number } }[];
  };

  const raw = { Sender: Buffer.from(addressToBytes(account)).toString("base64"), Version: 1 };
  const withZero = Transaction.fromObject({ RawData: { Nonce: 0, ...raw } });
  const without = Transaction.fromObject({ RawData: raw });

  const call = Buffer.from(swapContractHex, "hex");
  const two = [
    { tokenId: "KLV", units: 1n },
    { tokenId: "KFI", units: 2n },
  ];
  const payments = Buffer.from(two.map((each) => nested.payment(each)).join(""), "hex");

  const oneAndTwo = Buffer.from("0000000100000002", "hex");
  const parameters = { FeePerDataByte: "4000", KAppFeeSmartContract: "2000000" };
  const networkParams = Object.entries(parameters).map(([parameterLabel, currentValue], number) => {
    return { number, parameterLabel, currentValue };
  });

  const built = new SdkTransaction({ Contract: [] });
  await built.addContract(TXContract_ContractType.SmartContractType, { Address: addressToBytes(pair) });

  const transfer = new TxBuilder().sender(account).nonce(1).transfer({ receiver: account, amount: 5n });
  const offline = transfer.buildProto({ chainId: "109", fees: { kAppFee: 1, bandwidthFee: 1 } });

  expect({
    "connect: contracts in a transfer that is built offline": offline.RawData?.Contract?.length ?? 0,
    "connect: what is paid above 2^53": BigInt(contracts[0]!.callValue.KLV) - above,
    "connect: a nonce of zero in the JSON": (withZero.toJSON()["RawData"] as { Nonce?: number }).Nonce,
    "connect: the hash without that zero": withZero.getHash() === without.getHash(),
    "connect-encoding: a SmartContract in the chain's bytes": isRead(() => SmartContract.decode(call)),
    "connect-contracts: a list as the only result": isRead(() =>
      decodeByType(payments, "List<KdaTokenPayment>", kleverAbi, 0, false),
    ),
    "connect-contracts: [1, 2] as the only result": decodeByType(oneAndTwo, "List<u32>", kleverAbi, 0, false).value,
    "sdk-node: [1, 2] as the only result": abiDecoder.decodeList(
      oneAndTwo.toString("hex"),
      "List<u32>",
      JSON.stringify(kleverAbi),
    ) as unknown,
    "sdk-node: the fee of a contract call, of any gas": await utils.calculateFees(63, { data: "swap@", networkParams }),
    "sdk-node: the greatest u64": abiEncoder.encodeABIValue("18446744073709551615", "u64"),
    "sdk-node: the name of a contract's type in its JSON": /"type_?[uU]rl"/.exec(built.toJSON())?.[0],
  }).toEqual({
    "connect: contracts in a transfer that is built offline": 0,
    "connect: what is paid above 2^53": -1n,
    "connect: a nonce of zero in the JSON": 0,
    "connect: the hash without that zero": false,
    "connect-encoding: a SmartContract in the chain's bytes": false,
    "connect-contracts: a list as the only result": false,
    "connect-contracts: [1, 2] as the only result": [2],
    "sdk-node: [1, 2] as the only result": [[2]],
    "sdk-node: the fee of a contract call, of any gas": {
      BandwidthFee: 255 * 4000,
      KAppFee: 2_000_000,
      TotalFee: 3_020_000,
    },
    "sdk-node: the greatest u64": "10000000000000000",
    "sdk-node: the name of a contract's type in its JSON": '"typeUrl"',
  });
  expect(decodeOutputs("router", "multiPairSwap", [payments.toString("hex")], "hex")).toEqual([two]);
});

function isRead(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
