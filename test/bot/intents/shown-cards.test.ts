import { expect, it } from "vitest";
import { createShownCards } from "../../../src/bot/intents/shown-cards.js";
import { Fault } from "../../../src/fault.js";
import { intent, swapTerms } from "../../cards/arrange.js";
import { silent, testClock } from "../../services/samples.js";

it("an outcome is shown although what balances say of it can't be written", async () => {
  const ended = intent(swapTerms, "OK", { kind: "ok", returnData: [] });
  const full = () => Promise.reject(new Fault("store-write-failed", { document: "disk" }));
  const shown: unknown[] = [];
  const cards = createShownCards({
    intents: { look: async () => ended, findOut: async () => ({ finding: "arrived" }), markChecked: full } as never,
    outbox: { flush: async (_key: unknown, payload?: object) => void shown.push(payload) } as never,
    clock: testClock(),
    log: silent,
  });
  await cards.showEnd(ended, true);
  expect(shown).toEqual([{ known: ended }]);
});

it("leaving a question closes no card of an order that can still be taken", async () => {
  const { request } = swapTerms;
  const ordered = { ...swapTerms, request: { ...request, standing: { id: "o1", kind: "stop" as const } } };
  const clock = testClock();
  const [ready, other] = [intent(ordered), { ...intent(swapTerms), id: "other" }].map((one) => ({
    ...one,
    expiresAt: clock.now() + 1000,
  }));
  const over = { ...intent(ordered), id: "over", expiresAt: clock.now() };
  const closed = (keepsOrders?: boolean) =>
    createShownCards({
      intents: {
        listOpen: async () => [ready, other, over],
        cancel: async (_owner: number, id: string) => ({ ...over, id, state: id === "over" ? "EXPIRED" : "CANCELED" }),
      } as never,
      outbox: {} as never,
      clock,
      log: silent,
    }).closeOpen(1, keepsOrders);
  const ids = (some: readonly { readonly id: string }[]) => some.map(({ id }) => id);
  const left = await closed(true);
  expect([ids(left.kept), ids(left.cancelled), ids(left.expired)]).toEqual([[ready?.id], ["other"], ["over"]]);
  const none = await closed();
  expect([ids(none.kept), ids(none.cancelled), ids(none.expired)]).toEqual([[], [ready?.id, "other"], ["over"]]);
});
