import { describe, expect, it } from "vitest";
import { createUpdateWindow } from "../../../src/bot/transport/update-window.js";
import { alice, text } from "./updates.js";

const batch = (...ids: number[]) => ids.map((id) => text(id, alice, "hello"));
const idsOf = (updates: readonly { update_id: number }[]) => updates.map(({ update_id }) => update_id);

describe("the window of updates", () => {
  it("holds the offset at the first update that is not settled", () => {
    const window = createUpdateWindow(100);
    expect(window.offset()).toBe(0);
    window.take(batch(7, 8, 9), 10, 0);
    window.settle(8);
    expect(window.offset()).toBe(7);
    window.settle(7);
    expect(window.offset()).toBe(9);
    window.settle(9);
    expect(window.offset()).toBe(10);
  });

  it("gives each update once until Telegram has taken the offset", () => {
    const window = createUpdateWindow(100);
    expect(idsOf(window.take(batch(7, 8), 10, 0))).toEqual([7, 8]);
    expect(idsOf(window.take(batch(7, 8, 9), 10, 0))).toEqual([9]);
    window.settle(7);
    window.confirmed(window.offset());
    expect(window.isWorthAsking()).toBe(false);
    expect(idsOf(window.unsettledSince(0))).toEqual([8, 9]);
    expect(window.unsettledSince(-1)).toEqual([]);
  });

  it("is worth asking past once half of a full batch is settled, and all of a smaller one", () => {
    const window = createUpdateWindow(4);
    window.take(batch(1, 2, 3, 4), 10, 0);
    for (const [id, isWorth] of [
      [3, false],
      [1, false],
      [2, true],
    ] as const) {
      window.settle(id);
      expect(window.isWorthAsking()).toBe(isWorth);
    }
    window.take(batch(4, 5, 6), 10, 0);
    for (const id of [4, 5]) {
      window.settle(id);
      expect(window.isWorthAsking()).toBe(false);
    }
    window.settle(6);
    expect(window.isWorthAsking()).toBe(true);
  });

  it("goes on behind what it gave when an older one is repeated, and anywhere once all of that is confirmed", () => {
    const window = createUpdateWindow(4);
    window.take(batch(60, 61, 62, 63), 10, 0);
    window.confirmed(60);
    expect(idsOf(window.take(batch(59, 60, 61, 62), 10, 0))).toEqual([59]);
    for (const id of [59, 60, 61, 62, 63]) window.settle(id);
    expect(window.offset()).toBe(64);
    window.confirmed(64);
    expect(idsOf(window.take(batch(5), 10, 0))).toEqual([5]);
    window.settle(5);
    expect(window.offset()).toBe(6);
  });

  it("leaves what is beyond the limit for the next time", () => {
    const window = createUpdateWindow(100);
    expect(idsOf(window.take(batch(7, 8, 9), 2, 0))).toEqual([7, 8]);
    window.settle(7);
    window.settle(8);
    expect(window.offset()).toBe(9);
    expect(idsOf(window.take(batch(9), 2, 0))).toEqual([9]);
  });

  it("follows ids that start anew after a quiet week", () => {
    const window = createUpdateWindow(100);
    window.take(batch(900), 10, 0);
    window.settle(900);
    window.confirmed(window.offset());
    window.take(batch(12), 10, 0);
    expect(window.offset()).toBe(12);
    window.settle(12);
    expect(window.offset()).toBe(13);
  });
});
