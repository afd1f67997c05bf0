import type { ContractABI } from "@klever/connect-contracts";
import { parseAddress } from "../../src/encoding/address.js";
import type { Token } from "../../src/encoding/amount.js";

/** The account of the mnemonic "abandon … about" at m/44'/690'/0'/0'/0'. */
export const account = parseAddress("klv1usdnywjhrlv4tcyu6stxpl6yvhplg35nepljlt4y5r7yppe8er4qujlazy");
export const accountHex = "e41b323a571fd955e09cd41660ff4465c3f44693c87f2faea4a0fc408727c8ea";
export const otherAccount = parseAddress("klv1fpwjz234gy8aaae3gx0e8q9f52vymzzn3z5q0s5h60pvktzx0n0qwvtux5");

/** The pair of the sample answer to `createPair` (docs.defi.bitcoin.me/smart-contracts/router). */
export const pair = parseAddress("klv1qqqqqqqqqqqqqpgqk762znj9v7nyky3wucdcw9awz83ppqy6c0nqhe2qaz");
export const pairHex = "00000000000000000500b7b4a14e4567a64b122ee61b8717ae11e210809ac3e6";
/** The contract of the sample call of `lockTokens` (docs.defi.bitcoin.me/smart-contracts/simple-lock). */
export const lock = parseAddress("klv1qqqqqqqqqqqqqpgq9696g7x76kwrrh02fahn4rpem4v595t8c0nqgxzpmu");
export const secondPair = parseAddress("klv1qqqqqqqqqqqqqpgq5vp9gwu9ugqng9w2k75rlfedwk8uxjnvc0nqeqmkm2");
export const router = parseAddress("klv1qqqqqqqqqqqqqpgqhe7lg537aszyv48xpuhqh2jykx986wnd932qrd2478");

export const klv = { id: "KLV", name: "Klever", precision: 6, kind: "fungible" } as const satisfies Token;
export const kfi = { id: "KFI", name: "Klever Finance", precision: 6, kind: "fungible" } as const satisfies Token;
export const bitcoin = { id: "BTC-9K3F", name: "Bitcoin", precision: 8, kind: "fungible" } as const satisfies Token;
/** A token of unknown precision. */
export const nameless = { id: "DVK-34ZH", name: "DVK", kind: "fungible" } as const satisfies Token;

const none = { name: "", inputs: [], outputs: [] };
/** The contracts' types, as far as Klever's own packages need them. */
export const kleverAbi: ContractABI = {
  name: "",
  constructor: none,
  endpoints: [],
  types: {
    KdaTokenPayment: {
      type: "struct",
      fields: [
        { name: "token_identifier", type: "TokenIdentifier" },
        { name: "token_nonce", type: "u64" },
        { name: "amount", type: "BigUint" },
      ],
    },
  },
};
