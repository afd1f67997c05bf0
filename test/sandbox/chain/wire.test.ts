import { describe, expect, it } from "vitest";
import { contracts, type ContractName } from "../../../sandbox/chain/declarations.js";
import type { WorldJson } from "../../../sandbox/world.js";
import {
  addresses,
  alice,
  bob,
  defaultWorld,
  emptyWorld,
  localChain,
  pairAddresses,
  paymentsOf,
} from "./local-chain.js";

/** The documented bodies, written out: docs.defi.bitcoin.me/smart-contracts. */
const bodies = {
  swap: {
    scAddress: addresses.referral,
    funcName: "swap",
    args: [`address:${bob}`, "u64:1000", "string:KLV", "string:KFI", "BigUint:1", `address:${alice}`],
    value: "KLV=100000000",
  },
  createPair: { scAddress: addresses.router, funcName: "createPair", args: ["string:KFI", "string:USDT-2AB1"] },
  multiPairSwap: {
    scAddress: addresses.router,
    funcName: "multiPairSwap",
    args: [`address:${pairAddresses[0]}`, "string:swapTokensFixedInput", "string:KFI", "BigUint:1"],
    value: "KLV=1000000",
  },
  lockTokens: { scAddress: addresses.simpleLock, funcName: "lockTokens", args: ["u64:6000"], value: "KLV=1000000" },
  unlockTokens: { scAddress: addresses.simpleLock, funcName: "unlockTokens", value: "LKTOK-1A2B/1=25" },
};

describe("POST /vm/query", () => {
  it("takes the documented bodies as they stand, and the arguments may be left out where there are none", async () => {
    for (const body of Object.values(bodies)) {
      const local = localChain({ ...defaultWorld(), options: { defaultCaller: alice } });
      const { status, json } = await local.post("/vm/query", body);
      expect([body.funcName, status, json]).toMatchObject([
        body.funcName,
        200,
        { data: { returnCode: "ok" }, error: "" },
      ]);
    }
  });

  it("answers in the documented form, or nested and in base64 as a node does", async () => {
    const ask = async (options: WorldJson["options"]) =>
      (
        await localChain({ ...defaultWorld(), options }).post("/vm/query", {
          ...bodies.createPair,
          funcName: "getPair",
        })
      ).json;
    const zero = Buffer.alloc(32);
    expect(await ask({})).toEqual({
      data: { returnData: [zero.toString("hex")], returnCode: "ok", returnMessage: "" },
      error: "",
      code: "successful",
    });
    expect(await ask({ answerNesting: "node", returnDataEncoding: "base64" })).toEqual({
      data: { data: { returnData: [zero.toString("base64")], returnCode: "Ok", returnMessage: "" } },
      error: "",
      code: "successful",
    });
  });

  it("answers a contract's refusal with status 200, its code and its text", async () => {
    const { status, json } = await localChain(defaultWorld()).post("/vm/query", {
      ...bodies.createPair,
      args: ["string:KLV", "string:KFI"],
    });
    expect(status).toBe(200);
    expect(json).toEqual({
      data: { returnData: [], returnCode: "VMUserError", returnMessage: "Pair already exists" },
      error: "VMUserError:Pair already exists",
      code: "successful",
    });
  });

  it.each<[string, unknown]>([
    ["no object", "swap"],
    ["an address with a wrong checksum", { ...bodies.swap, scAddress: `${addresses.referral.slice(0, -1)}q` }],
    [
      "an address of another chain",
      { ...bodies.swap, scAddress: "kfi1qy352eufzqg3yyc5z5v3wxqeyqsjygeyy5nzw2pfxqcnyve5x5mq7ze5xk" },
    ],
    ["a short address", { ...bodies.swap, scAddress: "klv1xqcrqt6vdma" }],
    ["an address in upper case", { ...bodies.swap, scAddress: addresses.referral.toUpperCase() }],
    ["a number as value", { ...bodies.swap, value: 100 }],
    ["an object as value", { ...bodies.swap, value: { KLV: 100 } }],
    ["a fraction as value", { ...bodies.swap, value: "KLV=1.5" }],
    ["a negative value", { ...bodies.swap, value: "KLV=-1" }],
    ["a value without token", { ...bodies.swap, value: "100" }],
    ["a value in no token's form", { ...bodies.swap, value: "klv=100" }],
    ["arguments that are not texts", { ...bodies.swap, args: [5] }],
    ["a field that is not documented", { ...bodies.swap, gas: 5 }],
    ["no function", { scAddress: addresses.referral, args: [] }],
    ["a caller that is no address", { ...bodies.swap, caller: "alice" }],
    ["an argument without prefix", { ...bodies.createPair, args: ["KLV", "string:KFI"] }],
    ["an argument with an unknown prefix", { ...bodies.createPair, args: ["text:KLV", "string:KFI"] }],
    ["an argument that is no number", { ...bodies.lockTokens, args: ["u64:0x10"] }],
    ["an argument beyond u64", { ...bodies.lockTokens, args: [`u64:${1n << 64n}`] }],
    ["an argument that is no address", { ...bodies.swap, args: ["address:alice", ...bodies.swap.args.slice(1)] }],
  ])("answers %s with status 400", async (_, body) => {
    const local = localChain(defaultWorld());
    const before = local.fingerprint();
    const { status, json } = await local.post("/vm/query", body);
    expect(status).toBe(400);
    expect(json).toMatchObject({
      data: null,
      code: "bad_request",
      error: expect.stringMatching(/^executeQuery: ./) as string,
    });
    expect(local.fingerprint()).toBe(before);
  });

  it("answers what is no JSON with status 400", async () => {
    const local = localChain(defaultWorld());
    const response = await local.request("/vm/query", { method: "POST", body: "{" });
    expect(response.status).toBe(400);
  });

  it.each<[string, object, string, string]>([
    ["an account as contract", { ...bodies.swap, scAddress: alice }, "ContractNotFound", "account is not a contract"],
    ["an unknown function", { ...bodies.swap, funcName: "swop" }, "VMFunctionNotFound", "invalid function (not found)"],
    [
      "a function that every object has",
      { ...bodies.swap, funcName: "toString" },
      "VMFunctionNotFound",
      "invalid function (not found)",
    ],
    [
      "a payment where none is taken",
      { ...bodies.createPair, value: "KLV=1" },
      "VMExecutionFailed",
      "function does not accept KDA payment",
    ],
    ["too few arguments", { ...bodies.swap, args: bodies.swap.args.slice(0, 4) }, "VMUserError", "too few arguments"],
    [
      "too many arguments",
      { ...bodies.swap, args: [...bodies.swap.args, "u64:1"] },
      "VMUserError",
      "too many arguments",
    ],
    [
      "too few arguments where each is needed",
      { ...bodies.createPair, args: ["string:KFI"] },
      "VMUserError",
      "wrong number of arguments",
    ],
    [
      "another prefix than the declared one",
      { ...bodies.lockTokens, args: ["BigUint:6000"] },
      "VMUserError",
      "argument decode error (unlock_epoch): invalid value",
    ],
    [
      "a number too great for its type",
      { ...bodies.swap, args: bodies.swap.args.with(1, "u64:4294967296") },
      "VMUserError",
      "argument decode error (referral_percentage): input too long",
    ],
    [
      "a payment that nobody can make",
      { ...bodies.swap, value: "KLV=100000000000000" },
      "VMExecutionFailed",
      "failed transfer (insufficient funds)",
    ],
  ])("refuses %s", async (_, body, returnCode, returnMessage) => {
    const { status, json } = await localChain(defaultWorld()).post("/vm/query", body);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      data: { returnData: [], returnCode, returnMessage },
      error: `${returnCode}:${returnMessage}`,
    });
  });

  it("knows every declared function", async () => {
    const local = localChain(
      emptyWorld({ pairs: [{ address: pairAddresses[0], firstToken: "KLV", secondToken: "KFI" }] }),
    );
    for (const contract of Object.keys(contracts) as ContractName[]) {
      for (const name of Object.keys(contracts[contract])) {
        const { code } = await local.call(contract === "pair" ? pairAddresses[0] : contract, name);
        expect([name, code]).not.toEqual([name, "VMFunctionNotFound"]);
      }
    }
  });

  it("lets the account pay that is named: as caller, else as destination, else by the world", async () => {
    const payer = async (extra: object, args: string[], options: WorldJson["options"]) => {
      const local = localChain(
        emptyWorld({
          options,
          chain: { epoch: 5 },
          accounts: [
            { address: alice, balances: { KLV: "9" } },
            { address: bob, balances: { KLV: "9" } },
          ],
        }),
      );
      const body = {
        scAddress: addresses.simpleLock,
        funcName: "lockTokens",
        args: ["u64:9", ...args],
        value: "KLV=1",
      };
      await local.post("/vm/query", { ...body, ...extra });
      return [alice, bob].filter((owner) => local.balance(owner, "KLV") === 8n);
    };
    expect(await payer({ caller: alice }, [`address:${bob}`], { defaultCaller: bob })).toEqual([alice]);
    expect(await payer({}, [`address:${bob}`], { defaultCaller: alice })).toEqual([bob]);
    expect(await payer({}, [], { defaultCaller: alice })).toEqual([alice]);
    expect(await payer({}, [], {})).toEqual([]);
    expect(await payer({}, [`address:${addresses.router}`], { defaultCaller: alice })).toEqual([]);
  });

  it("never lets a contract pay", async () => {
    const swap = {
      scAddress: pairAddresses[0],
      funcName: "swapTokensFixedInput",
      args: ["string:KFI", "BigUint:1"],
      value: "KLV=1000",
    };
    const local = localChain({ ...defaultWorld(), options: {} });
    for (const body of [swap, { ...swap, caller: pairAddresses[0] }]) {
      expect(await local.post("/vm/query", body)).toMatchObject({
        status: 400,
        json: { error: "executeQuery: no account to pay from" },
      });
    }
  });
});

describe("GET /node/status", () => {
  it("tells the epoch and how long one lasts, which goes on with the clock and by control", async () => {
    const local = localChain(
      emptyWorld({
        chain: { epoch: 7, block: 103, blockAtEpochStart: 100, blocksPerEpoch: 10, blockMilliseconds: 500 },
      }),
    );
    const metrics = async () => ((await local.get("/node/status")) as { data: { metrics: object } }).data.metrics;
    expect(await metrics()).toEqual({
      klv_chain_id: "109",
      klv_epoch_number: 7,
      klv_current_slot: 103,
      klv_slot_at_epoch_start: 100,
      klv_slots_per_epoch: 10,
      klv_slot_duration: 500,
      klv_nonce: 103,
      klv_is_syncing: 0,
    });
    local.setTime(3499);
    expect(await metrics()).toMatchObject({ klv_epoch_number: 7, klv_current_slot: 109 });
    local.setTime(3500);
    expect(await metrics()).toMatchObject({ klv_epoch_number: 8, klv_current_slot: 110, klv_slot_at_epoch_start: 110 });
    local.chain.advanceEpoch(2);
    expect(await metrics()).toMatchObject({ klv_epoch_number: 10, klv_slot_at_epoch_start: 130 });
    expect(local.chain.snapshot()).toMatchObject({ epoch: 10, block: 130, nextEpochInMilliseconds: 5000 });
    local.setTime(0);
    expect(await metrics()).toMatchObject({ klv_current_slot: 123 });
  });
});

describe("the chain's listeners", () => {
  it("hear of changes, not of questions or failures", async () => {
    const local = localChain(
      emptyWorld({ chain: { epoch: 5 }, accounts: [{ address: alice, balances: { KLV: "9" } }] }),
    );
    let heard = 0;
    const end = local.chain.subscribe(() => (heard += 1));
    await local.call("router", "getState");
    await local.call("simpleLock", "lockTokens", ["u64:9"], { caller: alice });
    expect(heard).toBe(0);
    const result = await local.call("simpleLock", "lockTokens", ["u64:9"], { caller: alice, value: "KLV=1" });
    expect(paymentsOf(result.data[0])).toEqual(["LKTOK-1A2B/1=1"]);
    local.chain.advanceEpoch(1);
    expect(heard).toBe(2);
    end();
    local.chain.advanceEpoch(1);
    expect(heard).toBe(2);
  });
});
