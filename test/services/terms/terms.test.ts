import { expect, it } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import {
  commandOf,
  requestLine,
  otherWay,
  ownRequest,
  standingIn,
  type Request,
  type TypedRequest,
} from "../../../src/services/terms/terms.js";
import type { MultihopRequest, SwapRequest } from "../../../src/services/terms/swap-terms.js";
import { readLock, readUnlock } from "../../../src/services/trade/lock-request.js";
import { readMultihop, readSwap } from "../../../src/services/trade/swap-request.js";
import { tokenListOf } from "../../../src/services/market/token-list.js";
import { kfi, klv, locked } from "../samples.js";

const dvk = { ...kfi, id: "DVK-34ZH", name: "DVK" };
const tokens = tokenListOf([klv, kfi, dvk, locked]);
const pay = amountOf(klv, 1_500_000n);
const swap: SwapRequest = { kind: "swap", pay, from: klv, to: kfi };
const route: MultihopRequest = { kind: "multihop", pay, from: klv, stops: [{ token: kfi }] };

const lines: readonly (readonly [TypedRequest, string])[] = [
  [swap, "swap 1.5 KLV KFI"],
  [{ ...swap, pay: { shareBps: 10_000n } }, "swap max KLV KFI"],
  [{ ...swap, pay: { shareBps: 1_250n } }, "swap 12.5% KLV KFI"],
  [
    { ...route, stops: [{ token: dvk, exactly: amountOf(dvk, 25n) }, { token: kfi }] },
    "multihop 1.5 KLV DVK-34ZH=0.000025 KFI",
  ],
  [{ kind: "lock", pay, token: klv, until: { epoch: 20261231n } }, "lock 1.5 KLV #20261231"],
  [{ kind: "lock", pay, token: klv, until: { count: 30, unit: "d" } }, "lock 1.5 KLV 30d"],
  [{ kind: "unlock", locked: { tokenId: "LKTOK-1A2B", nonce: 7n } }, "unlock LKTOK-1A2B/7"],
];

it.each(lines)("a request is read back from its command: $1", (request, command) => {
  expect(commandOf(request)).toBe(command);
  const line = command.slice(command.indexOf(" ") + 1);
  const read = { swap: readSwap, multihop: readMultihop, lock: readLock, unlock: readUnlock }[request.kind];
  expect(read(line, tokens)).toEqual(request);
});

it("a request's line can have another amount", () => {
  expect(requestLine(swap, "1,000")).toBe("1,000 KLV KFI");
  expect(requestLine(lines.at(-1)![0], "half")).toBe("LKTOK-1A2B/7 half");
});

it("a launch's request has no command", () => {
  const steps: readonly Request[] = [
    { kind: "launch", launchId: "L", step: "enable" },
    { kind: "lock", pay, token: klv, until: { epoch: 1n }, launchId: "L" },
  ];
  for (const step of steps) expect(ownRequest(step)).toBeUndefined();
  expect(ownRequest(swap)).toBe(swap);
});

it("a standing order's request is typed as a swap of no order, and its other way is the same order's", () => {
  const standing = { id: "order", kind: "limit" as const, least: amountOf(kfi, 5n) };
  expect(ownRequest({ ...swap, standing })).toEqual(swap);
  expect(otherWay({ ...swap, standing })).toEqual({ ...otherWay(swap), standing });
  expect(standingIn({ ...swap, standing })).toEqual(standing);
  expect(standingIn(route)).toBeUndefined();
});

it("a swap's request becomes a route's, and the other way round", () => {
  expect(otherWay(swap)).toEqual(route);
  expect(otherWay({ ...route, stops: [{ token: dvk }, { token: kfi }] })).toEqual(swap);
});
