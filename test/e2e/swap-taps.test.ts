import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addresses, type Desk, startDesk, testDesk } from "../support/desk.js";
import { looksAgain } from "../support/look-again.js";
import { carriedOut, quoted } from "../support/stub-services.js";
import { project } from "../support/process.js";
import type { Person } from "../support/stub-telegram.js";
import { accepted } from "../support/as-read.js";

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.close());
beforeEach(() => {
  desk.services.onCall = () => carriedOut;
  desk.services.onQuotation = () => quoted;
});

/** Starts a program when the cards of the previous one have expired. */
const later = {
  NODE_OPTIONS: `--import ${join(project, "test/support/stepped-clock.mjs")}`,
  CLOCK_AHEAD_MS: "31000",
};

/** Resolves when all earlier updates of a user have been handled: they keep their order. */
async function settled(person: Person): Promise<void> {
  await person.asks("/help", /\/history/);
}

describe("one card", () => {
  it("sends one call for 30 taps at once, and each tap is answered", async () => {
    const { person, card, calls } = await desk.swapCard("200");
    desk.services.onCall = () => ({ ...(carriedOut as object), delay: 50 });
    for (let tap = 0; tap < 30; tap += 1) person.taps(card, "✅ Confirm");
    await person.sees(card, accepted);
    await settled(person);
    expect(calls()).toHaveLength(1);
    expect(person.tapAnswers()).toHaveLength(30);
    expect(card.text).toMatch(accepted);
  });

  it("sends one call for a tap that is redelivered before and after it was handled", async () => {
    const { person, card, calls } = await desk.swapCard("201");
    const tap = person.taps(card, "✅ Confirm");
    desk.telegram.redeliver(tap, tap, tap);
    await person.sees(card, accepted);
    desk.telegram.redeliver(tap, tap);
    await settled(person);
    expect(calls()).toHaveLength(1);
  });

  it("appears once for a command that is redelivered", async () => {
    const person = await desk.trader();
    const before = desk.services.quotations().length;
    const command = person.says("/swap 202 KLV KFI");
    desk.telegram.redeliver(command, command);
    await person.reads(/KLV → KFI/);
    desk.telegram.redeliver(command);
    await settled(person);
    expect(person.transcript().filter((text) => text.includes("202 KLV"))).toHaveLength(1);
    expect(desk.services.quotations()).toHaveLength(before + 1);
  });

  it("can't be confirmed, refreshed or cancelled by anybody else", async () => {
    const { person, card, calls } = await desk.swapCard("203");
    const stranger = desk.stranger();
    const trader = await desk.trader();
    // Anybody may freeze their own account.
    for (const { data } of card.buttons) {
      stranger.forges(card, data);
      trader.forges(card, data);
    }
    await settled(stranger);
    await settled(trader);
    expect(calls()).toEqual([]);
    for (const answer of [...stranger.tapAnswers(), ...trader.tapAnswers()]) expect(answer).toMatch(/isn't yours/);
    // The owner still can.
    await person.confirms(card);
    expect(calls()).toHaveLength(1);
  });

  it.each(["v1:c:", "v1:c:../../people/5001", "v1:c:__proto__", "c", "v2:c:x", `v1:c:${"A".repeat(64)}`, "\u0000"])(
    "isn't confirmed by callback data that the bot never sent: %j",
    async (data) => {
      const { person, card, calls } = await desk.swapCard("204");
      person.forges(card, data);
      await settled(person);
      expect(calls()).toEqual([]);
      expect(person.tapAnswers()).toHaveLength(1);
    },
  );
});

describe("a confirm in progress", () => {
  it("is stopped by /freeze, which is answered first, without waiting", async () => {
    const { person, card, calls } = await desk.swapCard("216");
    const asked = desk.services.quotations().length;
    let give: () => void = () => undefined;
    desk.services.onQuotation = () => new Promise((resolve) => (give = () => resolve(quoted)));
    person.taps(card, "✅ Confirm");
    await expect.poll(() => desk.services.quotations().length).toBe(asked + 1);
    await person.asks("/freeze", /^🧊 Frozen/);
    // The confirm is still waiting for its quote.
    expect(card.text).not.toMatch(/Not sent/);
    give();
    await person.sees(card, /Not sent/);
    expect(calls()).toEqual([]);
  });

  it("at a worse price doesn't treat a second tap as consent", async () => {
    const { person, card, calls } = await desk.swapCard("217");
    const { data } = card.buttons[0]!;
    desk.services.onQuotation = () => ({ body: { amountOut: "0.2" } });
    await person.confirms(card, /price moved/);
    expect(person.tapAnswers()).toEqual([expect.stringMatching(/^⚠️ The price moved\. Nothing was sent/)]);
    // Taps on the new button in the same place, and on the old one.
    person.forges(card, card.buttons[0]!.data);
    person.forges(card, data);
    await settled(person);
    expect(person.tapAnswers()).toContainEqual(expect.stringMatching(/quote is new/));
    expect(card.buttons[0]!.text).toBe("Show the new quote");
    await looksAgain(person, card);
    expect(calls()).toEqual([]);
    await person.confirms(card, /Sent|not yet confirmed/);
    await expect.poll(() => calls()).toHaveLength(1);
    expect((calls()[0]!.json!["args"] as string[])[4]).toBe("BigUint:198000");
  });

  it("sends nothing to a contract that is no longer configured", async () => {
    const other = await testDesk();
    const { person, card, calls } = await other.swapCard("218");
    await other.crash();
    other.start({ REFERRAL_CONTRACT: addresses.lock });
    await person.confirms(card, /Not sent[^]*no longer works with/);
    expect(calls()).toEqual([]);
  });
});

describe("many users", () => {
  it("don't wait for one another: each call leaves before any other is answered", async () => {
    const people = 10;
    const cards = await Promise.all(Array.from({ length: people }, (_, index) => desk.swapCard(`${220 + index}`)));
    let arrived = 0;
    let openAll = () => {};
    const allArrived = new Promise<void>((resolve) => {
      openAll = resolve;
    });
    desk.services.onCall = async () => {
      arrived += 1;
      if (arrived === people) openAll();
      await allArrived;
      return carriedOut;
    };
    for (const { person, card } of cards) {
      person.taps(card, "✅ Confirm");
      person.taps(card, "✅ Confirm");
    }
    for (const { person, card, calls } of cards) {
      await person.sees(card, accepted);
      expect(calls()).toHaveLength(1);
    }
  });
});

describe("an old card", () => {
  it("can't be confirmed after it has expired, says so, and offers a new quote", async () => {
    const other = await testDesk();
    const { person, card, calls } = await other.swapCard("210");
    const old = card.buttons[0]!.data;
    await other.crash();
    other.start(later);
    await person.confirms(card, /[Ee]xpired/);
    expect(calls()).toEqual([]);
    person.taps(card, "🔄");
    await person.reads(/12\.099999 KFI/);

    const fresh = await person.asks("/swap 213 KLV KFI", /You pay: 213 KLV/);
    person.forges(fresh, old);
    await person.confirms(fresh);
    expect(calls()).toEqual([]);
    expect(other.services.callsOf("KLV=213000000")).toHaveLength(1);
  });

  it("that expired and was refreshed doesn't overwrite its successor's outcome", async () => {
    const other = await testDesk();
    const { person, card, calls } = await other.swapCard("219");
    const old = card.buttons[0]!.data;
    await other.crash();
    other.start(later);
    await person.confirms(card, /[Ee]xpired/);
    person.taps(card, "🔄");
    await person.sees(card, /^(?!.*expired)[^]*12\.099999 KFI/);
    await person.confirms(card);
    person.forges(card, old);
    await settled(person);
    expect(card.text).toMatch(accepted);
    expect(calls()).toHaveLength(1);
  });
});
