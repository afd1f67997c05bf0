import { describe, expect, it, test } from "vitest";
import { alterations } from "../../../sandbox/node/alterations.js";
import { isFault } from "../../../src/fault.js";
import { readSwapOutcome } from "../../../src/services/swap/referral-swap.js";
import { bigints } from "../../support/wallet-chat.js";
import { keys, signedBy, swapBody } from "../../sandbox/node/real-node.js";
import { defaultWorld } from "../../sandbox/chain/local-chain.js";
import { frozen } from "../intents/arrange.js";
import { alice, operator } from "../samples.js";
import { owner, swapDraft, walletDesk } from "./wallet-desk.js";

describe("a swap that is signed", () => {
  it("is carried out once, its answer read from the chain, and costs exactly its amount and its fee", async () => {
    const desk = await walletDesk();
    const before = desk.balance("KLV");
    const request = await desk.request();
    expect(request.transaction.nonce).toBe(0n);
    expect(await desk.post(request)).toEqual({ kind: "accepted" });
    const ended = await desk.ended(request.id);
    expect(ended).toMatchObject({ state: "OK", outcome: { kind: "ok", encoding: "hex" } });
    const { terms, outcome } = ended;
    if (terms.kind !== "swap") throw new Error("not a swap");
    expect(readSwapOutcome({ terms, outcome }, "base64")).toBeDefined();
    expect(before - desk.balance("KLV")).toBe(1_000_000n + request.transaction.networkFee.units);
    expect([...desk.carriedOut()]).toEqual([[request.transaction.hash, "ok"]]);
    expect(desk.shown).toEqual(["SENT", "OK"]);
  });

  it("gives the page what it signs, and takes one of 30 signatures", async () => {
    const desk = await walletDesk();
    const request = await desk.request();
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
    expect((await desk.ended(request.id)).state).toBe("OK");
    expect(desk.carriedOut().size).toBe(1);
  });

  it("tells a failure in the contract's words, and that the chain keeps a part of the fee", async () => {
    const desk = await walletDesk();
    const request = await desk.request(swapDraft(9900n));
    // Meanwhile the price moves: somebody else swaps much of the pool away.
    await desk.swapByBob();
    expect(await desk.post(request)).toEqual({ kind: "accepted" });
    const before = desk.balance("KLV");
    expect(await desk.ended(request.id)).toMatchObject({
      state: "FAILED",
      outcome: { kind: "failed", text: "Slippage exceeded", costsFee: true },
    });
    // The part for the call itself and the payment come back.
    expect(before - desk.balance("KLV")).toBe(request.transaction.networkFee.units - 2_000_000n);
  });
});

describe("before anybody signs", () => {
  test.each(alterations)(
    "a node that altered %s is found out and logged, and nothing is offered",
    async (alteration) => {
      const desk = await walletDesk();
      desk.real.node.set({ alteration });
      const fault = await desk.confirm();
      const isOther = isFault(fault, "transaction-altered", "transaction-unreadable");
      expect(isOther || isFault(fault, "network-fee-too-high")).toBe(true);
      expect(desk.logged).toHaveLength(isOther ? 1 : 0);
      expect(desk.real.node.transactions()).toEqual([]);
    },
  );

  it("a revert in the simulation is told in the contract's words", async () => {
    const desk = await walletDesk();
    expect(await desk.confirm(swapDraft(10_000_000n))).toMatchObject({
      code: "contract-failed",
      parameters: { text: "Slippage exceeded" },
    });
  });

  it("a payment beyond 64 bits, a fee above the limit, an empty wallet, an unknown and a shared account are refused", async () => {
    const desk = await walletDesk();
    const draft = swapDraft();
    const paying = (value: string) => ({ ...draft, call: { ...draft.call, value } });
    expect(await desk.confirm(paying("KLV=9223372036854775808"))).toMatchObject({ code: "value-out-of-range" });
    expect(await desk.confirm(paying("KLV=9223372036854775807"))).toMatchObject({ code: "funds-missing" });
    expect(await desk.confirm(paying("KLV=9999999999"))).toMatchObject({ code: "funds-missing" });
    expect(await desk.confirm(paying("KLV=1,DVK-34ZH=1"))).toMatchObject({ code: "payment-order" });
    desk.real.node.setFees({ kappFee: 60_000_000n });
    expect(await desk.confirm()).toMatchObject({ code: "network-fee-too-high" });
    const world = defaultWorld();
    const shared = {
      ...world,
      accounts: world.accounts!.map((each) =>
        each.address === alice
          ? { ...each, permissions: [{ threshold: 2n, signers: [{ address: alice, weight: 1n }] }] }
          : each,
      ),
    };
    const sharedDesk = await walletDesk({ world: shared });
    expect(await sharedDesk.confirm()).toMatchObject({ code: "account-permissions" });
  });

  it("a transaction that waits in the pool is waited for", async () => {
    const desk = await walletDesk();
    const request = await desk.request();
    await desk.post(request);
    await expect.poll(() => desk.real.node.transactions().length).toBe(1);
    expect(await desk.confirm()).toMatchObject({ code: "wallet-busy" });
  });

  it("a node of another chain stops trading", async () => {
    const world = defaultWorld();
    const desk = await walletDesk({ world: { ...world, chain: { ...world.chain, chainId: "108" } } });
    expect(isFault(await desk.confirm(), "chain-mismatch", "transaction-altered")).toBe(true);
  });
});

describe("a request that closes", () => {
  test.each(["cancel", "freeze", "wallet", "decline"] as const)("by %s takes no signature any more", async (how) => {
    const desk = await walletDesk();
    const request = await desk.request();
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

  it("by its time is expired", async () => {
    const desk = await walletDesk({ signSeconds: 5 });
    const request = await desk.request();
    expect((await desk.ended(request.id, false)).state).toBe("EXPIRED");
    expect(await desk.post(request)).toMatchObject({ kind: "closed", sentence: "EXPIRED,EXPIRED," });
  });

  it("by a worse price is replaced by a fresh card", async () => {
    const desk = await walletDesk();
    const request = await desk.request();
    desk.setRecheck(async () => ({ kind: "worse", draft: swapDraft(2n) }));
    expect(await desk.post(request)).toMatchObject({ kind: "closed" });
    expect((await desk.ended(request.id, false)).state).toBe("SUPERSEDED");
    expect((await desk.intents().list(owner)).map(({ state }) => state).sort()).toEqual(["QUOTED", "SUPERSEDED"]);
    expect(desk.real.node.transactions()).toEqual([]);
  });

  it("by a newer one of the same address leaves one execution", async () => {
    const desk = await walletDesk();
    const first = await desk.request();
    const second = await desk.request();
    expect(second.transaction.nonce).toBe(first.transaction.nonce);
    expect(await desk.post(first)).toMatchObject({ kind: "closed" });
    expect(await desk.post(second)).toEqual({ kind: "accepted" });
    expect((await desk.ended(second.id)).state).toBe("OK");
    expect((await desk.ended(first.id)).state).toBe("SUPERSEDED");
    expect([...desk.carriedOut().keys()]).toEqual([second.transaction.hash]);
  });
});

describe("a wallet that broadcasts by itself", () => {
  it("while the request is open, or closing: it is followed to its end", async () => {
    const desk = await walletDesk();
    const request = await desk.request();
    const asked = await desk.desk().request(request.transaction.token);
    if (asked.kind !== "open") throw new Error("it is not open");
    desk.real.wallet.set({ mode: "broadcasts" });
    await desk.real.wallet.sign(bigints(asked.transaction));
    await desk.intents().cancel(owner, request.id);
    expect((await desk.ended(request.id)).state).toBe("OK");
  });

  it("after its request closed: found when its number turns out to be used", async () => {
    const desk = await walletDesk();
    const first = await desk.request();
    const asked = await desk.desk().request(first.transaction.token);
    if (asked.kind !== "open") throw new Error("it is not open");
    await desk.intents().cancel(owner, first.id);
    expect((await desk.ended(first.id, false)).state).toBe("CANCELED");
    const second = await desk.request();
    desk.real.node.set({ losesBroadcasts: true });
    await desk.post(second);
    desk.real.node.set({ losesBroadcasts: false });
    desk.real.wallet.set({ mode: "broadcasts" });
    await desk.real.wallet.sign(bigints(asked.transaction));
    desk.block();
    expect((await desk.ended(second.id)).outcome).toEqual({ kind: "not-sent", code: "transaction-replaced" });
    expect([...desk.carriedOut().keys()]).toEqual([first.transaction.hash]);
    expect((await desk.ended(first.id)).state).toBe("OK");
  });
});

describe("on the way to the end", () => {
  it.each(["drop-after", "drop-before", "5xx", "garbage"] as const)(
    "a broadcast whose answer is lost (%s) is found",
    async (fault) => {
      const desk = await walletDesk();
      const request = await desk.request();
      desk.sandbox.faults.next("node-broadcast", fault, 1);
      expect(await desk.post(request)).toEqual({ kind: "accepted" });
      expect((await desk.ended(request.id)).state).toBe("OK");
      expect(desk.carriedOut().size).toBe(1);
    },
  );

  it("a transaction that the pool lost is given to the network again", async () => {
    const desk = await walletDesk();
    const request = await desk.request();
    desk.real.node.set({ losesBroadcasts: true });
    await desk.post(request);
    await expect.poll(() => desk.shown).toEqual(["SENT"]);
    desk.real.node.set({ losesBroadcasts: false });
    expect((await desk.ended(request.id)).state).toBe("OK");
  });

  it("a rollback leads back to waiting, and then to the true end", async () => {
    const desk = await walletDesk();
    const request = await desk.request();
    await desk.post(request);
    await expect.poll(() => desk.real.node.transactions().length).toBe(1);
    desk.block();
    desk.real.node.rollBack(1);
    desk.real.node.emptyPool();
    ownTransaction(desk);
    desk.block(2);
    expect(await desk.ended(request.id, false)).toMatchObject({
      state: "FAILED",
      outcome: { kind: "not-sent", code: "transaction-replaced" },
    });
  });

  it("a refusal of the first broadcast is the answer", async () => {
    const desk = await walletDesk();
    const request = await desk.request();
    desk.real.node.setFees({ feePerDataByte: 80_000n });
    await desk.post(request);
    expect(await desk.ended(request.id, false)).toMatchObject({ state: "FAILED", outcome: { kind: "failed" } });
    expect(desk.real.node.transactions()).toEqual([]);
  });

  it("a kill at each state is survived", async () => {
    const desk = await walletDesk();
    const request = await desk.request();
    await desk.restart();
    expect(await desk.post(request)).toEqual({ kind: "accepted" });
    await desk.restart();
    expect((await desk.ended(request.id)).state).toBe("OK");
    expect(desk.carriedOut().size).toBe(1);
  });

  describe("a node that is away for twenty seconds", () => {
    const services = ["node", "node-build", "node-lookup", "node-broadcast"] as const;
    type Desk = Awaited<ReturnType<typeof walletDesk>>;
    /** While it is away, `meanwhile` happens. */
    const away = async (desk: Desk, meanwhile: () => unknown = () => undefined, which = services.slice()) => {
      for (const service of which) desk.sandbox.faults.set(service, "5xx");
      const result = await meanwhile();
      await desk.clock.sleep(20_000);
      for (const service of which) desk.sandbox.faults.set(service, undefined);
      return result;
    };

    it("before there is a transaction, offers none", async () => {
      const desk = await walletDesk();
      expect(await away(desk, () => desk.confirm())).toMatchObject({ code: "service-status" });
      const request = await desk.request();
      expect(await desk.post(request)).toEqual({ kind: "accepted" });
      expect((await desk.ended(request.id)).state).toBe("OK");
    });

    it("when the signature comes, leaves the request open, and takes it afterwards", async () => {
      const desk = await walletDesk();
      const request = await desk.request();
      await away(desk, () => expect(desk.post(request)).rejects.toMatchObject({ code: "service-status" }));
      expect((await desk.find(request.id)).state).toBe("SIGNING");
      expect(await desk.post(request)).toEqual({ kind: "accepted" });
      expect((await desk.ended(request.id)).state).toBe("OK");
      expect(desk.carriedOut().size).toBe(1);
    });

    it.each([
      ["is given the transaction", ["node-broadcast"]],
      ["carries it out", services],
    ] as const)("while it %s, is waited for", async (_step, which) => {
      const desk = await walletDesk();
      const request = await desk.request();
      const post = async () => {
        expect(await desk.post(request)).toEqual({ kind: "accepted" });
      };
      if (which === services) await post();
      await away(desk, which === services ? () => desk.block(3) : post, [...which]);
      expect((await desk.ended(request.id)).state).toBe("OK");
      expect(desk.carriedOut().size).toBe(1);
    });
  });
});

/** The person's own transaction, with the same number. */
function ownTransaction(desk: Awaited<ReturnType<typeof walletDesk>>): string {
  const built = desk.real.node.build(bigints(swapBody({}, "02")), false) as { result: never };
  return desk.real.node.broadcast(signedBy(keys.alice, built.result));
}
