import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { MiddlewareHandler } from "hono";

/** The services of the sandbox that can be made to misbehave; a real node's way of a transaction in three parts. */
export const faultyServices = [
  "node",
  "node-build",
  "node-broadcast",
  "node-lookup",
  "balances",
  "quotation",
  "exchange",
  "telegram",
] as const;
export type FaultyService = (typeof faultyServices)[number];

/**
 * How a service can misbehave. `5xx`, `429`, `drop-before` and `hang` come before the request takes effect; `slow`,
 * `drop-after` and `garbage` carry it out, and what the client learns of it is late, nothing, or unreadable.
 */
export const serviceFaults = ["slow", "5xx", "429", "drop-before", "drop-after", "garbage", "hang"] as const;
export type ServiceFault = (typeof serviceFaults)[number];

/** What the middlewares of the sandbox's services tell each other about one request. */
export interface ServiceEnv {
  Bindings: HttpBindings;
  Variables: { fault: ServiceFault };
}

export type Faults = ReturnType<typeof createFaults>;

/**
 * The switchboard of faults, one for the whole sandbox.
 * @param slowMilliseconds how late a slow answer comes.
 */
export function createFaults(slowMilliseconds = 3000) {
  const lasting = new Map<FaultyService, ServiceFault>();
  const coming = new Map<FaultyService, ServiceFault[]>();

  return {
    /** Lets a service misbehave until it is told otherwise; `undefined` heals it, coming faults too. */
    set: (service: FaultyService, fault: ServiceFault | undefined): void => {
      coming.delete(service);
      if (fault === undefined) lasting.delete(service);
      else lasting.set(service, fault);
    },
    /** Lets the next `times` requests of a service misbehave, before and instead of what was `set`. */
    next: (service: FaultyService, fault: ServiceFault, times: number): void => {
      coming.set(service, [...(coming.get(service) ?? []), ...Array.from({ length: times }, () => fault)]);
    },
    /** What each misbehaving service does to its next request. */
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
            // Until the client gives up, which it may have done by now, or the server closes its connections.
            if (!context.env.outgoing.destroyed)
              await new Promise((resolve) => context.env.outgoing.once("close", resolve));
            return RESPONSE_ALREADY_SENT;
        }
      },
  };
}
