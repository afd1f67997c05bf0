import { describe, expect, it } from "vitest";
import { textOf } from "../../../sandbox/chain/address.js";
import { alterations } from "../../../sandbox/node/alterations.js";
import { hashOf } from "../../../sandbox/node/transaction.js";
import { addresses, carol, defaultWorld, operator } from "../chain/local-chain.js";
import { alice, bob, keys, realNodeDesk, signedBy, swapBody } from "./real-node.js";

describe("building a transaction", () => {
  it("answers with the transaction, its hash and the simulation's fees, and changes nothing", async () => {
    const { post, get, balance } = await realNodeDesk();
    const { status, body } = await post("/transaction/send", swapBody());
    expect(status).toBe(200);
    const { result, txHash } = body.data;
    expect(txHash).toBe(hashOf(result.RawData).toString("hex"));
    expect(result.RawData).toMatchObject({ KAppFee: 2_000_000n, Version: 1n, ChainID: "MTA5" });
    expect(result.RawData).not.toHaveProperty("Nonce");
    const fee = (result.RawData.KAppFee ?? 0n) + (result.RawData.BandwidthFee ?? 0n);
    expect(fee).toBeGreaterThan(4_000_000n);
    expect(fee).toBeLessThan(5_500_000n);
    expect(balance("KLV")).toBe(10_000_000_000n);
    expect((await get(`/address/${alice}/nonce`)).body.data).toEqual({
      nonce: 0n,
      firstPendingNonce: 0n,
      txPending: 0n,
    });
  });

  it("refuses a revert in the contract's words, an account that never received anything, and one without enough funds", async () => {
    const { post } = await realNodeDesk();
    const ask = async (body: object) => {
      const { status, body: answer } = await post("/transaction/send", body);
      return [status, answer.error, answer.code] as const;
    };
    expect(await ask(swapBody({}, "ffffffff"))).toEqual([
      400,
      "validation error: invalid argument: VMUserError - (Slippage exceeded)",
      "bad_request",
    ]);
    const unpaid = { scType: 0, address: addresses.router, callValue: {} };
    const create = { contract: unpaid, data: [Buffer.from("createPair@4b4649@555344542d32414231").toString("base64")] };
    const stranger = "klv17maps2h2gecpw24q3mvr3pt3napkkd0cweyj40xpjfq3ravdacdqwsqcm9";
    expect((await ask(swapBody({ ...create, sender: stranger })))[1]).toContain(
      `account not found for address ${stranger}`,
    );
    const poor = { ...defaultWorld() };
    poor.accounts = poor.accounts!.map((each) =>
      each.address === alice ? { ...each, balances: { KLV: 1_000_000n } } : each,
    );
    const { post: ofPoor } = await realNodeDesk(poor);
    const { body } = await ofPoor("/transaction/send", swapBody());
    expect(body.error).toMatch(
      /^validation error: insufficient funds, for address: .*, kda: KLV, wanted \d+, have 1000000$/,
    );
    expect(body.data.txHash).toBe("");
  });

  it("accepts what official clients write: a list of contracts, and unknown keys", async () => {
    const { post } = await realNodeDesk();
    const { type, contract, ...rest } = swapBody() as { type: number; contract: object; nonce: number };
    const forms = [
      { type, contract, ...rest },
      { contracts: [{ contractType: type, ...contract }], ...rest },
      { type, contract: { ...contract, note: null }, ...rest, kdaFee: "", origin: "extension" },
    ];
    const hashes: string[] = [];
    for (const form of forms) hashes.push((await post("/transaction/send", form)).body.data.txHash);
    expect(new Set(hashes).size).toBe(1);
    expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/);
    const untyped = await post("/transaction/send", { contract, ...rest });
    expect([untyped.status, untyped.body.error]).toEqual([400, "validation error: invalid transaction type"]);
  });

  it("decodes a transaction as a wallet shows it before it signs", async () => {
    const { post, buildSwap } = await realNodeDesk();
    const { RawData } = await buildSwap();
    const { status, body } = await post("/transaction/decode", { RawData, Signature: null, origin: "extension" });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      tx: {
        hash: hashOf(RawData).toString("hex"),
        sender: alice,
        nonce: 0n,
        data: [Buffer.from(RawData.Data![0]!, "base64").toString("hex")],
        kAppFee: RawData.KAppFee,
        bandwidthFee: RawData.BandwidthFee,
        chainID: "109",
        contract: [
          {
            type: 63n,
            typeString: "SmartContractType",
            parameter: {
              type: "SCInvoke",
              address: addresses.referral,
              callValue: [{ asset: "KLV", value: 1_000_000n, kdaRoyalties: 0n, klvRoyalties: 0n }],
            },
          },
        ],
      },
    });
  });

  it("accepts only integers of 64 bits as payments, and keeps every digit", async () => {
    const { post } = await realNodeDesk();
    const contract = (units: unknown) => ({ scType: 0, address: addresses.referral, callValue: { KLV: units } });
    const { body } = await post(
      "/transaction/send?skipValidate=true",
      swapBody({ contract: contract(9_007_199_254_740_993n) }),
    );
    expect(body.error).toContain("insufficient funds");
    expect((await post("/transaction/send", swapBody({ contract: contract(2n ** 63n) }))).status).toBe(400);
    expect((await post("/transaction/send", swapBody({ contract: contract("1") }))).status).toBe(400);
  });

  it("can alter every field, with a hash that fits unless the hash is altered", async () => {
    const { post, real } = await realNodeDesk();
    const honest = (await post("/transaction/send", swapBody())).body.data;
    for (const alteration of alterations) {
      real.node.set({ alteration });
      const { result, txHash } = (await post("/transaction/send", swapBody())).body.data;
      expect([alteration, txHash]).not.toEqual([alteration, honest.txHash]);
      const fits = txHash === hashOf(result.RawData).toString("hex");
      expect([alteration, fits]).toEqual([alteration, alteration !== "hash"]);
    }
  });
});

describe("a broadcast", () => {
  it("is executed in the next block: amount and fees are paid, and the result is in the logs", async () => {
    const { post, get, buildSwap, block, balance } = await realNodeDesk();
    const built = await buildSwap();
    const kfi = balance("KFI");
    const { status, body } = await post("/transaction/broadcast", signedBy(keys.alice, built));
    expect(status).toBe(200);
    expect(body.data).toEqual({ txHash: hashOf(built.RawData).toString("hex"), txCount: 1n });
    const path = `/transaction/${body.data.txHash}?withResults=true`;
    expect((await get(path)).body.data.transaction).toMatchObject({ status: "pending" });
    expect((await get(`/address/${alice}/nonce`)).body.data).toEqual({
      nonce: 0n,
      firstPendingNonce: 0n,
      txPending: 1n,
    });
    expect((await get(`/transaction/pool?sender=${alice}`)).body.data).toMatchObject({ total: 1n });

    block();
    const { transaction } = (await get(path)).body.data;
    expect(transaction).toMatchObject({ status: "onChain", Block: 29_146_852n, hash: body.data.txHash });
    expect(transaction).not.toHaveProperty("Result");
    const returned = transaction.logs.events.at(-1)!;
    expect(returned).toMatchObject({ identifier: "ReturnData", address: addresses.referral });
    const [referral, received] = returned.data.map((hex) => BigInt(`0x0${hex}`)) as [bigint, bigint];
    expect(referral).toBe((referral + received) / 100n);
    expect(balance("KFI") - kfi).toBe(received);
    const { KAppFee = 0n, BandwidthFee = 0n } = built.RawData;
    expect(10_000_000_000n - balance("KLV")).toBe(1_000_000n + KAppFee + BandwidthFee);
    expect((await get(`/address/${alice}/nonce`)).body.data).toMatchObject({ nonce: 1n, txPending: 0n });
    // Who signed, and then every movement, in bytes (core/process/transaction/receipt.go).
    const receipts = transaction.Receipts.map(({ Data }) => Data.map((each) => Buffer.from(each, "base64")));
    expect(receipts.map(([kind]) => kind!.toString("hex"))).toEqual(["13ff", ...receipts.slice(1).map(() => "0000")]);
    const moved = receipts
      .slice(1)
      .map(([, from, to, units, asset]) => [textOf(from!), textOf(to!), [units, asset].join(" ")]);
    expect(moved[0]).toEqual([alice, addresses.referral, "1000000 KLV"]);
    expect(moved.at(-1)).toEqual([addresses.referral, alice, `${received} KFI`]);
  });

  it("fails in its block in the contract's words: fee and nonce are used up, the rest is returned", async () => {
    const desk = await realNodeDesk();
    const hash = await desk.sendSwap({ data: swapData(await bestMinimum(desk)) });
    // Bob's swap pays a higher fee, comes first and worsens the price.
    const bobs = (await desk.post("/transaction/send", swapBody({ sender: bob, contract: bobsContract }))).body.data
      .result;
    bobs.RawData.BandwidthFee = (bobs.RawData.BandwidthFee ?? 0n) + 1_000_000n;
    await desk.post("/transaction/broadcast", signedBy(keys.bob, bobs));
    desk.block();
    const { transaction } = (await desk.get(`/transaction/${hash}?withResults=true`)).body.data;
    expect(transaction).toMatchObject({ status: "onChain", Result: 1n, ResultCode: 57n });
    expect(transaction.Receipts).toHaveLength(1);
    const [event] = transaction.logs.events;
    expect(event!.identifier).toBe("internalVMErrors");
    expect(Buffer.from(event!.data[0]!, "hex").toString()).toBe(
      "\n\truntime.go:856 [error signalled by smartcontract] [swap]" +
        "\n\truntime.go:853 [error signalled by smartcontract] [Slippage exceeded]",
    );
    expect(10_000_000_000n - desk.balance("KLV")).toBe(transaction.RawData.BandwidthFee);
    expect(desk.real.node.accounts.nonce(alice)).toBe(1n);
  });

  it("is refused in the node's words", async () => {
    const { post, buildSwap, sendSwap, block, real } = await realNodeDesk();
    const refusal = async (key: string, change: object, signature?: string) => {
      const { RawData } = await buildSwap();
      const signed = signedBy(key, { RawData: { ...RawData, ...change } }) as { tx: { Signature: string[] } };
      if (signature !== undefined) signed.tx.Signature = [signature];
      return (await post("/transaction/broadcast", signed)).body.error;
    };
    expect(await refusal(keys.bob, {})).toBe("validation error: invalid signature");
    expect(await refusal(keys.alice, {}, "AA==")).toBe("validation error: invalid signature length");
    expect(await refusal(keys.alice, { ChainID: "MTA4" })).toBe("validation error: invalid chain ID");
    expect(await refusal(keys.alice, { Version: 2n })).toBe("validation error: invalid transaction version");
    expect(await refusal(keys.alice, { Nonce: 101n })).toBe(
      "validation error: invalid transaction lowerNonceInTx: false, veryHighNonceInTx: true",
    );
    expect(await refusal(keys.alice, { BandwidthFee: 1n })).toMatch(
      /^validation error: invalid transaction fees: \(1\/\d+\) \(2000000\/2000000\)$/,
    );
    expect(await refusal(keys.alice, { PermissionID: 1n })).toBe("validation error: permission not found");
    const built = await buildSwap();
    real.node.set({ raisesFees: true });
    expect((await post("/transaction/broadcast", signedBy(keys.alice, built))).body.error).toContain(
      "(2000000/4000000)",
    );
    real.node.set({ raisesFees: false });
    await sendSwap();
    block();
    expect((await post("/transaction/broadcast", signedBy(keys.alice, built))).body.error).toBe(
      "validation error: invalid transaction lowerNonceInTx: true, veryHighNonceInTx: false",
    );
  });

  it("may be a list, which is accepted as a whole or not at all", async () => {
    const { post, buildSwap, block, real } = await realNodeDesk();
    const signed = async (nonce: number) =>
      (signedBy(keys.alice, await buildSwap({ nonce })) as { tx: { Signature: string[] } }).tx;
    const [first, second] = [await signed(0), await signed(1)];
    const unsigned = { ...second, Signature: [] };
    expect((await post("/transaction/broadcast", { txs: [first, unsigned] })).body.error).toBe(
      "validation error: invalid transaction 1: invalid signature threshold: (0/1)",
    );
    expect((await post("/transaction/broadcast", { txs: [] })).body.error).toBe(
      "validation error: no transaction to process",
    );
    expect(real.node.pool(alice)).toEqual([]);
    const { status, body } = await post("/transaction/broadcast", { txs: [first, second] });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      txsHashes: real.node.pool(alice).map((each) => (each as { readonly hash: string }).hash),
    });
    block();
    expect(real.node.accounts.nonce(alice)).toBe(2n);
  });

  it("may be repeated while it waits; of two with the same nonce, only the one with the higher fee is executed", async () => {
    const { post, get, buildSwap, block, balance } = await realNodeDesk();
    const cheap = await buildSwap();
    const dear = { RawData: { ...cheap.RawData, BandwidthFee: (cheap.RawData.BandwidthFee ?? 0n) + 1n } };
    for (const each of [cheap, cheap, dear]) {
      expect((await post("/transaction/broadcast", signedBy(keys.alice, each))).status).toBe(200);
    }
    block(2);
    expect(10_000_000_000n - balance("KLV")).toBe(1_000_000n + 2_000_000n + dear.RawData.BandwidthFee);
    expect((await get(`/transaction/${hashOf(dear.RawData).toString("hex")}`)).status).toBe(200);
    const lost = await get(`/transaction/${hashOf(cheap.RawData).toString("hex")}`);
    expect([lost.status, lost.body.error]).toEqual([500, "getting transaction failed: transaction not found"]);
  });

  it("waits while an earlier nonce is missing, and runs after it in the same block", async () => {
    const { sendSwap, block, real } = await realNodeDesk();
    await sendSwap({ nonce: 1 });
    block();
    expect(real.node.accounts.nonce(alice)).toBe(0n);
    await sendSwap({ nonce: 0 });
    block();
    expect(real.node.accounts.nonce(alice)).toBe(2n);
  });

  it("runs out of gas if it pays for less than the call needs", async () => {
    const { post, get, buildSwap, block } = await realNodeDesk();
    const { RawData } = await buildSwap();
    const short = { RawData: { ...RawData, BandwidthFee: (RawData.BandwidthFee ?? 0n) - 100n } };
    const { body } = await post("/transaction/broadcast", signedBy(keys.alice, short));
    block();
    const { transaction } = (await get(`/transaction/${body.data.txHash}?withResults=true`)).body.data;
    expect(transaction).toMatchObject({ Result: 1n, ResultCode: 58n });
    // The machine itself ended the call, so the last brackets name the function and not a reason.
    const trace = Buffer.from(transaction.logs.events[0]!.data[0]!, "hex").toString();
    expect(trace).toBe("\n\truntime.go:856 [not enough gas] [swap]");
  });

  it("runs out of gas if the switch says so, whatever was paid", async () => {
    const { real, get, sendSwap, block } = await realNodeDesk();
    real.node.set({ runsOutOfGas: true });
    const hash = await sendSwap();
    block();
    const { transaction } = (await get(`/transaction/${hash}?withResults=true`)).body.data;
    expect(transaction).toMatchObject({ Result: 1n, ResultCode: 58n });
  });

  it("fails in the words of the machine's function that ended it", async () => {
    const { post, get, sendSwap, block, balance } = await realNodeDesk();
    const first = await sendSwap({ contract: { ...swapOf(balance("KFI")) }, data: swapData(1n, "KFI", "KLV") });
    // Built while the first one waits, the second pays with tokens that the first will have spent.
    const second = await sendSwap({
      nonce: 1,
      contract: { ...swapOf(balance("KFI")) },
      data: swapData(1n, "KFI", "KLV"),
    });
    block();
    const found = async (hash: string) => (await get(`/transaction/${hash}?withResults=true`)).body.data.transaction;
    expect(await found(first)).not.toHaveProperty("ResultCode");
    const failed = await found(second);
    expect(failed).toMatchObject({ Result: 1n, ResultCode: 62n });
    expect(Buffer.from(failed.logs.events[0]!.data[0]!, "hex").toString()).toBe(
      "\n\truntime.go:856 [execution failed] [swap]\n\truntime.go:853 [insufficient funds]",
    );
    expect((await post("/transaction/send", swapBody({ nonce: 2 }))).status).toBe(200);
  });

  it("needs the signatures of the account's permission, if it has one", async () => {
    const world = defaultWorld();
    const signers = [alice, bob].map((address) => ({ address, weight: 1n }));
    world.accounts = world.accounts!.map((each) =>
      each.address === alice ? { ...each, permissions: [{ threshold: 2n, signers }] } : each,
    );
    const { post, get, buildSwap } = await realNodeDesk(world);
    const built = await buildSwap();
    const one = signedBy(keys.alice, built) as { tx: { Signature: string[] } };
    expect((await post("/transaction/broadcast", one)).body.error).toBe(
      "validation error: invalid signature threshold: (1/2)",
    );
    const other = signedBy(keys.bob, built) as typeof one;
    one.tx.Signature.push(...other.tx.Signature);
    expect((await post("/transaction/broadcast", one)).status).toBe(200);
    const { account } = (await get(`/address/${alice}`)).body.data;
    expect(account.Permissions).toMatchObject([{ Threshold: 2n, Signers: [{ weight: 1n }, { weight: 1n }] }]);
  });
});

describe("what a chain can do to a transaction", () => {
  it("rolls its block back: everything is as before, and the transaction waits again", async () => {
    const { real, get, sendSwap, block, balance, sandbox } = await realNodeDesk();
    const hash = await sendSwap();
    const before = sandbox.chain.pools();
    block(2);
    const after = balance("KLV");
    real.node.rollBack(2);
    expect(balance("KLV")).toBe(10_000_000_000n);
    expect(sandbox.chain.pools()).toEqual(before);
    expect((await get(`/transaction/${hash}`)).body.data.transaction.status).toBe("pending");
    expect((await get("/node/status")).body.data.metrics.klv_nonce).toBe(29_146_851n);
    block();
    expect(balance("KLV")).toBe(after);
  });

  it("drops a waiting transaction, or never keeps one that it accepted", async () => {
    const { real, get, sendSwap, block } = await realNodeDesk();
    const hash = await sendSwap();
    real.node.emptyPool();
    expect((await get(`/transaction/${hash}`)).status).toBe(500);
    real.node.set({ losesBroadcasts: true });
    expect(await sendSwap()).toBe(hash);
    block();
    expect(real.node.accounts.nonce(alice)).toBe(0n);
  });

  it("is too busy to build a third transaction, and says so", async () => {
    const { sandbox, post } = await realNodeDesk();
    sandbox.faults.next("node-build", "hang", 2);
    const hung = [1, 2].map(() => post("/transaction/send", swapBody()).catch(() => undefined));
    await expect.poll(async () => (await post("/transaction/send", swapBody())).status).toBe(429);
    expect((await post("/transaction/send", swapBody())).body).toMatchObject({ code: "system_busy" });
    await sandbox.close();
    await Promise.all(hung);
  });
});

describe("the real /vm/query", () => {
  it("takes hexadecimal arguments and numeric payments, answers nested and in base64, and changes nothing", async () => {
    const { post, balance } = await realNodeDesk();
    const body = {
      scAddress: addresses.referral,
      funcName: "swap",
      caller: alice,
      args: ["07".repeat(32), "03e8", "4b4c56", "4b4649", "01"],
      value: { KLV: 1_000_000 },
    };
    const { status, body: answer } = await post("/vm/query", body);
    expect(status).toBe(200);
    expect(answer.data.data).toMatchObject({ returnCode: "Ok", returnMessage: "" });
    expect(answer.data.data.returnData).toHaveLength(2);
    expect(balance("KLV")).toBe(10_000_000_000n);
    const refused = await post("/vm/query", { ...body, args: ["u64:1000"] });
    expect([refused.status, refused.body.error]).toEqual([
      400,
      "executeQuery: 'u64:1000' is not a valid hex string: encoding/hex",
    ]);
    expect((await post("/vm/query", { ...body, value: "KLV=1000000" })).body.error).toBe(
      "executeQuery: invalid json request",
    );
  });

  it("has a contract's refusal in its output and as its error", async () => {
    const { post } = await realNodeDesk();
    const body = { scAddress: addresses.router, caller: alice, isKnown: "not to the node" };
    const refused = await post("/vm/query", { ...body, funcName: "createPair", args: ["4b4c56", "4b4c56"] });
    expect([refused.status, refused.body.error]).toEqual([200, "VMUserError:Identical tokens"]);
    expect(refused.body.data.data).toMatchObject({ returnCode: "VMUserError", returnMessage: "Identical tokens" });
  });

  it("is refused while the node is not ready", async () => {
    const { post, get, real } = await realNodeDesk();
    const body = { scAddress: addresses.router, funcName: "getState" };
    real.node.set({ isNotReady: true });
    const refused = await post("/vm/query", body);
    expect([refused.status, refused.body.error, refused.body.code]).toEqual([
      400,
      "executeQuery: node is not ready yet to process VM Queries",
      "bad_request",
    ]);
    expect((await get("/node/status")).status).toBe(200);
    real.node.set({ isNotReady: false });
    expect((await post("/vm/query", body)).body.error).toBe("");
  });

  it("has the node's figures in an overview next to it", async () => {
    const { get } = await realNodeDesk();
    expect((await get("/node/overview")).body.data).toEqual({
      overview: {
        baseTxSize: 250n,
        chainID: "109",
        currentSlot: 29_146_851n,
        epochNumber: 5397n,
        nonce: 29_146_851n,
        slotAtEpochStart: 29_143_800n,
        slotDuration: 4000n,
        slotsPerEpoch: 5400n,
      },
    });
  });

  it("has accounts next to it, known or not", async () => {
    const { get } = await realNodeDesk();
    expect((await get(`/address/${carol}/balance?asset=KFI`)).body.data).toEqual({ balance: 100_000_000n });
    expect((await get(`/address/${operator}`)).body.data.account).toMatchObject({ Balance: 1_000_000_000n });
    const unknown = "klv17maps2h2gecpw24q3mvr3pt3napkkd0cweyj40xpjfq3ravdacdqwsqcm9";
    expect(Object.keys((await get(`/address/${unknown}`)).body.data.account)).toEqual(["Address"]);
    expect((await get(`/address/${unknown}/nonce`)).body.data.nonce).toBe(0n);
    const { status, body } = await get(`/address/${unknown}/balance`);
    expect([status, body.error]).toEqual([500, "get balance error: account was not found"]);
  });
});

const bobsContract = { scType: 0, address: addresses.referral, callValue: { KLV: 40_000_000_000 } };

const swapOf = (units: bigint) => ({ scType: 0, address: addresses.referral, callValue: { KFI: units } });

function swapData(minimum: bigint, tokenIn = "KLV", tokenOut = "KFI"): string[] {
  const hex = minimum.toString(16);
  const [from, to] = [tokenIn, tokenOut].map((token) => Buffer.from(token).toString("hex"));
  const data = `swap@${"07".repeat(32)}@03e8@${from}@${to}@${hex.length % 2 === 0 ? hex : `0${hex}`}`;
  return [Buffer.from(data).toString("base64")];
}

/** The swap's exact output at the current price. */
async function bestMinimum({ post }: Awaited<ReturnType<typeof realNodeDesk>>): Promise<bigint> {
  const { body } = await post("/vm/query", {
    scAddress: addresses.referral,
    funcName: "swap",
    caller: alice,
    args: ["07".repeat(32), "03e8", "4b4c56", "4b4649", "01"],
    value: { KLV: 1_000_000 },
  });
  const entries = body.data.data.returnData;
  return entries.reduce((sum, entry) => sum + BigInt(`0x0${Buffer.from(entry, "base64").toString("hex")}`), 0n);
}

describe("a token", () => {
  it("is described in base64 without zeros, one that doesn't exist by nothing, and a malformed id by a failure", async () => {
    const { get } = await realNodeDesk();
    const asset = async (id: string) => {
      const { status, body } = await get(`/asset/${id}`);
      return [status, body.code, body.error || (body.data as object)] as const;
    };
    expect(await asset("KFI")).toMatchObject([
      200,
      "successful",
      { asset: { ID: "S0ZJ", Ticker: "S0ZJ", Precision: 6n } },
    ]);
    const [, , fungible] = await asset("KFI");
    expect(fungible).not.toHaveProperty("asset.AssetType");
    expect(await asset("LKTOK-1A2B")).toMatchObject([200, "successful", { asset: { AssetType: 2n } }]);
    expect(await asset("NOPE-1234")).toEqual([200, "successful", { asset: {} }]);
    const refused = (words: string) => [500, "internal_issue", `could not get requested asset: ${words}`];
    expect(await asset("kfi")).toEqual(refused("invalid ticker name"));
    expect(await asset("KF-1A2B")).toEqual(refused("invalid ticker name length"));
    expect(await asset("KFIX-1A2")).toEqual(refused("invalid ticker random sequence length: 3"));
    expect(await asset("KFIX-1A2_")).toEqual(refused("invalid ticker random sequence encoding: 1A2_"));
  });
});

describe("a block", () => {
  const of64 = (hex: string) => Buffer.from(hex, "hex").toString("base64");
  /** A node whose newest block has a swap. */
  async function arrange() {
    const desk = await realNodeDesk();
    const hash = await desk.sendSwap();
    desk.block(2);
    const top = Number((await desk.get("/node/status")).body.data.metrics.klv_nonce);
    const read = async (nonce: number, withTxs = true) =>
      (await desk.get(`/block/by-nonce/${nonce}?withTxs=${withTxs}`)).body;
    return { ...desk, hash, top, read };
  }

  it("has its header, its hashes in base64 and its transactions as /transaction has them, and stands on the one below", async () => {
    const { get, hash, top, read } = await arrange();
    const { block } = (await read(top - 1)).data as never as { block: Record<string, unknown> };
    const { block: above } = (await read(top)).data as never as { block: Record<string, unknown> };
    const { transaction } = (await get(`/transaction/${hash}`)).body.data;
    expect(block).toMatchObject({
      TxHashes: [of64(hash)],
      status: "on-chain",
      Header: { Nonce: BigInt(top - 1), TxCount: 1n },
    });
    expect(block["transactions"]).toEqual([transaction]);
    expect(above).toMatchObject({ Header: { ParentHash: of64(block["hash"] as string) } });
    for (const absent of ["TxHashes", "transactions"]) expect(above).not.toHaveProperty(absent);
    expect((await read(top - 1, false)).data).not.toHaveProperty("block.transactions");
    expect((await read(top + 1)).error).toMatch(/^getting block failed: key [0-9a-f]{16} not found in /);
    expect((await read(Number.NaN)).error).toBe("validation error: invalid block nonce");
  });

  it("is another one once it was undone", async () => {
    const { real, block, top, read } = await arrange();
    const before = (await read(top)).data as never as { block: { hash: string } };
    real.node.rollBack(1);
    expect((await read(top)).error).toContain("not found");
    block();
    const after = (await read(top)).data as never as { block: { hash: string } };
    expect(after.block.hash).not.toBe(before.block.hash);
  });

  it("stands on the one below also where many that are empty weren't made one by one", async () => {
    const { block, top, read } = await arrange();
    block(500);
    const hashOf = async (nonce: number) =>
      ((await read(nonce)).data as never as { block: { hash: string } }).block.hash;
    const below = async (nonce: number) =>
      ((await read(nonce)).data as never as { block: { Header: { ParentHash: string } } }).block.Header.ParentHash;
    for (const nonce of [top + 1, top + 100, top + 490, top + 495])
      expect(await below(nonce)).toBe(of64(await hashOf(nonce - 1)));
  });

  it("can be wrong in each of the ways that it can be at a node", async () => {
    const { real, hash, top, read, block, get } = await arrange();
    const shown = async (nonce: number) =>
      ((await read(nonce)).data as never as { block?: { transactions?: unknown[] } }).block;
    for (const blockFault of ["no transactions", "one missing"] as const) {
      real.node.set({ blockFault });
      expect(await shown(top - 1)).toMatchObject({ TxHashes: [of64(hash)] });
      expect((await shown(top - 1))?.transactions).toBeUndefined();
    }
    real.node.set({ blockFault: "lags" });
    const times = [(await read(top)).error, (await read(top)).error].map((error) => error === "");
    expect(times.toSorted()).toEqual([false, true]);
    real.node.set({ blockFault: "closed" });
    expect((await get(`/block/by-nonce/${top}`).catch(() => ({ status: 404 }))).status).toBe(404);
    real.node.set({ blockFault: "pruned" });
    block(30);
    expect((await read(top)).error).toContain("not found");
    real.node.set({ blockFault: undefined });
    expect((await read(top)).error).toBe("");
  });
});
