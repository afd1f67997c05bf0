import type { Config } from "../../config.js";
import { Fault } from "../../fault.js";
import type { StoreBasics, Transaction } from "../../store/store.js";
import type { Intents } from "../intent/intent-service.js";
import { findPerson } from "../person/person.js";
import { createDeletedOrders } from "./deleted-orders.js";
import { unoffered } from "./last-card.js";
import { callsUnsent, openCards } from "./standing-calls.js";
import * as rows from "./standing-queries.js";
import { assertRoomFor } from "./standing-share.js";
import { withHigh } from "./watched-lines.js";

/** What has become of a deleted order's call, if it had been confirmed: its owner may no longer sign it, or it has left. */
export type EndedCall = "none" | "withdrawn" | "sent";

export interface EndingParts extends Pick<StoreBasics, "clock" | "store"> {
  readonly intents: Pick<Intents, "cancel"> & {
    readonly supersede: (owner: number, id: string) => Promise<unknown>;
  };
  readonly settings: Pick<Config, "standingMax">;
  readonly watches: { readonly wake: () => void };
}

/** Makes a change, and has what follows looked at. */
export type Change = <Result>(work: (tx: Transaction) => Promise<Result>) => Promise<Result>;

/** Deleting orders, and setting them again. */
export function deletingOf(parts: EndingParts, change: Change) {
  const { store, clock, settings } = parts;
  const kept = createDeletedOrders(parts);
  return {
    deleted: kept.of,
    end: async (userId: number, id: string): Promise<EndedCall | undefined> => {
      const order = await change(async (tx) => {
        const found = await rows.standingOrder(tx, id);
        if (found === undefined || found.userId !== userId) return undefined;
        const kept = await withHigh(tx, found);
        await rows.deleteStanding(tx, found, clock.now());
        return kept;
      });
      parts.watches.wake();
      if (order === undefined) return undefined;
      const open = await openCards(store.db, id);
      const call = await closeCalls(parts, userId, id, open);
      // What it had asked last could still be answered: that is asked again.
      const isTakenAway = open.length > 0 || call === "withdrawn";
      if (order.ended === null) kept.keep(isTakenAway ? unoffered(order) : order);
      return call;
    },
    putBack: async (userId: number, id: string): Promise<void> => {
      const order = kept.of(userId).find((one) => one.id === id);
      if (order === undefined) throw new Fault("standing-over", {});
      await change(async (tx) => {
        // They may have been forgotten since.
        if ((await findPerson(tx, userId)) === undefined) throw new Fault("standing-over", {});
        const own = await rows.standingOrdersOf(tx, userId);
        if (own.some((one) => one.id === id)) return;
        await assertRoomFor(tx, own.filter(({ ended }) => ended === null).length, settings.standingMax);
        await rows.putStandingOrder(tx, { ...order, watched: null }, clock.now(), clock.now());
      });
      kept.drop(id);
    },
  };
}

/** Closes some of an order's open cards, and withdraws what the network can't have yet. */
export async function closeCalls(
  p: EndingParts,
  userId: number,
  id: string,
  open: readonly string[],
): Promise<EndedCall> {
  let ended: EndedCall = "none";
  for (const call of await callsUnsent(p.store.db, id)) {
    const after = await p.intents.cancel(userId, call);
    if (ended !== "sent") ended = after?.state === "SENT" || after?.state === "OK" ? "sent" : "withdrawn";
  }
  for (const card of open) await p.intents.supersede(userId, card);
  return ended;
}
