import { dcaLine } from "./dca-request.js";
import { exitLine } from "./exit-request.js";
import type { StandingOrderRequest, StandingPreview } from "./standing-preview.js";
import { priceOrderLine } from "./standing-request.js";

/** What was shown: an amount instead of a share, what percentages are of, and the first date, so that nothing else is set by a later tap. */
export function exactLine(request: StandingOrderRequest, { order, base }: StandingPreview): string {
  const { pay } = order.request;
  if (request.kind === "exit") {
    const all = "targets" in order.rule ? order.rule.all : pay;
    return exitLine({ ...request, pay: all, ...(base && { paid: base }) });
  }
  if (request.kind !== "dca") return priceOrderLine({ ...request, pay });
  if (!("schedule" in order.rule)) throw new TypeError("a regular order has a schedule");
  const { from, day, times, zone } = order.rule.schedule;
  const { until: _until, ...asked } = request;
  return dcaLine({ ...asked, pay, on: day === undefined ? { date: from.date } : { day }, times, zone });
}
