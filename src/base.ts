import type { Logger } from "pino";
import type { Clock } from "./clock.js";
import type { Database } from "./store/store.js";

/** What most parts are built on: time, and the log. */
export interface Basics {
  readonly clock: Clock;
  readonly log: Logger;
}

/** And where everything is kept. */
export interface StoreBasics extends Basics {
  readonly store: Database;
}
