import { expect, it } from "vitest";
import { createBalances } from "../../../src/services/chain/query-gateway.js";
import { createUntoldPause } from "../../../src/services/chain/untold-pause.js";
import { alice, silent, testClock } from "../samples.js";

it("is short at first, then ten minutes, and short again after another answer", async () => {
  const clock = testClock();
  const pause = createUntoldPause(clock);
  const lengths: number[] = [];
  expect([pause.isOn(), pause.first()]).toEqual([false, undefined]);
  for (let n = 0; n < 6; n += 1) {
    pause.note();
    const since = clock.monotonic();
    expect(pause.first() !== undefined).toBe(n === 0);
    while (pause.isOn()) clock.advance(1000);
    lengths.push((clock.monotonic() - since) / 1000);
  }
  // The first is waited for, which moves this clock.
  expect(lengths).toEqual([2, 10, 30, 60, 600, 600]);
  pause.end();
  pause.note();
  clock.advance(1_999);
  expect(pause.isOn()).toBe(true);
  clock.advance(1);
  expect(pause.isOn()).toBe(false);
});

it("leaves a node alone for balances as long, however many are asked for at a time", async () => {
  const clock = testClock();
  const times: number[] = [];
  let status = 404;
  const request = async () => {
    times.push(clock.monotonic() / 1000);
    const text = '{"data":{"balance":5},"error":"","code":"successful"}';
    return { status, text, headers: {}, receivedAt: clock.now() };
  };
  const http = { request, close: async () => undefined };
  const balances = createBalances({ nodeUrl: "http://node", http, clock, log: silent });
  for (let second = 0; second < 800; second += 1) {
    await balances.known(alice, ["KLV", "KFI"]);
    clock.advance(1_000);
  }
  expect([...new Set(times)]).toEqual([0, 2, 12, 42, 102, 702]);
  status = 200;
  while (!balances.areTold()) clock.advance(1_000);
  expect(await balances.known(alice, ["KLV"])).toEqual({ KLV: 5n });
  status = 404;
  expect(await balances.known(alice, ["KLV"])).toBeUndefined();
  expect(balances.areTold()).toBe(false);
  clock.advance(2_000);
  expect(balances.areTold()).toBe(true);
});
