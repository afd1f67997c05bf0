import { fileURLToPath } from "node:url";
import { Hono } from "hono";
import * as z from "zod";
import { inputNames } from "../chain/declarations.js";
import type { Market } from "../exchange/market.js";
import { asAnswer } from "../exchange/order.js";
import { type Faults, faultyServices, serviceFaults } from "../faults.js";
import type { WireLog } from "../wire-log.js";
import type { Time } from "../time.js";
import { eventStream, type EventSourceOf, type SandboxEvent } from "./events.js";
import { issued, type Issued } from "../world.js";
import { toJson } from "./json.js";
import { pageFiles } from "./page-files.js";

/** The parts that the page shows and controls. */
export interface PageParts {
  readonly chain: {
    readonly snapshot: () => object;
    readonly advanceEpoch: (epochs: number) => void;
    readonly advanceBlocks: (blocks: number) => void;
    readonly pushPrice: (pair: string, token: string, percent: number) => void;
    readonly issue: (id: string, issued: Issued) => void;
    readonly changed: () => void;
    readonly subscribe: (listener: () => void) => () => void;
  };
  readonly time: Pick<Time, "skip">;
  readonly telegram: { readonly subscribe: EventSourceOf<SandboxEvent> };
  readonly market: Pick<Market, "subscribe">;
  readonly faults: Faults;
  readonly wireLog: WireLog;
}

const count = z.int().min(1).max(100_000);
const HOUR_MS = 3_600_000;
/** Epochs or blocks for the chain only, or hours for the whole world. */
const timeChange = z.union([
  z.strictObject({ advance: count }),
  z.strictObject({ blocks: count }),
  z.strictObject({ hours: count }),
]);
const priceChange = z.strictObject({ pair: z.string(), token: z.string(), percent: z.int().min(-90).max(900) });
const issuedChange = z.strictObject({ id: z.string(), issued });
const faultChange = z.strictObject({
  service: z.enum(faultyServices),
  /** `null`: no fault any more. */
  fault: z.enum(serviceFaults).nullable(),
  /** Absent: until changed. */
  times: z.int().min(1).max(1000).optional(),
});

/** The page, the state that it reads on connecting, its event stream and its controls. */
export function webRoutes({ chain, time, telegram, market, faults, wireLog }: PageParts): Hono {
  const json = (value: unknown, status = 200) =>
    new Response(toJson(value), { status, headers: { "content-type": "application/json" } });
  const faultListeners = new Set<(event: SandboxEvent) => void>();
  const tellFaults = () => {
    const event = { type: "faults", current: faults.current() };
    for (const listener of faultListeners) listener(event);
  };
  // A fault for a number of requests ends with the last of them.
  wireLog.subscribe(({ fault }) => {
    if (fault !== undefined) tellFaults();
  });

  const sources: readonly EventSourceOf<SandboxEvent>[] = [
    telegram.subscribe,
    (listener) =>
      wireLog.subscribe((entry) => {
        listener({ type: "wire", entry } as SandboxEvent);
      }),
    (listener) =>
      chain.subscribe(() => {
        listener({ type: "world", snapshot: chain.snapshot() } as SandboxEvent);
      }),
    (listener) =>
      market.subscribe((order) => {
        listener({ type: "order", order: { ...asAnswer(order), moves: order.moves } } as SandboxEvent);
      }),
    (listener) => {
      faultListeners.add(listener);
      return () => faultListeners.delete(listener);
    },
  ];

  const routes = new Hono();
  routes.get("/_sim/events", (context) => eventStream(context, sources));
  routes.get("/_sim/wire", () => json(wireLog.entries()));
  routes.get("/_sim/world", () => json(chain.snapshot()));
  routes.get("/_sim/functions", () => json(inputNames()));
  routes.get("/_sim/faults", () => json(faults.current()));

  routes.post("/_sim/epoch", async (context) => {
    const change = timeChange.parse(await context.req.json());
    if ("advance" in change) chain.advanceEpoch(change.advance);
    else if ("blocks" in change) chain.advanceBlocks(change.blocks);
    else {
      time.skip(change.hours * HOUR_MS);
      chain.changed();
    }
    return json(chain.snapshot());
  });

  routes.post("/_sim/price", async (context) => {
    const { pair, token, percent } = priceChange.parse(await context.req.json());
    chain.pushPrice(pair, token, percent);
    return json(chain.snapshot());
  });

  routes.post("/_sim/issued", async (context) => {
    const change = issuedChange.parse(await context.req.json());
    chain.issue(change.id, change.issued);
    return json({ done: true });
  });

  routes.post("/_sim/faults", async (context) => {
    const { service, fault, times } = faultChange.parse(await context.req.json());
    if (fault === null || times === undefined) faults.set(service, fault ?? undefined);
    else faults.next(service, fault, times);
    tellFaults();
    return json(faults.current());
  });

  routes.route("/", pageFiles(fileURLToPath(new URL("page/", import.meta.url))));
  routes.onError((error) => json({ error: error instanceof z.ZodError ? z.prettifyError(error) : error.message }, 400));
  return routes;
}
