import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import type { StatsFs } from "node:fs";
import type { Incident } from "../outbox/operator-event.js";
import type { ServiceHealth } from "../clients/health.js";
import type { Outbox, Waiting } from "../outbox/sender.js";
import type { Database } from "../../store/store.js";

/** How busy the bot is, and how services answer. */
export interface Figures {
  readonly updates: Waiting;
  readonly alerts: Waiting;
  readonly services: readonly ServiceHealth[];
}

/** What the parts of this folder work with. */
export interface OperatorParts {
  readonly store: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly operators: readonly number[];
  /** Whom the configuration lets in; undefined: everybody. */
  readonly allowed: readonly number[] | undefined;
  readonly newId: () => string;
  readonly services: () => readonly ServiceHealth[];
  readonly outbox: Pick<Outbox, "notify" | "waiting" | "wake">;
  /** The updates that are being handled. */
  readonly updates: () => Waiting;
  /** What else was found to be wrong, and whether it is so now. */
  readonly reported: ReadonlyMap<Incident, boolean>;
  /** The disk on which the store writes. */
  readonly disk: () => Promise<Pick<StatsFs, "bavail" | "blocks" | "bsize">>;
}
