import { describe, expect, it } from "vitest";
import {
  labelsOf,
  losesAnswer,
  people,
  sandboxDesk,
  type SandboxPerson,
  seesRefused,
  tradingDesk,
} from "../support/sandbox-desk.js";
import { accepted } from "../support/as-read.js";

/** The default world begins in this epoch; an epoch lasts six hours. */
const EPOCH = 5397;
const DAY = 86_400_000;

/** Locks tokens. @returns the card with its outcome. */
async function lock(alice: SandboxPerson, words: string) {
  const card = await alice.asks(`/lock ${words}`);
  return alice.confirms(card);
}

const dayOf = (moment: number) => new Date(moment).toISOString().slice(0, 10);

describe("/lock", () => {
  it("until an epoch sends exactly the documented call and moves exactly that amount", async () => {
    const { desk, alice } = await tradingDesk();
    const before = alice.holds();
    const card = await alice.asks("/lock 5 LPKLVKFI-3I0N 5500");
    expect(card.text).toMatch(/^Lock 5 LPKLVKFI-3I0N[^]*Until: about \d{4}-\d\d-\d\d \d\d:\d\d UTC \(epoch 5500\)/);
    expect(card.text).toMatch(/nobody can unlock them[^]*Account klv1usdny…ujlazy/);
    expect(labelsOf(card)).toEqual(["✅ Confirm lock", "🔄 Refresh", "✖️ Cancel"]);
    expect(card.text).toMatch(/Current epoch: 5397/);
    const done = await alice.confirms(card);
    expect(done.text).toMatch(
      /Reported by the node: LKTOK-1A2B\/3\nCan be unlocked from about .* UTC \(epoch 5500\)\./,
    );
    const after = alice.holds();
    expect(before["LPKLVKFI-3I0N"]! - after["LPKLVKFI-3I0N"]!).toBe(5_000_000n);
    expect(after["LKTOK-1A2B/3"]).toBe(5_000_000n);
    expect(desk.callsSent()).toEqual([
      {
        scAddress: desk.sandbox.world.simpleLock.address,
        funcName: "lockTokens",
        args: ["u64:5500", `address:${desk.address("Alice")}`],
        value: "LPKLVKFI-3I0N=5000000",
        caller: desk.address("Alice"),
      },
    ]);
  });

  it("accepts a date or a duration, and shows the first epoch that begins no earlier", async () => {
    const { alice } = await tradingDesk();
    const epochOf = (text: string) => Number(/\(epoch (\d+)\)/.exec(text)?.[1]);
    const byDuration = await alice.asks("/lock 5 KFI 30d");
    // 120 epochs of six hours from now, which is within an epoch.
    expect(epochOf(byDuration.text)).toBe(EPOCH + 121);
    const byDate = await alice.asks(`/lock 5 KFI ${dayOf(Date.now() + 10 * DAY)}`);
    expect(epochOf(byDate.text)).toBeGreaterThan(EPOCH + 34);
    expect(epochOf(byDate.text)).toBeLessThanOrEqual(EPOCH + 41);
    const about = /about (\S+ \S+) UTC/.exec(byDate.text)?.[1] ?? "";
    expect(Date.parse(`${about.replace(" ", "T")}Z`)).toBeGreaterThanOrEqual(
      Date.parse(dayOf(Date.now() + 10 * DAY)) - 60_000,
    );
  });

  it("until a past or current epoch needs an extra confirmation, and then returns the tokens", async () => {
    const { alice } = await tradingDesk();
    const before = alice.holds();
    const card = await alice.asks(`/lock 5 KFI ${EPOCH}`);
    expect(card.text).toMatch(/Nothing will be locked[^]*you pay the network fee[^]*Continue\?/);
    expect(labelsOf(card)).toEqual(["I understand, continue", "✖️ Cancel"]);
    await alice.taps(card, "I understand");
    const accepted = await alice.sees(card, /Valid until/);
    expect(accepted.keyboard?.[0]?.[0]?.text).toBe("✅ Confirm sending");
    await alice.confirms(card, /nothing was locked\. Returned: 5 KFI/);
    expect(alice.holds()).toEqual(before);
    expect((await alice.asks("/locks")).text).toMatch(/No locks found/);
  });

  it("for more than two years needs an extra confirmation that names the duration", async () => {
    const { alice } = await tradingDesk();
    const card = await alice.asks("/lock 5 KFI 1100d");
    expect(card.text).toMatch(/locks your tokens for more than 3 years, until about \d{4}-\d\d-\d\d[^]*Continue\?/);
    expect(labelsOf(card)).toEqual(["I understand, continue", "✖️ Cancel"]);
    await alice.taps(card, "I understand");
    await alice.taps(await alice.sees(card, /Valid until/), "✅ Confirm lock");
    await alice.sees(card, accepted);
  });

  it("until an epoch that begins before the confirm sends nothing and asks again", async () => {
    const { desk, alice } = await tradingDesk();
    const card = await alice.asks(`/lock 5 KFI ${EPOCH + 1}`);
    desk.sandbox.chain.advanceEpoch(1);
    const fresh = await alice.confirms(card, /epoch has just started\. Nothing was sent/);
    expect(fresh.keyboard?.[0]?.[0]?.text).toBe("I understand, continue");
    expect(desk.callsSent()).toEqual([]);
  });

  it("says that it adds to an existing lock until the same epoch", async () => {
    const { alice } = await tradingDesk();
    await lock(alice, "5 KFI 5600");
    expect((await alice.asks("/lock 2 KFI 5601")).text).toMatch(/shares its number/);
    const card = await alice.asks("/lock 2.5 KFI 5600");
    expect(card.text).toMatch(/added to your locked token LKTOK-1A2B\/3, which unlocks at the same epoch/);
    await alice.confirms(card, /Reported by the node: LKTOK-1A2B\/3/);
    expect(alice.holds()["LKTOK-1A2B/3"]).toBe(7_500_000n);
    expect((await alice.asks("/locks")).text).toMatch(/7\.5 KFI · LKTOK-1A2B\/3/);
  });

  it("asks step by step, and refuses an invalid answer at once", async () => {
    const desk = await sandboxDesk();
    const alice = desk.person(people.alice);
    await alice.asks("/lock");
    await alice.asks(desk.address("Alice"), /Which token/);
    await alice.asks("kfi");
    expect((await alice.asks("-1")).text).toMatch(/negative/);
    expect((await alice.asks("5")).text).toMatch(/Lock until when\?/);
    expect((await alice.asks("soon")).text).toMatch(/“soon” isn't an unlock time/);
    expect((await alice.asks("2027-02-30")).text).toMatch(/isn't an unlock time/);
    expect((await alice.asks("4 W")).text).toMatch(/Lock 5 KFI[^]*\(epoch 5\d\d\d\)/);
  });

  it("asks for a missing payout address first, and then continues with what was typed", async () => {
    const desk = await sandboxDesk();
    const alice = desk.person(people.alice);
    const first = await alice.asks("/lock 5 KFI 5500", /Send your klv1… wallet address/);
    await alice.taps(first, "✖️ Cancel");
    await alice.sees(first, /^✖️ Cancelled\. Nothing was sent\.$/);
    expect((await alice.asks("/lock 5 KFI 5500")).text).toMatch(/Send your klv1… wallet address/);
    // The address is shown in full before anything else.
    const saved = await alice.asks(desk.address("Alice"));
    expect(saved.text).toBe(`✅ Saved. Everything is paid to this address:\n${desk.address("Alice")}`);
    await alice.reads(/^Lock 5 KFI/);
    expect((await alice.asks("/security")).text).toMatch(/· address set$/m);
  });

  it("explains each refusal", async () => {
    const { desk, alice } = await tradingDesk();
    const refusals = [
      ["/lock 5 KFI 5500 now", /such as \/lock 5 LPKLVKFI-3I0N 30d/],
      ["/lock 5 NOPE 5500", /don't know the token/],
      ["/lock 0 KFI 5500", /zero/],
      ["/lock 5 LKTOK-1A2B 5500", /already a locked token/],
      ["/lock 5 KFI tomorrow", /isn't an unlock time/],
      ["/lock 5 KFI 99999999999999999999", /isn't an unlock time/],
      ["/lock 5 KFI 2026-13-01", /isn't an unlock time/],
      ["/lock 5 KFI 20261231", /Did you mean the date 2026-12-31\?/],
      ["/lock 5 KFI #20261231", /about 13864 years away[^]*longest lock allowed is 20 years/],
      ["/lock 5 KFI 99999999999", /about \d+ years away[^]*longest lock allowed is 20 years/],
    ] as const;
    await seesRefused(alice, refusals);
    expect(desk.callsSent()).toEqual([]);
  });

  it("of more than the balance shows the contract's own message", async () => {
    const { alice } = await tradingDesk();
    const before = alice.holds();
    const card = await alice.asks("/lock 99999 KFI 5500");
    await alice.confirms(card, /Not enough balance[^]*Nothing was locked/);
    expect(alice.holds()).toEqual(before);
  });
});

describe("/locks and /unlock", () => {
  it("list locks with the time left, and offer a button once they can be unlocked", async () => {
    const { desk, alice } = await tradingDesk();
    await lock(alice, `5 KFI ${EPOCH + 4}`);
    const before = alice.holds();
    const waiting = await alice.asks("/locks");
    expect(waiting.text).toMatch(
      /Current epoch: 5397[^]*5 KFI · LKTOK-1A2B\/3\nunlocks .* UTC \(epoch 5401\), in about \d+ hours/,
    );
    expect(waiting.keyboard).toBeUndefined();
    expect((await alice.asks("/unlock LKTOK-1A2B/3")).text).toMatch(
      /unlocks about .* UTC \(epoch 5401\); it is epoch 5397 now\. Until then the contract rejects it/,
    );
    expect(desk.callsSent()).toHaveLength(1);

    desk.sandbox.chain.advanceEpoch(4);
    const ready = await alice.asks("/locks");
    expect(ready.text).toMatch(/can be unlocked now/);
    await alice.taps(ready, "🔓 Unlock LKTOK-1A2B/3");
    const card = await alice.reads(/^Unlock 5 LKTOK-1A2B\/3/);
    expect(card.text).toMatch(/You unlock: 5 LKTOK-1A2B\/3\nYou get: 5 KFI/);
    await alice.confirms(card, /Reported by the node: 5 KFI/);
    expect(alice.holds()["KFI"]! - before["KFI"]!).toBe(5_000_000n);
    expect(alice.holds()["LKTOK-1A2B/3"]).toBeUndefined();
    expect(desk.callsSent().at(-1)).toEqual({
      scAddress: desk.sandbox.world.simpleLock.address,
      funcName: "unlockTokens",
      args: [`address:${desk.address("Alice")}`],
      value: "LKTOK-1A2B/3=5000000",
      caller: desk.address("Alice"),
    });
    expect((await alice.asks("/locks")).text).toMatch(/No locks found/);
  });

  it("unlock a part, warn about more than is left, and don't unlock the same part twice with two open cards", async () => {
    const { desk, alice } = await tradingDesk();
    await lock(alice, `5 KFI ${EPOCH + 1}`);
    desk.sandbox.chain.advanceEpoch(1);
    const tooMuch = await alice.asks("/unlock LKTOK-1A2B/3 6");
    expect(tooMuch.text).toMatch(/records show only 5 in LKTOK-1A2B\/3[^]*the contract decides/);
    expect(labelsOf(tooMuch)).toEqual(["I understand, continue", "✖️ Cancel"]);
    const first = await alice.asks("/unlock lktok-1a2b/3 4");
    const second = await alice.asks("/unlock LKTOK-1A2B/3 4");
    await alice.confirms(first, /Reported by the node: 4 KFI/);
    await alice.confirms(second, /locks have changed\. Nothing was sent[^]*records show only 1 in/);
    expect(desk.callsSent().filter(({ funcName }) => funcName === "unlockTokens")).toHaveLength(1);
    expect((await alice.asks("/locks")).text).toMatch(/1 KFI · LKTOK-1A2B\/3/);
  });

  it("unlock tokens of a lock call without an answer, although there is no record of it", async () => {
    const { desk, alice } = await tradingDesk();
    await lock(alice, `5 KFI ${EPOCH + 1}`);
    await losesAnswer(desk, alice, await alice.asks(`/lock 5 KFI ${EPOCH + 1}`));
    expect(alice.holds()["LKTOK-1A2B/3"]).toBe(10_000_000n);
    desk.sandbox.chain.advanceEpoch(1);
    const first = await alice.asks("/unlock LKTOK-1A2B/3 5");
    await alice.confirms(first, /Reported by the node: 5 KFI/);
    const rest = await alice.asks("/unlock LKTOK-1A2B/3 5");
    expect(rest.text).toMatch(/you have already unlocked all of/);
    await alice.taps(rest, "I understand");
    await alice.taps(await alice.sees(rest, /Valid until/), "✅ Confirm unlock");
    await alice.sees(rest, /Reported by the node: 5 KFI/);
    expect(alice.holds()["LKTOK-1A2B/3"]).toBeUndefined();
  });

  it("let the contract decide about tokens that weren't locked through the bot, and show its message", async () => {
    const { alice } = await tradingDesk();
    const before = alice.holds();
    // The world's own locked tokens: one can be unlocked, the other can't yet.
    const due = await alice.asks("/unlock LKTOK-1A2B/1 25");
    expect(due.text).toMatch(/was locked elsewhere, so I don't know until when/);
    await alice.confirms(due, /Reported by the node: 25 LPKLVKFI-3I0N/);
    expect(alice.holds()["LPKLVKFI-3I0N"]! - before["LPKLVKFI-3I0N"]!).toBe(25_000_000n);
    const early = await alice.asks("/unlock LKTOK-1A2B/2 1");
    await alice.confirms(early, /can't be unlocked yet[^]*you keep your locked token/);
    const tooMuch = await alice.asks("/unlock LKTOK-1A2B/2 76");
    await alice.confirms(tooMuch, /Not enough balance/);
    expect(alice.holds()["LKTOK-1A2B/2"]).toBe(75_000_000n);
  });

  it("explain each refusal", async () => {
    const { desk, alice } = await tradingDesk();
    const refusals = [
      ["/unlock KFI 5", /“KFI” isn't a locked token/],
      ["/unlock LKTOK-1A2B 5", /isn't a locked token/],
      ["/unlock KFI/1 5", /KFI\/1 isn't from this lock contract. Its tokens look like LKTOK-1A2B/],
      ["/unlock LKTOK-1A2B/0 5", /isn't a token ID/],
      ["/unlock LKTOK-1A2B/2", /amount is missing/],
      ["/unlock LKTOK-1A2B/2 x", /isn't an amount/],
      ["/unlock LKTOK-1A2B/2 1 2", /such as \/unlock LKTOK-1A2B\/7 5/],
    ] as const;
    await seesRefused(alice, refusals);
    expect(desk.callsSent()).toEqual([]);
  });

  it("ask step by step", async () => {
    const { alice } = await tradingDesk();
    await alice.asks("/unlock");
    expect((await alice.asks("KFI")).text).toMatch(/isn't a locked token/);
    await alice.asks("lktok-1a2b/1");
    expect((await alice.asks("1e3")).text).toMatch(/scientific notation/);
    expect((await alice.asks("25")).text).toMatch(/^Unlock 25 LKTOK-1A2B\/1/);
  });

  it("claim nothing about time if the epoch is unknown", async () => {
    const { desk, alice } = await tradingDesk();
    await lock(alice, "5 KFI 5501");
    desk.sandbox.faults.set("node", "5xx");
    const list = await alice.asks("/locks");
    expect(list.text).toMatch(
      /node isn't reporting the current epoch[^]*5 KFI · LKTOK-1A2B\/3\nunlocks at epoch 5501\n\nI can't see[^\n]*$/,
    );
    expect(list.keyboard).toBeUndefined();
  });
});
