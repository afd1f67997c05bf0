import type { Amount } from "../../encoding/amount.js";
import type { StandingReference } from "../terms/standing-terms.js";
import type { SwapRequest } from "../terms/swap-terms.js";
import { partsNow, type ExitPart } from "./exit-plan.js";
import type { StandingOrder } from "./standing-queries.js";

type Occurrence = NonNullable<StandingReference["occurrence"]>;

/** The number and place of what can be executed now; undefined for an order without, or before the first. */
export function occurrenceNow(order: StandingOrder): Occurrence | undefined {
  const { rule, n } = order;
  if ("schedule" in rule)
    return n === 0 ? undefined : { n: n - 1, place: n - 1 - rule.begins, of: rule.schedule.times };
  return occurrenceDue(order);
}

/** The one that is due. Of an exit, that is the part that was reached last. */
export function occurrenceDue({ rule, n }: StandingOrder): Occurrence | undefined {
  if ("net" in rule) return undefined;
  return { n, place: n - rule.begins, of: "schedule" in rule ? rule.schedule.times : rule.of };
}

/** The part of an exit that was reached last; before the first, the one that is next. */
export function partNow({ rule, request, n }: Pick<StandingOrder, "n" | "request" | "rule">): ExitPart | undefined {
  return "targets" in rule ? partsNow({ rule, pay: request.pay }).find((part) => part.n === n) : undefined;
}

/** Whether it asks once a price has fallen, however far. */
export function isFloor(order: Pick<StandingOrder, "kind" | "n" | "request" | "rule">): boolean {
  const part = partNow(order);
  return part === undefined ? order.kind === "stop" : part.kind !== "target";
}

/** What is got at the line of an order for a price, after the fee; undefined of a trail that wasn't reached. */
export function lineOf(order: Pick<StandingOrder, "n" | "request" | "rule">): Amount | undefined {
  return "net" in order.rule ? order.rule.net : partNow(order)?.net;
}

/** What a card of an order asks for now. A card that asks for anything else is of it no more. */
export function standingRequest(
  order: StandingOrder,
  occurrence = occurrenceNow(order),
): SwapRequest<Amount> & { readonly standing: StandingReference } {
  const { id, kind, rule, request } = order;
  const net = lineOf(order);
  const line = net && { [isFloor(order) ? "most" : "least"]: net };
  const shrunk = "targets" in rule && rule.shrunk && { shrunk: rule.shrunk };
  const pay = partNow(order)?.pay ?? request.pay;
  return {
    kind: "swap",
    ...request,
    pay,
    standing: { id, kind, ...line, ...shrunk, ...(occurrence && { occurrence }) },
  };
}
