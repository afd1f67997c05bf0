import { describe, expect, it, test } from "vitest";
import { Fault } from "../../../src/fault.js";
import type { SignedIntent } from "../../../src/services/intent/intent.js";
import { until } from "../../support/until.js";
import { bigints } from "../../support/wallet-chat.js";
import { frozen } from "../intent/arrange.js";
import { operator } from "../samples.js";
import { owner, swapDraft, walletDesk } from "./wallet-world.js";
import { type Desk, isCarriedOut, isTakenAndCarriedOut, ownTransaction, requested } from "./requested.js";

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
