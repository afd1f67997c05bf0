import { callData, contractCall } from "../../../src/encoding/call.js";
import { poolAddress } from "../market/pool-samples.js";
import { describe, expect, it, test } from "vitest";
import { alterations } from "../../../sandbox/node/alterations.js";
import type { RawData } from "../../../sandbox/node/transaction.js";
import { parseAddress } from "../../../src/encoding/address.js";
import type { Payment } from "../../../src/encoding/amount.js";
import { readSwapOutcome } from "../../../src/services/trade/swap.js";
import { bigints } from "../../support/wallet-chat.js";
import { keys, swapBody } from "../../sandbox/node/real-node.js";
import { addresses, defaultWorld } from "../../sandbox/chain/local-chain.js";
import { alice, operator } from "../samples.js";
import { swapDraft, walletDesk } from "./wallet-world.js";
import { isCarriedOut, isTakenAndCarriedOut, ownTransaction, requested } from "./requested.js";

const klvKfi = parseAddress("klv1qqqqqqqqqqqqqpgq5vp9gwu9ugqng9w2k75rlfedwk8uxjnvc0nqeqmkm2");
const stranger = parseAddress("klv17maps2h2gecpw24q3mvr3pt3napkkd0cweyj40xpjfq3ravdacdqwsqcm9");

describe("a signed swap", () => {
  it("is executed once, has its answer read from the chain, and costs exactly its amount and its fee", async () => {
    const desk = await walletDesk();
    const before = desk.balance("KLV");
    const request = await desk.request();
    expect(request.transaction.nonce).toBe(0n);
    expect(await desk.post(request)).toEqual({ kind: "accepted" });
    const ended = await desk.ended(request.id);
    expect(ended).toMatchObject({ state: "OK", outcome: { kind: "ok", encoding: "hex" } });
    const { terms } = ended;
    if (terms.kind !== "swap") throw new Error("not a swap");
    expect(readSwapOutcome({ ...ended, terms }, "base64")).toBeDefined();
    expect(before - desk.balance("KLV")).toBe(1_000_000n + request.transaction.networkFee.units);
    expect([...desk.carriedOut()]).toEqual([[request.transaction.hash, "ok"]]);
    expect(desk.shown).toEqual(["SENT", "OK"]);
  });

  it("gives the page what it signs, and accepts one of 30 signatures", async () => {
    const { desk, request } = await requested();
    const { token } = request.transaction;
    const asked = await desk.desk().request(token);
    expect(asked).toMatchObject({ kind: "open", address: alice, chainId: "109", hash: request.transaction.hash });
    expect(asked).toMatchObject({ transaction: { RawData: { Version: 1, KAppFee: 2_000_000 } } });
    expect(await desk.desk().request("nobody's")).toEqual({ kind: "unknown" });
    expect(await desk.post(request, "00".repeat(64))).toEqual({ kind: "wrong-signature" });
    expect(await desk.post(request, desk.signatureOf(request, keys.bob))).toEqual({ kind: "wrong-signature" });
    const kinds = (await Promise.all(Array.from({ length: 30 }, () => desk.post(request)))).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "accepted")).toHaveLength(1);
    expect(await desk.post(request)).toMatchObject({ kind: "closed" });
    await isCarriedOut(desk, request);
  });

  it("reports a failure with the contract's text, and that the chain keeps part of the fee", async () => {
    const desk = await walletDesk();
    const request = await desk.request(swapDraft(9900n));
    // The price moves before the signature.
    await desk.swapByBob();
    expect(await desk.post(request)).toEqual({ kind: "accepted" });
    const before = desk.balance("KLV");
    expect(await desk.ended(request.id)).toMatchObject({
      state: "FAILED",
      outcome: { kind: "failed", text: "Slippage exceeded", costsFee: true },
    });
    // The payment and the fee's part for the call come back.
    expect(before - desk.balance("KLV")).toBe(request.transaction.networkFee.units - 2_000_000n);
  });
});

describe("before signing", () => {
  test.each(alterations)("a node that altered %s is found out, and nothing is offered", async (alteration) => {
    const desk = await walletDesk();
    desk.real.node.set({ alteration });
    const reason = await desk.confirm();
    const code = "code" in reason ? reason.code : undefined;
    expect(["transaction-altered", "network-fee-too-high"]).toContain(code);
    expect(desk.logged).toHaveLength(code === "transaction-altered" ? 1 : 0);
    expect(desk.real.node.transactions()).toEqual([]);
  });

  it("a revert in the simulation is reported with the contract's text", async () => {
    const desk = await walletDesk();
    expect(await desk.confirm(swapDraft(10_000_000n))).toMatchObject({
      code: "contract-failed",
      parameters: { text: "Slippage exceeded" },
    });
  });

  it("payments that the chain can't carry, or above what the account holds with the fee, are refused", async () => {
    const desk = await walletDesk();
    const held = desk.balance("KLV");
    const refusalOf = (...payments: readonly Payment[]) => desk.confirm(paying(...payments));
    expect(await refusalOf(klv(9223372036854775808n))).toMatchObject({ code: "value-out-of-range" });
    expect(await refusalOf(klv(9223372036854775807n))).toMatchObject({ code: "funds-missing" });
    const deposit = contractCall({ contract: "pair", address: poolAddress(0) }, "addInitialLiquidity", {}, [
      klv(1n),
      { tokenId: "DVK-34ZH", units: 1n },
    ]);
    expect(await desk.confirm({ ...swapDraft(), call: deposit })).toMatchObject({ code: "payment-order" });
    expect(await refusalOf({ tokenId: "KFI", units: desk.balance("KFI") + 1n })).toMatchObject({
      code: "funds-missing",
      parameters: { token: "KFI" },
    });
    // Enough for the amount, but not for the fee.
    expect(await refusalOf(klv(held))).toMatchObject({
      code: "funds-missing",
      parameters: { token: "KLV", needed: expect.stringMatching(/^1000[4-6]\./) as string },
    });
    // The fees of two requests differ by less than 0.05 KLV.
    const { networkFee } = (await desk.request(paying(klv(5_000_000_000n)))).transaction;
    expect(await refusalOf(klv(held - networkFee.units - 100_000n))).toMatchObject({ state: "SIGNING" });
    expect(await refusalOf(klv(held - networkFee.units + 100_000n))).toMatchObject({ code: "funds-missing" });
  });

  it("the fee is the node's, plus 5% of its part for bandwidth and gas, plus a small amount unique to each request", async () => {
    const desk = await walletDesk();
    const body = swapBody({ data: [Buffer.from(callData(swapDraft().call)).toString("base64")] });
    const { RawData } = (desk.real.node.build(bigints(body), false) as { result: { RawData: RawData } }).result;
    const [first, second] = [await desk.request(), await desk.request()].map(({ transaction }) => transaction);
    const margin = first!.networkFee.units - (RawData.KAppFee ?? 0n) - (RawData.BandwidthFee ?? 0n);
    const twentieth = (RawData.BandwidthFee ?? 0n) / 20n;
    expect(margin).toBeGreaterThanOrEqual(twentieth);
    expect(margin).toBeLessThan(twentieth + 50_000n);
    expect(first!.hash).not.toBe(second!.hash);
  });

  it("a fee above the operator's limit is refused with both figures", async () => {
    const desk = await walletDesk();
    desk.real.node.setFees({ kappFee: 60_000_000n });
    expect(await desk.confirm()).toMatchObject({
      code: "network-fee-too-high",
      parameters: { fee: expect.stringMatching(/^6[2-5]\./) as string, maximum: "50" },
    });
  });

  it("an account that never received anything is refused as unknown, whatever the call pays", async () => {
    const desk = await walletDesk();
    await desk.change((person) => ({ ...person, wallet: { address: stranger, since: 1 } }));
    const draft = swapDraft();
    const free = contractCall({ contract: "router", address: poolAddress(0) }, "issueLpToken", {
      pair_address: poolAddress(1),
      lp_token_display_name: "LP",
      lp_token_ticker: "LP",
    });
    for (const call of [draft.call, free]) {
      expect(await desk.confirm({ ...draft, call, terms: { ...draft.terms, payout: stranger } })).toMatchObject({
        code: "account-unknown",
        parameters: { address: stranger },
      });
    }
  });

  const self = { address: alice, weight: 1n };
  const other = { address: operator, weight: 1n };
  test.each([
    ["needs two signers", [{ threshold: 2n, signers: [self, other] }], false],
    ["has given its key away", [{ threshold: 1n, signers: [other] }], false],
    ["has a permission for others only", [{ id: 1n, threshold: 1n, signers: [self] }], false],
    ["can sign alone, as others can", [{ threshold: 1n, signers: [other, self] }], true],
  ])("an account that %s is offered a transaction only if it can sign alone", async (_what, permissions, isOffered) => {
    const world = defaultWorld();
    const accounts = world.accounts!.map((each) => (each.address === alice ? { ...each, permissions } : each));
    const desk = await walletDesk({ world: { ...world, accounts } });
    if (isOffered) {
      const request = await desk.request();
      await isTakenAndCarriedOut(desk, request);
    } else expect(await desk.confirm()).toMatchObject({ code: "account-permissions" });
  });

  it("a call is refused while a transaction of the bot's is pending", async () => {
    const { desk, request } = await requested();
    await desk.post(request);
    await expect.poll(() => desk.real.node.transactions().length).toBe(1);
    expect(await desk.confirm()).toMatchObject({ code: "wallet-busy" });
  });

  it("a call is refused while a transaction of the user's own is pending", async () => {
    const desk = await walletDesk();
    ownTransaction(desk);
    expect(await desk.confirm()).toMatchObject({ code: "wallet-busy" });
    desk.block();
    expect((await desk.request()).transaction.nonce).toBe(1n);
  });

  it("a node of another chain stops trading", async () => {
    const world = defaultWorld();
    const desk = await walletDesk({ world: { ...world, chain: { ...world.chain, chainId: "108" } } });
    await expect.poll(async () => desk.confirm()).toMatchObject({ code: "chain-mismatch" });
  });
});

it("contracts are queried in the real node's form: hex arguments, an answer nested twice in base64", async () => {
  const desk = await walletDesk();
  const router = { contract: "router", address: parseAddress(addresses.router) } as const;
  const asked = { first_token_id: "KLV", second_token_id: "KFI" };
  expect(await desk.gateway().query(router, "getPair", asked)).toEqual([klvKfi]);
  const { requestBody } = desk.sandbox.wireLog.entries().find(({ path }) => path === "/vm/query")!;
  expect(JSON.parse(requestBody)).toEqual({
    scAddress: addresses.router,
    funcName: "getPair",
    args: ["4b4c56", "4b4649"],
  });
});

const klv = (units: bigint): Payment => ({ tokenId: "KLV", units });

/** A swap with these payments instead. */
function paying(...payments: readonly Payment[]): ReturnType<typeof swapDraft> {
  const draft = swapDraft();
  return { ...draft, call: { ...draft.call, payments } };
}
