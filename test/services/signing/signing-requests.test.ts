import { describe, expect, it, test } from "vitest";
import { Fault } from "../../../src/fault.js";
import { frozen } from "../intent/arrange.js";
import { operator } from "../samples.js";
import { friend, owner, swapDraft, walletDesk } from "./wallet-world.js";
import { isTakenAndCarriedOut, ownTransaction, requested } from "./requested.js";

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
