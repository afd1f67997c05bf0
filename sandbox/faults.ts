import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { MiddlewareHandler } from "hono";

/**
 * The services that can be made to misbehave. Of the node's requests, those that spend fail separately, and a real node's
 * build, broadcast and lookup.
 */
export const faultyServices = [
  "node",
  "calls",
  "node-build",
  "node-broadcast",
  "node-lookup",
  "balances",
  "assets",
  "quotation",
  "exchange",
  "telegram",
] as const;
export type FaultyService = (typeof faultyServices)[number];

/**
 * How a service can misbehave. `5xx`, `429`, `drop-before` and `hang` happen before the request takes effect; with
 * `slow`, `drop-after` and `garbage` it takes effect, and the answer is late, missing or unreadable.
 */
export const serviceFaults = ["slow", "5xx", "429", "drop-before", "drop-after", "garbage", "hang"] as const;
export type ServiceFault = (typeof serviceFaults)[number];

/** What the services' middleware shares about a request. */
export interface ServiceEnv {
  Bindings: HttpBindings;
  Variables: { fault: ServiceFault };
}

export type Faults = ReturnType<typeof createFaults>;

/**
 * The faults of all services.
 * @param slowMilliseconds delay of a `slow` answer.
 */
export function createFaults(slowMilliseconds = 3000) {
  const lasting = new Map<FaultyService, ServiceFault>();
  const coming = new Map<FaultyService, ServiceFault[]>();

  return {
    /** Makes a service misbehave until the next `set`; `undefined` clears its faults, including those from `next`. */
    set: (service: FaultyService, fault: ServiceFault | undefined): void => {
      coming.delete(service);
      if (fault === undefined) lasting.delete(service);
      else lasting.set(service, fault);
    },
    /** Makes a service's next `times` requests misbehave, ahead of and instead of what was `set`. */
    next: (service: FaultyService, fault: ServiceFault, times: number): void => {
      coming.set(service, [...(coming.get(service) ?? []), ...Array.from({ length: times }, () => fault)]);
    },
    /** The fault that each misbehaving service applies to its next request. */
    current: (): Partial<Record<FaultyService, ServiceFault>> =>
      Object.fromEntries(
        faultyServices.flatMap((service) => {
          const fault = coming.get(service)?.[0] ?? lasting.get(service);
          return fault === undefined ? [] : [[service, fault]];
        }),
      ),
    middleware:
      (service: FaultyService): MiddlewareHandler<ServiceEnv> =>
      async (context, next) => {
        const fault = coming.get(service)?.shift() ?? lasting.get(service);
        if (fault === undefined) return next();
        context.set("fault", fault);
        switch (fault) {
          case "slow":
            await next();
            await new Promise((resolve) => setTimeout(resolve, slowMilliseconds));
            return;
          case "5xx":
            return context.text("Service Unavailable", 503);
          case "429":
            return context.text("Too Many Requests", 429, { "retry-after": "1" });
          case "drop-before":
            context.env.outgoing.destroy();
            return RESPONSE_ALREADY_SENT;
          case "drop-after":
            await next();
            context.env.outgoing.destroy();
            context.res = RESPONSE_ALREADY_SENT;
            return;
          case "garbage":
            await next();
            context.res = new Response('{"data":{"returnDa', { status: 200, headers: { "content-type": "text/html" } });
            return;
          case "hang":
            // Until the client gives up (it may have already) or the server closes its connections.
            if (!context.env.outgoing.destroyed)
              await new Promise((resolve) => context.env.outgoing.once("close", resolve));
            return RESPONSE_ALREADY_SENT;
        }
      },
  };
}
