import * as z from "zod";
import { addressIn, bytesOf, type Address } from "../chain/address.js";
import { CallFailure } from "../chain/failure.js";
import { assetOf } from "../chain/ledger.js";
import { royaltiesOn } from "../chain/royalties.js";
import type { ChainState } from "../chain/state.js";
import { contractCall } from "./contract-call.js";
import { simulate, type Moment } from "./execution.js";
import { bandwidthFee, type Fees } from "./fees.js";
import {
  encodeSmartContract,
  int32,
  int64,
  SMART_CONTRACT,
  SMART_CONTRACT_URL,
  uint64,
  type RawData,
} from "./transaction.js";

// A node ignores unknown fields.
const contract = z.object({
  scType: int32.default(0n),
  address: z.string(),
  callValue: z.record(z.string(), int64).default({}),
  contractType: int32.optional(),
});

const body = z.object({
  /** The type of contracts without a `contractType`. */
  type: int32.default(0n),
  sender: z.string(),
  nonce: uint64.default(0n),
  permID: int32.default(0n),
  data: z.array(z.base64()).default([]),
  contract: contract.optional(),
  contracts: z.array(contract).default([]),
  kdaFee: z.string().optional(),
});

/**
 * Builds the unsigned transaction for a body of `POST /transaction/send`, with fees from a simulation of the call.
 * @throws Error with the node's message, also for a CallFailure.
 */
export function buildTransaction(state: ChainState, moment: Moment, fees: Fees, json: unknown): RawData {
  const { type, sender, nonce, permID, data, contract: single, contracts, kdaFee } = body.parse(json);
  const [call, ...others] = contracts.length > 0 ? contracts : single === undefined ? [] : [single];
  if (call === undefined) throw new Error("invalid contract");
  if ((call.contractType ?? type) !== SMART_CONTRACT) throw new Error("invalid transaction type");
  if (others.length > 0) throw new Error("smart contract transactions have one contract");
  if (kdaFee !== undefined && kdaFee !== "" && kdaFee !== "KLV") throw new Error("asset fee pool not found");

  const raw: RawData = {
    ...(nonce > 0n && { Nonce: nonce }),
    Sender: bytesOf(account(sender)).toString("base64"),
    Contract: [
      {
        Type: SMART_CONTRACT,
        Parameter: {
          type_url: SMART_CONTRACT_URL,
          value: encodeSmartContract({
            ...(call.scType !== 0n && { Type: call.scType }),
            Address: bytesOf(account(call.address)).toString("base64"),
            CallValue: Object.fromEntries(
              Object.entries(call.callValue).map(([asset, units]) => {
                const { kda, klv } = royaltiesOn(state, account(sender), { ...assetOf(asset), units });
                const royalties = { ...(kda > 0n && { KDARoyalties: kda }), ...(klv > 0n && { KLVRoyalties: klv }) };
                return [asset, { Amount: units, ...royalties }];
              }),
            ),
          }),
        },
      },
    ],
    ...(permID !== 0n && { PermissionID: permID }),
    ...(data.length > 0 && { Data: data }),
  };
  const { gas } = simulated(state, moment, raw);
  return {
    ...raw,
    KAppFee: fees.kappFee,
    BandwidthFee: bandwidthFee(fees, data, gas),
    Version: 1n,
    ChainID: Buffer.from(state.world.chain.chainId).toString("base64"),
  };
}

function simulated(state: ChainState, moment: Moment, raw: RawData): { readonly gas: bigint } {
  try {
    return simulate(state, moment, contractCall(raw));
  } catch (failure) {
    if (!(failure instanceof CallFailure)) throw failure;
    throw new Error(`invalid argument: ${failure.returnCode} - (${failure.message})`, { cause: failure });
  }
}

function account(text: string): Address {
  return addressIn(text, () => new Error("bech32 convert error"));
}
