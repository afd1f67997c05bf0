import { expect, it } from "vitest";
import { lookAtOrder } from "../../../src/bot/features/order.js";
import type { PersonFlavor } from "../../../src/bot/context.js";
import { createUserRateLimit } from "../../../src/services/base/rate.js";
import { Fault, isFault } from "../../../src/fault.js";
import { createVirtualClock } from "../../support/virtual-clock.js";

it("doesn't ask the exchange for a user who has looked too often", async () => {
  const looks: number[] = [];
  const look = (userId: number, id: string) => {
    looks.push(userId);
    return Promise.reject(new Fault("order-not-found", { id }));
  };
  const quoteAllowance = createUserRateLimit({ clock: createVirtualClock(), burst: 2, refillSeconds: 1 });
  const parts = { orders: { look }, quoteAllowance } as unknown as Parameters<typeof lookAtOrder>[0];
  const outcomes = [1, 1, 1, 2].map((userId) =>
    lookAtOrder(parts, { userId } as PersonFlavor, "00000000-0000-4000-8000-000000000001").catch(
      (error: unknown) => isFault(error) && error.code,
    ),
  );
  expect(await Promise.all(outcomes)).toEqual(["order-not-found", "order-not-found", "too-often", "order-not-found"]);
  expect(looks).toEqual([1, 1, 2]);
});
