import { expect, it } from "vitest";
import { tokenListOf } from "../../../src/services/market/token-list.js";
import { readProposal } from "../../../src/services/standing/proposal-request.js";
import { dvk, kfi, klv } from "../samples.js";

const tokens = tokenListOf([klv, kfi, dvk]);

it.each([
  ["swap 100 KLV KFI", "swap 100 KLV KFI"],
  ["/swap 100 klv to kfi", "swap 100 KLV KFI"],
  ["SWAP 100 KLV KFI", "swap 100 KLV KFI"],
  ["/Multihop 100 KLV\nDVK-34ZH KFI", "multihop 100 KLV DVK-34ZH KFI"],
  ["/buy 10 KFI", "multihop any KLV KFI=10"],
  ["100 KLV KFI", "swap 100 KLV KFI"],
  ["trocar 100 KLV por KFI", "swap 100 KLV KFI"],
  ["buy 100 KLV of KFI", "swap 100 KLV KFI"],
  ["sell 100 KLV of KFI", "multihop any KFI KLV=100"],
  ["buy KFI for 100 KLV", "swap 100 KLV KFI"],
  ["buy 100 KLV with KFI", "multihop any KFI KLV=100"],
  ["buy 10 KFI", "multihop any KLV KFI=10"],
  ["sell 50% KFI", "swap 50% KFI KLV"],
  ["multihop 100 KLV DVK-34ZH KFI", "multihop 100 KLV DVK-34ZH KFI"],
  ["swap 0.5 KLV KFI", "swap 0.5 KLV KFI"],
])("%s is read as %s, and that as itself", (text, command) => {
  expect(readProposal(text, tokens)).toMatchObject({ kind: "read", command });
  expect(readProposal(command, tokens)).toMatchObject({ kind: "read", command });
});

it.each([
  ["buy 100 KLV KFI", ["multihop any KFI KLV=100", "swap 100 KLV KFI"]],
  ["buy 100 KLV to KFI", ["multihop any KFI KLV=100", "swap 100 KLV KFI"]],
  ["buy KLV 100 → KFI", ["multihop any KFI KLV=100", "swap 100 KLV KFI"]],
  ["comprar 100 KLV em KFI", ["multihop any KFI KLV=100", "swap 100 KLV KFI"]],
  ["KLV 1 KFI", ["swap 1 KLV KFI", "multihop any KLV KFI=1"]],
  ["sell 5 KFI for 500 KLV", ["swap 5 KFI KLV", "multihop 5 KFI KLV=500"]],
])("%s has two readings, each of which is read as itself", (text, lines) => {
  expect(readProposal(text, tokens)).toEqual({ kind: "unclear", lines });
  for (const command of lines) expect(readProposal(command, tokens)).toMatchObject({ kind: "read", command });
});

it.each([
  ["", "unreadable"],
  ["hello", "unreadable"],
  ["buy", "unreadable"],
  ["buy 50% KFI", "unreadable"],
  ["swap KLV KFI", "incomplete"],
  ["lock 100 KLV 30d", "unreadable"],
  ["limit 100 KLV KFI for 5", "unreadable"],
  ["stoploss 5 KFI KLV at 90 KLV", "unreadable"],
  ["swap 1,5 KLV KFI", "amount-comma"],
  ["swap 1 KLV verify.example", "token-unknown"],
  ["swap 1 KLV KLV", "tokens-identical"],
  ["swap 1 KLV KFI klv1usdnywjhrlv4tcyu6stxpl6yvhplg35nepljlt4y5r7yppe8er4qujlazy", "payout-own"],
])("%s is no trade: %s", (text, code) => {
  expect(readProposal(text, tokens)).toEqual({ kind: "unread", faults: [code] });
});
