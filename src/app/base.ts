import type { EventEmitter } from "node:events";
import type { Config } from "../config.js";
import type { Basics } from "../loop.js";
import type { IntentChange } from "../services/intent/change.js";
import type { TokenList } from "../services/market/token-list.js";
import type { Store } from "../store/store.js";

/** Dependencies of every service. */
export interface Base extends Basics {
  readonly config: Config;
  readonly store: Store;
  readonly tokens: TokenList;
}

/** Events for services that are created later: an intent changed, or a record can't be read. */
export type Events = EventEmitter<{ changed: [IntentChange]; damaged: [unknown] }>;
