import type { Clock } from "../../clock.js";
import type { ServiceName } from "../../fault.js";

/** One request to a service: its status, or why there was none. */
export interface Asked {
  readonly service: ServiceName;
  readonly method?: string;
  readonly status: number | "timeout" | "unreachable" | "unreadable";
  /** Until the whole answer was there; absent where the service was asked to wait with it. */
  readonly seconds?: number;
}

/** How a service has answered lately, measured by the requests that the bot made for people. */
export interface ServiceHealth {
  readonly service: ServiceName;
  /** Since when every request has failed, in milliseconds since 1970; absent while it answers. */
  readonly failingSince?: number;
  readonly failedAt?: number;
  readonly failures: number;
  /** The median of the last answers, in seconds; absent before the first. */
  readonly medianSeconds?: number;
  /** When Telegram said last that another copy of the bot polls too, by the monotonic clock in milliseconds. */
  readonly conflictedAt?: number;
  readonly answeredAt?: number;
}

const SERVICES: readonly ServiceName[] = ["node", "quotation", "exchange", "telegram"];
const REMEMBERED = 50;
/** What Telegram answers a poll while another one is open. */
const CONFLICT = 409;

interface Known extends Omit<ServiceHealth, "medianSeconds"> {
  readonly seconds: readonly number[];
}

export function createHealth(clock: Pick<Clock, "now" | "monotonic">) {
  const services = new Map<ServiceName, Known>(
    SERVICES.map((service) => [service, { service, failures: 0, seconds: [] }]),
  );
  return {
    note: ({ service, status, seconds }: Asked): void => {
      const known = services.get(service);
      if (known === undefined) return;
      const now = clock.now();
      if (isFailure(service, status)) {
        const { failures, failingSince = now } = known;
        services.set(service, { ...known, failures: failures + 1, failedAt: now, failingSince });
        return;
      }
      const { failingSince: _over, failedAt: _past, ...others } = known;
      services.set(service, {
        ...others,
        failures: 0,
        answeredAt: now,
        ...(status === CONFLICT && { conflictedAt: clock.monotonic() }),
        seconds: seconds === undefined ? known.seconds : [...known.seconds, seconds].slice(-REMEMBERED),
      });
    },
    read: (): readonly ServiceHealth[] =>
      [...services.values()].map(({ seconds, ...told }) => {
        const median = seconds.toSorted((one, other) => one - other)[Math.floor(seconds.length / 2)];
        return { ...told, ...(median !== undefined && { medianSeconds: median }) };
      }),
  };
}

/** A service is out when several requests in a row failed, over some seconds. */
const OUT_MILLISECONDS = 5_000;
const OUT_FAILURES = 2;

export function isOut({ failingSince, failures }: ServiceHealth, now: number): boolean {
  return failingSince !== undefined && failures >= OUT_FAILURES && now - failingSince >= OUT_MILLISECONDS;
}

/** How long a failure counts: a service that nobody has asked since may be back. */
const EVIDENCE_MILLISECONDS = 60_000;

/** Whether a service is out as far as is known at this moment. */
export function isOutNow(health: ServiceHealth, now: number): boolean {
  return isOut(health, now) && now - (health.failedAt ?? now) < EVIDENCE_MILLISECONDS;
}

/** Whether such an answer means that nobody can be served. Refusing a single request is an answer like any other. */
function isFailure(service: ServiceName, status: Asked["status"]): boolean {
  // With 403 Telegram speaks of one person, who blocked the bot.
  return typeof status === "string" || status >= 500 || status === 401 || (status === 403 && service !== "telegram");
}
