import { describe, expect, it } from "vitest";
import { createSendOutcomes } from "../../../src/services/telegram/send-outcomes.js";
import { createVirtualClock } from "../../support/virtual-clock.js";

function arrange() {
  const clock = createVirtualClock();
  const outcomes = createSendOutcomes({ clock });
  /** A send to this user is refused. @returns whether that is believed. */
  const refused = (userId: number) => {
    outcomes.noteFailed(userId);
    return outcomes.isBelieved(`${userId}`);
  };
  return { ...outcomes, clock, refused };
}

describe("a refusal", () => {
  it("is believed once it is repeated after two seconds, if nobody else is refused", async () => {
    const { refused, clock } = arrange();
    expect(refused(1)).toBe(false);
    await clock.advance(1_999);
    expect(refused(1)).toBe(false);
    await clock.advance(1);
    expect(refused(1)).toBe(true);
    // The next one begins anew.
    expect(refused(1)).toBe(false);
  });

  it.each([0, 1_000, 2_000])(
    "is not believed if another chat is refused %d ms later, as long as that lasts",
    async (ms) => {
      const { refused, clock, noteAccepted } = arrange();
      expect(refused(1)).toBe(false);
      await clock.advance(ms);
      expect(refused(2)).toBe(false);
      for (let time = 0; time < 100; time += 1) {
        await clock.advance(30_000);
        for (const userId of [1, 2, 3]) expect(refused(userId)).toBe(false);
      }
      // Telegram takes a message for somebody, and yet repeats what it said of the first.
      await clock.advance(500);
      noteAccepted();
      await clock.advance(1_500);
      expect(refused(1)).toBe(true);
    },
  );

  it("is believed if Telegram takes a message for another chat in between", async () => {
    const { refused, clock, noteAccepted } = arrange();
    expect(refused(1)).toBe(false);
    expect(refused(2)).toBe(false);
    await clock.advance(500);
    noteAccepted();
    await clock.advance(1_500);
    expect([refused(1), refused(2)]).toEqual([true, true]);
  });

  it("is not believed because of what Telegram took before it", () => {
    const { refused, noteAccepted } = arrange();
    noteAccepted();
    expect([refused(1), refused(2)]).toEqual([false, false]);
  });

  it("of another chat long before says nothing", async () => {
    const { refused, clock } = arrange();
    refused(1);
    await clock.advance(2_001);
    expect(refused(2)).toBe(false);
    await clock.advance(2_001);
    expect(refused(2)).toBe(true);
  });

  it("that is forgotten, since ten thousand others came after it, has to be repeated once more", async () => {
    const { isBelieved, clock } = arrange();
    for (let row = 0; row <= 10_000; row += 1) isBelieved(`${row}`);
    await clock.advance(2_000);
    expect([isBelieved("1"), isBelieved("0")]).toEqual([true, false]);
  });
});
