import { callData, contractCall } from "../../../src/encoding/call.js";
import { poolAddress } from "../market/pool-samples.js";
import { describe, expect, it, test } from "vitest";
import { alterations } from "../../../sandbox/node/alterations.js";
import type { RawData } from "../../../sandbox/node/transaction.js";
import { parseAddress } from "../../../src/encoding/address.js";
import type { Payment } from "../../../src/encoding/amount.js";
import { Fault } from "../../../src/fault.js";
import type { SignedIntent } from "../../../src/services/intent/intent.js";
import { readSwapOutcome } from "../../../src/services/trade/swap.js";
import { until } from "../../support/until.js";
import { bigints } from "../../support/wallet-chat.js";
import { keys, signedBy, swapBody } from "../../sandbox/node/real-node.js";
import { addresses, defaultWorld } from "../../sandbox/chain/local-chain.js";
import { frozen } from "../intent/arrange.js";
import { alice, operator } from "../samples.js";
import { friend, owner, swapDraft, walletDesk } from "./wallet-world.js";

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

describe("a signing request", () => {
  test.each(["cancel", "freeze", "wallet", "decline"] as const)("closed by %s accepts no signature", async (how) => {
    const { desk, request } = await requested();
    const { id, transaction } = request;
    if (how === "cancel") await desk.intents().cancel(owner, id);
    if (how === "freeze") await desk.change(frozen);
    if (how === "wallet") await desk.change((person) => ({ ...person, wallet: { address: operator, since: 1 } }));
    if (how === "decline") expect(await desk.desk().decline(transaction.token)).toEqual({ kind: "declined" });
    expect(await desk.post(request)).toMatchObject({ kind: "closed" });
    if (how === "freeze" || how === "wallet") await desk.intents().cancel(owner, id);
    expect((await desk.ended(id, false)).state).toBe(how === "decline" ? "FAILED" : "CANCELED");
    expect(desk.real.node.transactions()).toEqual([]);
    expect(await desk.desk().request(transaction.token)).toMatchObject({ kind: "closed" });
    await desk.restart();
    expect(await desk.desk().request(transaction.token)).toMatchObject({ kind: "closed" });
  });

  it("can't be declined on the page if a signature came first", async () => {
    const desk = await walletDesk();
    const { id, transaction } = await desk.request();
    await desk.intents().requests.sign(owner, id, "00");
    const declined = await desk.desk().decline(transaction.token);
    expect((await desk.find(id)).state).toBe("SENT");
    expect(declined).toMatchObject({ kind: "closed" });
  });

  it("expires when its time is over", async () => {
    const { desk, request } = await requested();
    desk.passSigningTime();
    expect((await desk.ended(request.id, false)).state).toBe("EXPIRED");
    expect(await desk.post(request)).toMatchObject({ kind: "closed", sentence: "EXPIRED,EXPIRED," });
  });

  test.each([
    ["nonce-used", true],
    ["wallet-busy", false],
  ])("is closed by another transaction of the account: %s", async (code, isCarriedOut) => {
    const { desk, request } = await requested();
    const own = ownTransaction(desk);
    if (isCarriedOut) desk.block();
    expect(await desk.post(request)).toMatchObject({ kind: "closed" });
    const parameters = code === "wallet-busy" ? { parameters: { paid: "" } } : {};
    expect((await desk.ended(request.id, false)).outcome).toEqual({ kind: "not-sent", code, ...parameters });
    desk.block();
    expect([...desk.carriedOut().keys()]).toEqual([own]);
  });

  it("is closed if the node turns out to be on another chain", async () => {
    const { desk, request } = await requested();
    desk.setChainFault(new Fault("chain-mismatch", {}));
    expect(await desk.post(request)).toMatchObject({ kind: "closed" });
    expect((await desk.ended(request.id, false)).outcome).toEqual({ kind: "not-sent", code: "chain-mismatch" });
    expect(desk.real.node.transactions()).toEqual([]);
  });

  it("stays open if a service is unreachable when the signature comes", async () => {
    const { desk, request } = await requested();
    desk.setRecheck(() => Promise.reject(new Fault("service-unreachable", { service: "quotation" })));
    await expect(desk.post(request)).rejects.toMatchObject({ code: "service-unreachable" });
    desk.setRecheck(async () => undefined);
    expect(await desk.post(request)).toEqual({ kind: "accepted" });
  });

  test.each(["a cancel", "its time"])("closed by %s is over for the page before the chain was asked", async (how) => {
    const { desk, request } = await requested();
    desk.sandbox.faults.set("node-lookup", "5xx");
    if (how === "a cancel") await desk.intents().cancel(owner, request.id);
    else desk.passSigningTime();
    expect((await desk.find(request.id)).state).toBe("SIGNING");
    expect(await desk.desk().request(request.transaction.token)).toMatchObject({ kind: "closed" });
    expect(await desk.desk().decline(request.transaction.token)).toMatchObject({ kind: "closed" });
    desk.sandbox.faults.set("node-lookup", undefined);
    expect((await desk.ended(request.id, false)).state).toBe(how === "a cancel" ? "CANCELED" : "EXPIRED");
  });

  it("is replaced by a new card if the price got worse", async () => {
    const { desk, request } = await requested();
    desk.setRecheck(async () => swapDraft(2n));
    expect(await desk.post(request)).toMatchObject({ kind: "closed" });
    expect((await desk.ended(request.id, false)).state).toBe("SUPERSEDED");
    expect((await desk.states()).toSorted()).toEqual(["QUOTED", "SUPERSEDED"]);
    expect(desk.real.node.transactions()).toEqual([]);
  });

  it("is replaced by a newer one of the same address, and one is executed", async () => {
    const desk = await walletDesk();
    const first = await desk.request();
    const second = await desk.request();
    expect(second.transaction.nonce).toBe(first.transaction.nonce);
    expect(await desk.post(first)).toMatchObject({ kind: "closed" });
    await isTakenAndCarriedOut(desk, second);
    expect((await desk.ended(first.id)).state).toBe("SUPERSEDED");
  });

  test.each(["one after the other", "at once"])(
    "is executed for one of two users with one address who sign %s, and the other gets the reason",
    async (how) => {
      const desk = await walletDesk();
      const requests = [await desk.request(swapDraft(), owner), await desk.request(swapDraft(), friend)];
      expect(requests.map(({ transaction }) => transaction.nonce)).toEqual([0n, 0n]);
      if (how === "at once") await Promise.all(requests.map((each) => desk.post(each)));
      else for (const each of requests) await desk.post(each);
      const ended = await Promise.all(requests.map(({ id }) => desk.ended(id)));
      expect(ended.map(({ state }) => state).sort()).toEqual(["FAILED", "OK"]);
      const { outcome } = ended.find(({ state }) => state === "FAILED")!;
      expect(outcome).toMatchObject({ kind: "not-sent" });
      expect(["wallet-busy", "nonce-used", "transaction-replaced"]).toContain((outcome as { code: string }).code);
      const done = ended.find(({ state }) => state === "OK")!;
      expect([...desk.carriedOut()]).toEqual([[done.transaction!.hash, "ok"]]);
    },
  );
});

describe("a transaction signed but not broadcast before a restart", () => {
  const signedOnly = async () => {
    const { desk, request } = await requested();
    await desk.intents().requests.sign(owner, request.id, desk.signatureOf(request));
    return { desk, request };
  };

  test.each<[code: string, how: (desk: Desk) => unknown]>([
    ["frozen", (desk) => desk.change(frozen)],
    ["wallet-changed", (desk) => desk.change((person) => ({ ...person, wallet: { address: operator, since: 1 } }))],
    ["trading-paused", (desk) => desk.pause("a test")],
    ["price-moved", (desk) => desk.setRecheck(async () => swapDraft(2n))],
    [
      "quote-none",
      (desk) => desk.setRecheck(() => Promise.reject(new Fault("quote-none", { from: "KLV", to: "KFI" }))),
    ],
    [
      "sent-too-late",
      (desk) => {
        desk.passSigningTime();
        desk.passSigningTime();
      },
    ],
  ])("is not broadcast afterwards: %s", async (code, how) => {
    const { desk, request } = await signedOnly();
    await how(desk);
    desk.passFreshness();
    await desk.restart();
    expect((await desk.ended(request.id, false)).outcome).toMatchObject({ kind: "not-sent", code });
    expect(desk.real.node.transactions()).toEqual([]);
  });

  it("waits while its price is unavailable, and can be cancelled meanwhile", async () => {
    const { desk, request } = await signedOnly();
    let asked = 0;
    desk.setRecheck(() => {
      asked += 1;
      return Promise.reject(new Fault("service-unreachable", { service: "quotation" }));
    });
    desk.passFreshness();
    await desk.restart();
    await until(() => asked > 2);
    expect((await desk.find(request.id)).state).toBe("SENT");
    expect((await desk.intents().cancel(owner, request.id))?.state).toBe("CANCELED");
    desk.setRecheck(async () => undefined);
    const asks = () =>
      desk.sandbox.wireLog.entries().filter(({ path }) => path.includes(request.transaction.hash)).length;
    const before = asks();
    await until(() => asks() > before);
    expect(desk.real.node.transactions()).toEqual([]);
  });

  it("is broadcast if nothing speaks against it, and executed once", async () => {
    const { desk, request } = await signedOnly();
    await desk.restart();
    await isCarriedOut(desk, request);
  });
});

describe("a transaction broadcast by the wallet", () => {
  it("is followed to its end while its request is open or closing", async () => {
    const { desk, request } = await requested();
    const asked = await openPage(desk, request);
    await walletBroadcasts(desk, asked);
    await desk.intents().cancel(owner, request.id);
    expect((await desk.ended(request.id)).state).toBe("OK");
  });

  test.each([0, 1])(
    "has its signature accepted from the page %i blocks later, and is executed once",
    async (blocks) => {
      const { desk, request } = await requested();
      const asked = await openPage(desk, request);
      await walletBroadcasts(desk, asked);
      desk.block(blocks);
      await isTakenAndCarriedOut(desk, request);
    },
  );

  it("is found soon even if its request has closed", async () => {
    const { desk, request } = await requested();
    const asked = await openPage(desk, request);
    await desk.intents().cancel(owner, request.id);
    expect((await desk.ended(request.id, false)).state).toBe("CANCELED");
    await walletBroadcasts(desk, asked);
    await expect.poll(async () => (await desk.find(request.id)).state).toBe("SENT");
    expect((await desk.ended(request.id)).state).toBe("OK");
    expect(desk.shown).toEqual(["CANCELED", "SENT", "OK"]);
  });

  it("is found after its request closed and a restart, once its nonce turns out to be used", async () => {
    const desk = await walletDesk();
    const first = await desk.request();
    const asked = await openPage(desk, first);
    await desk.intents().cancel(owner, first.id);
    expect((await desk.ended(first.id, false)).state).toBe("CANCELED");
    await desk.restart();
    const second = await desk.request();
    await postAndLose(desk, second);
    await walletBroadcasts(desk, asked);
    desk.block();
    expect((await desk.ended(second.id)).outcome).toEqual({ kind: "not-sent", code: "transaction-replaced" });
    expect([...desk.carriedOut().keys()]).toEqual([first.transaction.hash]);
    expect((await desk.ended(first.id)).state).toBe("OK");
  });
});

describe("a broadcast transaction", () => {
  it.each(["drop-after", "drop-before", "5xx", "garbage"] as const)(
    "is found if the answer to the broadcast is lost (%s)",
    async (fault) => {
      const { desk, request } = await requested();
      desk.sandbox.faults.next("node-broadcast", fault, 1);
      await isTakenAndCarriedOut(desk, request);
    },
  );

  it("is broadcast again if the pool lost it", async () => {
    const { desk, request } = await lostInThePool();
    expect((await desk.ended(request.id)).state).toBe("OK");
  });

  test.each([
    ["in another block", undefined],
    // The node doesn't say whose transaction that is.
    ["unknown if the user's own transaction has its nonce", "nonce-used"],
  ])("waits again if it was seen on the chain and rolled back, and then has its true end: %s", async (_end, code) => {
    const { desk, request } = await requested();
    await desk.post(request);
    await expect.poll(() => desk.real.node.transactions().length).toBe(1);
    desk.block();
    const { hash } = request.transaction;
    const wasSeen = () =>
      desk.sandbox.wireLog
        .entries()
        .some(({ path, responseBody }) => path.includes(hash) && /onChain/.test(responseBody));
    await expect.poll(wasSeen).toBe(true);
    desk.real.node.rollBack(1);
    if (code !== undefined) {
      desk.real.node.emptyPool();
      ownTransaction(desk);
      // Before the bot can broadcast its own again.
      desk.block();
    }
    expect((await desk.find(request.id)).state).toBe("SENT");
    desk.block(2);
    const { state, outcome } = await desk.ended(request.id, false);
    expect(state).toBe(code === undefined ? "OK" : "UNKNOWN");
    if (code !== undefined) expect(outcome).toEqual({ kind: "unknown", code });
    expect(desk.carriedOut().get(hash)).toBe(code === undefined ? "ok" : undefined);
  });

  it("fails if the first broadcast is refused", async () => {
    const { desk, request } = await requested();
    desk.real.node.setFees({ feePerDataByte: 80_000n });
    await desk.post(request);
    expect(await desk.ended(request.id, false)).toMatchObject({ state: "FAILED", outcome: { kind: "failed" } });
    expect(desk.real.node.transactions()).toEqual([]);
  });

  it("doesn't fail if a later broadcast is refused: the first may have been accepted", async () => {
    const { desk, request } = await lostInThePool();
    desk.real.node.setFees({ feePerDataByte: 80_000n });
    const refusals = () =>
      desk.sandbox.wireLog.entries().filter(({ path, status }) => path === "/transaction/broadcast" && status === 400);
    await expect.poll(() => refusals().length).toBeGreaterThan(0);
    expect((await desk.find(request.id)).state).toBe("SENT");
    desk.real.node.setFees({ feePerDataByte: 4000n });
    expect(await desk.ended(request.id)).toMatchObject({ state: "OK" });
  });

  it("survives a restart in each state", async () => {
    const { desk, request } = await requested();
    await desk.restart();
    expect(await desk.post(request)).toEqual({ kind: "accepted" });
    await desk.restart();
    await isCarriedOut(desk, request);
  });

  describe("a node that is away for twenty seconds", () => {
    const services = ["node", "node-build", "node-lookup", "node-broadcast"] as const;
    /** Runs `meanwhile` while the node is away. */
    const away = async (desk: Desk, meanwhile: () => unknown = () => undefined, which = services.slice()) => {
      for (const service of which) desk.sandbox.faults.set(service, "5xx");
      const result = await meanwhile();
      await desk.clock.sleep(20_000);
      for (const service of which) desk.sandbox.faults.set(service, undefined);
      return result;
    };

    it("offers no transaction until it is back", async () => {
      const desk = await walletDesk();
      expect(await away(desk, () => desk.confirm())).toMatchObject({ code: "service-status" });
      const request = await desk.request();
      await isTakenAndCarriedOut(desk, request);
    });

    it("leaves the request open when the signature comes, and accepts it afterwards", async () => {
      const { desk, request } = await requested();
      const refused = () => expect(desk.post(request)).rejects.toMatchObject({ code: "service-status" });
      await away(desk, () => Promise.all([refused(), refused()]));
      expect((await desk.find(request.id)).state).toBe("SIGNING");
      await isTakenAndCarriedOut(desk, request);
    });

    it.each([
      ["should accept the broadcast", ["node-broadcast"]],
      ["should execute the transaction", services],
    ] as const)("that %s is waited for", async (_step, which) => {
      const { desk, request } = await requested();
      const post = async () => {
        expect(await desk.post(request)).toEqual({ kind: "accepted" });
        // The card no longer asks for a signature.
        await until(() => desk.shown.includes("SENT"));
      };
      if (which === services) await post();
      await away(desk, which === services ? () => desk.block(3) : post, [...which]);
      await isCarriedOut(desk, request);
    });
  });
});

const klv = (units: bigint): Payment => ({ tokenId: "KLV", units });

/** A swap with these payments instead. */
function paying(...payments: readonly Payment[]): ReturnType<typeof swapDraft> {
  const draft = swapDraft();
  return { ...draft, call: { ...draft.call, payments } };
}

type Desk = Awaited<ReturnType<typeof walletDesk>>;

/** A desk and a request that waits for its signature. */
async function requested() {
  const desk = await walletDesk();
  return { desk, request: await desk.request() };
}

/** Expects the request to end well, and the chain to have executed its transaction once and no other. */
async function isCarriedOut(desk: Desk, { id, transaction }: SignedIntent): Promise<void> {
  expect((await desk.ended(id)).state).toBe("OK");
  expect([...desk.carriedOut()]).toEqual([[transaction.hash, "ok"]]);
}

async function isTakenAndCarriedOut(desk: Desk, request: SignedIntent): Promise<void> {
  expect(await desk.post(request)).toEqual({ kind: "accepted" });
  await isCarriedOut(desk, request);
}

/** A signed transaction that the node accepted and the network's pool lost; it loses no later one. */
async function lostInThePool() {
  const { desk, request } = await requested();
  await postAndLose(desk, request);
  await expect.poll(() => desk.shown).toEqual(["SENT"]);
  return { desk, request };
}

/** Posts the signature, and has the network lose the broadcast that follows. */
async function postAndLose(desk: Desk, request: SignedIntent): Promise<void> {
  const given = () => desk.sandbox.wireLog.entries().filter(({ path }) => path === "/transaction/broadcast").length;
  const before = given();
  desk.real.node.set({ losesBroadcasts: true });
  await desk.post(request);
  await expect.poll(given).toBeGreaterThan(before);
  desk.real.node.set({ losesBroadcasts: false });
}

/** Returns what a request's page gets while it is open. */
async function openPage(desk: Desk, { transaction }: SignedIntent) {
  const asked = await desk.desk().request(transaction.token);
  if (asked.kind !== "open") throw new Error("it is not open");
  return asked;
}

/** The wallet signs what the page shows, and broadcasts it itself. */
async function walletBroadcasts(desk: Desk, asked: Awaited<ReturnType<typeof openPage>>): Promise<void> {
  desk.real.wallet.set({ mode: "broadcasts" });
  await desk.real.wallet.sign(bigints(asked.transaction));
}

/** Broadcasts a transaction of the user's own with the same nonce. @returns its hash. */
function ownTransaction(desk: Desk): string {
  const built = desk.real.node.build(bigints(swapBody({}, "02")), false) as { result: never };
  return (desk.real.node.broadcast(signedBy(keys.alice, built.result)) as { readonly txHash: string }).txHash;
}
