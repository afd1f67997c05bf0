import { describe, expect, it } from "vitest";
import { addresses, alice, bob, emptyWorld, localChain, paymentsOf } from "./local-chain.js";

function start() {
  const balances = { KLV: "1000", "ABC-1A2B": "1000", "LPT-0000": "1000" };
  return localChain(emptyWorld({ chain: { epoch: 5 }, accounts: [{ address: alice, balances }] }));
}
const lock = (local: ReturnType<typeof start>, value: string | undefined, ...args: string[]) =>
  local.call("simpleLock", "lockTokens", args, { caller: alice, ...(value !== undefined && { value }) });
const unlock = (local: ReturnType<typeof start>, value: string | undefined, ...args: string[]) =>
  local.call("simpleLock", "unlockTokens", args, { caller: alice, ...(value !== undefined && { value }) });

describe("lockTokens", () => {
  it("locks native, fungible and already locked tokens 1:1, each attribute set under a nonce of its own", async () => {
    const local = start();
    expect(paymentsOf((await lock(local, "KLV=100", "u64:10")).data[0])).toEqual(["LKTOK-1A2B/1=100"]);
    expect(paymentsOf((await lock(local, "ABC-1A2B=100", "u64:10")).data[0])).toEqual(["LKTOK-1A2B/2=100"]);
    expect(paymentsOf((await lock(local, "ABC-1A2B=100", "u64:11")).data[0])).toEqual(["LKTOK-1A2B/3=100"]);
    expect(paymentsOf((await lock(local, "LKTOK-1A2B/2=40", "u64:12")).data[0])).toEqual(["LKTOK-1A2B/4=40"]);
    expect(local.balance(addresses.simpleLock, "LKTOK-1A2B/2")).toBe(41n);
    expect(local.chain.snapshot().locked["LKTOK-1A2B/4"]).toEqual({ asset: "LKTOK-1A2B/2", unlockEpoch: "12" });
  });

  it("adds to the nonce that is there already", async () => {
    const local = start();
    await lock(local, "KLV=100", "u64:10");
    expect(paymentsOf((await lock(local, "KLV=50", "u64:10")).data[0])).toEqual(["LKTOK-1A2B/1=50"]);
    expect(local.balance(alice, "LKTOK-1A2B/1")).toBe(150n);
  });

  it("returns the tokens unchanged, to the destination, when the epoch has come", async () => {
    const local = start();
    const result = await lock(local, "ABC-1A2B=100", "u64:5", `address:${bob}`);
    expect(paymentsOf(result.data[0])).toEqual(["ABC-1A2B=100"]);
    expect([local.balance(alice, "ABC-1A2B"), local.balance(bob, "ABC-1A2B")]).toEqual([900n, 100n]);
    expect(local.chain.state.lockNonces.size()).toBe(0);
  });

  it("sends the locked token to the destination", async () => {
    const local = start();
    await lock(local, "KLV=100", "u64:10", `address:${bob}`);
    expect([local.balance(alice, "LKTOK-1A2B/1"), local.balance(bob, "LKTOK-1A2B/1")]).toEqual([0n, 100n]);
  });

  it.each([
    ["no payment", undefined, "No payment"],
    ["nothing", "KLV=0", "No payment"],
    ["two payments", "LPT-0000=1,ABC-1A2B=1", "incorrect number of KDA transfers"],
  ])("refuses %s", async (_, value, text) => {
    expect(await lock(start(), value, "u64:10")).toMatchObject({ ok: false, text });
  });
});

describe("unlockTokens", () => {
  it("pays a part, and the rest later, to whom it is told", async () => {
    const local = start();
    await lock(local, "ABC-1A2B=100", "u64:7");
    expect((await unlock(local, "LKTOK-1A2B/1=1")).text).toBe("Cannot unlock yet");
    local.chain.advanceEpoch(1);
    expect((await unlock(local, "LKTOK-1A2B/1=1")).text).toBe("Cannot unlock yet");
    local.chain.advanceEpoch(1);
    expect(paymentsOf((await unlock(local, "LKTOK-1A2B/1=30")).data[0])).toEqual(["ABC-1A2B=30"]);
    await unlock(local, "LKTOK-1A2B/1=70", `address:${bob}`);
    expect([local.balance(alice, "ABC-1A2B"), local.balance(bob, "ABC-1A2B")]).toEqual([930n, 70n]);
    // The unit that keeps the nonce stays.
    expect(local.chain.state.ledger.supply({ tokenId: "LKTOK-1A2B", nonce: 1n })).toBe(1n);
  });

  it("gives a locked locked token back as it was", async () => {
    const local = start();
    await lock(local, "ABC-1A2B=100", "u64:6");
    await lock(local, "LKTOK-1A2B/1=100", "u64:7");
    local.chain.advanceEpoch(2);
    expect(paymentsOf((await unlock(local, "LKTOK-1A2B/2=100")).data[0])).toEqual(["LKTOK-1A2B/1=100"]);
  });

  it.each([
    ["no payment", undefined, "VMUserError", "incorrect number of KDA transfers"],
    ["the native token", "KLV=1", "VMUserError", "incorrect number of KDA transfers"],
    ["another token", "LPT-0000=1", "VMUserError", "Invalid payment token"],
    ["nothing", "LKTOK-1A2B/1=0", "VMUserError", "No payment"],
    ["more than there is", "LKTOK-1A2B/1=101", "VMExecutionFailed", "insufficient funds"],
    ["a nonce that does not exist", "LKTOK-1A2B/9=0", "VMUserError", "No payment"],
  ])("refuses %s", async (_, value, code, text) => {
    const local = start();
    await lock(local, "ABC-1A2B=100", "u64:6");
    local.chain.advanceEpoch(1);
    expect(await unlock(local, value)).toMatchObject({ ok: false, code, text });
  });

  it("names its token", async () => {
    const result = await start().call("simpleLock", "getLockedTokenId");
    expect(result.data).toEqual([Buffer.from("LKTOK-1A2B").toString("hex")]);
  });
});
