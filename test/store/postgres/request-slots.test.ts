import type pg from "pg";
import { expect, it } from "vitest";
import { createRequestSlots } from "../../../src/store/postgres/request-slots.js";
import { createVirtualClock } from "../../support/virtual-clock.js";

it("a database that answers slowly gives its slots for so much longer, and requests go on", async () => {
  const clock = createVirtualClock();
  const restsOf: number[] = [];
  const query = async (_text: string, values: readonly number[]) => {
    await clock.sleep(250);
    if (values.length === 3) restsOf.push(values[2]!);
    return { rowCount: 1 };
  };
  const mayAsk = createRequestSlots({
    pool: { query } as unknown as pg.Pool,
    clock,
    service: "exchange",
    perSecond: 5,
  });
  let begun = 0;
  for (let request = 0; request < 3; request += 1) void mayAsk().then(() => (begun += 1));
  await clock.advance(2_000);
  expect(begun).toBe(3);
  // The first one came too late to be used.
  expect(restsOf).toEqual([1_100, 1_500, 1_500, 1_500]);
});
