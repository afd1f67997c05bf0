import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import type { Store } from "../../store/store.js";
import type { ContractGateway } from "../clients/gateway.js";

/** What the parts of this folder work with. */
export interface IntentParts {
  readonly store: Store;
  readonly gateway: ContractGateway;
  readonly clock: Clock;
  readonly log: Logger;
  /** 16 random bytes in base64url. */
  readonly newId: () => string;
  /** The life of a card whose draft does not say when it expires. */
  readonly quoteTtlSeconds: number;
}
