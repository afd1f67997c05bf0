import type { Clock } from "../../clock.js";
import type { ServiceName } from "../../fault.js";

export interface RequestResult {
  readonly service: ServiceName;
  readonly method?: string;
  readonly status: number | "timeout" | "unreachable" | "unreadable";
  /** Until the whole answer was there; absent for long polls. */
  readonly seconds?: number;
}

export interface ServiceHealth {
  readonly service: ServiceName;
  /** In milliseconds since 1970; absent while it answers. */
  readonly failingSince?: number;
  readonly failedAt?: number;
  readonly failures: number;
  /** In seconds; absent before the first. */
  readonly medianSeconds?: number;
  /** When Telegram last reported another polling instance (monotonic milliseconds). */
  readonly conflictedAt?: number;
  readonly answeredAt?: number;
}

const SERVICES: readonly ServiceName[] = ["node", "quotation", "exchange", "telegram"];
const REMEMBERED = 50;
const CONFLICT = 409;

interface Known extends Omit<ServiceHealth, "medianSeconds"> {
  readonly seconds: readonly number[];
}

export function createHealth(clock: Pick<Clock, "now" | "monotonic">) {
  const services = new Map<ServiceName, Known>(
    SERVICES.map((service) => [service, { service, failures: 0, seconds: [] }]),
  );
  return {
    note: ({ service, status, seconds }: RequestResult): void => {
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

/** Out when several requests in a row failed over this time. */
const OUT_MS = 5_000;
const OUT_FAILURES = 2;

export function isOut({ failingSince, failures }: ServiceHealth, now: number): boolean {
  return failingSince !== undefined && failures >= OUT_FAILURES && now - failingSince >= OUT_MS;
}

/** Failures count this long: the service may be back since. */
const EVIDENCE_MS = 60_000;

export function isOutNow(health: ServiceHealth, now: number): boolean {
  return isOut(health, now) && now - (health.failedAt ?? now) < EVIDENCE_MS;
}

/** Refusing a single request is an answer like any other. */
function isFailure(service: ServiceName, status: RequestResult["status"]): boolean {
  // With 403 Telegram speaks of one person, who blocked the bot.
  return typeof status === "string" || status >= 500 || status === 401 || (status === 403 && service !== "telegram");
}
