import type { Clock } from "../../clock.js";
import type { ServiceName } from "../../fault.js";

export interface RequestResult {
  readonly service: ServiceName;
  readonly method?: string;
  /**
   * `not-found`: the answer that there is no such thing, whatever its status. `unauthorized`: Telegram doesn't know the
   * token.
   */
  readonly status: number | "not-found" | "timeout" | "unreachable" | "unreadable" | "unauthorized";
  /** Time until the whole answer had arrived; absent for long polls. */
  readonly seconds?: number;
}

export interface ServiceHealth {
  readonly service: ServiceName;
  /** In milliseconds since 1970; absent while the service answers. */
  readonly failingSince?: number | undefined;
  /** The same, and the last failure, in monotonic milliseconds. */
  readonly failing?: { readonly from: number; readonly last: number } | undefined;
  readonly failures: number;
  /** In seconds; absent before the first answer. */
  readonly medianSeconds?: number | undefined;
  /** When Telegram first and last reported another polling instance (monotonic milliseconds). */
  readonly conflict?: { readonly from: number; readonly last: number } | undefined;
  readonly answeredAt?: number | undefined;
}

const SERVICES: readonly ServiceName[] = ["node", "quotation", "exchange", "telegram"];
const REMEMBERED = 50;
const CONFLICT = 409;
/** Two instances take polls from each other every few seconds: after so long without, a conflict is another one. */
const CONFLICT_GAP_MS = 60_000;

/** How the services that the bot asks have answered lately. In memory only. */
export interface Health {
  /** Call it with every request that is over. */
  readonly note: (done: RequestResult) => void;
  /** Of every service, with the median of its last answers in seconds. */
  readonly read: () => readonly ServiceHealth[];
}

/** @param onNoted is called with every request that is noted. */
export function createHealth(
  clock: Pick<Clock, "now" | "monotonic">,
  onNoted: (done: RequestResult) => void = () => undefined,
): Health {
  const services = new Map<ServiceName, ServiceHealth>(SERVICES.map((service) => [service, { service, failures: 0 }]));
  /** Seconds that the last answers of each service took. */
  const lately = new Map<ServiceName, number[]>(SERVICES.map((service) => [service, []]));
  return {
    note: (done: RequestResult): void => {
      onNoted(done);
      const { service, status, seconds } = done;
      const [known, now] = [services.get(service), clock.now()];
      if (known === undefined) return;
      // Refusing a single request is an answer like any other. Telegram's 403 is about one user, who blocked the bot.
      const isRefused = status === 401 || (status === 403 && service !== "telegram");
      const isFailure = typeof status === "string" ? status !== "not-found" : status >= 500;
      if (isFailure || isRefused) {
        const { failures, failingSince = now } = known;
        const last = clock.monotonic();
        const failing = { from: known.failing?.from ?? last, last };
        services.set(service, { ...known, failures: failures + 1, failingSince, failing });
        return;
      }
      const took = lately.get(service);
      if (seconds !== undefined && took?.push(seconds) === REMEMBERED + 1) took.shift();
      const isConflict = service === "telegram" && status === CONFLICT;
      const conflict = isConflict ? conflictAfter(known.conflict, clock.monotonic()) : known.conflict;
      services.set(service, { service, failures: 0, answeredAt: now, conflict });
    },
    read: (): readonly ServiceHealth[] =>
      [...services.values()].map((known) => {
        const took = lately.get(known.service)?.toSorted((one, other) => one - other) ?? [];
        return { ...known, medianSeconds: took[Math.floor(took.length / 2)] };
      }),
  };
}

function conflictAfter(before: ServiceHealth["conflict"], last: number): ServiceHealth["conflict"] {
  const isSame = before !== undefined && last - before.last <= CONFLICT_GAP_MS;
  return { from: isSame ? before.from : last, last };
}

/** A service is out once this many requests in a row have failed, over this time. `now` is monotonic below. */
const OUT_MS = 5_000;
const OUT_FAILURES = 2;

export function isOut({ failing, failures }: ServiceHealth, now: number): boolean {
  return failing !== undefined && failures >= OUT_FAILURES && now - failing.from >= OUT_MS;
}

/** A failure counts for this long: the service may have recovered since. */
const EVIDENCE_MS = 60_000;

export function isOutNow(health: ServiceHealth, now: number): boolean {
  return isOut(health, now) && now - (health.failing?.last ?? now) < EVIDENCE_MS;
}
