import type { Logger } from "pino";
import type { Clock } from "../clock.js";
import type { Store } from "../store/store.js";

/** What most parts work with. */
export interface CommonParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
}
