import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import type { Amount } from "../../encoding/amount.js";
import type { ContractCall } from "../../encoding/call.js";
import type { Intent } from "./intent.js";
import type { Finding, Holdings } from "./movement.js";
import type { Transaction } from "../../store/queries.js";
import type { Database, Store } from "../../store/store.js";
import type { ContractGateway } from "./gateway.js";

/** What became of an intent in one transaction; `before` is undefined for a new one. */
export interface Change {
  readonly before: Intent | undefined;
  readonly after: Intent;
}

/** What the parts of this folder work with. */
export interface IntentParts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly store: Database & Pick<Store, "assertOwned">;
  readonly gateway: Pick<ContractGateway, "begin" | "interrupted">;
  /** Remembers what an end changes besides its intent, locks, say, in the transaction of that end. */
  readonly book: (tx: Transaction, ended: Intent) => Promise<void>;
  /** What the operator was paid by a call, as far as that is proven. */
  readonly feeOf: (intent: Intent) => Amount | undefined;
  /** Whether a call goes to contracts that the bot is set up for, and to pairs that its router lists: a card can be older. */
  readonly isConfigured: (call: ContractCall) => Promise<boolean>;
  /** What balances before and after an intent's call say about it. */
  readonly findingOf?: (intent: Intent, before: Holdings, after: Holdings) => Finding;
  /** Asked right before a call leaves. @throws Fault `trading-paused`. */
  readonly assertOpen: () => Promise<void>;
  /** What an intent's account holds of what its call moves; undefined where that is unknown. Never throws, and never takes long. */
  readonly holdings?: (intent: Intent) => Promise<Holdings | undefined>;
  /** Told of each change as soon as it is on disk. */
  readonly onChanged: (change: Change) => void;
  /** Told of what can't be read; the error says whose it is. */
  readonly onUnreadable: (error: unknown) => void;
  /** 16 random bytes in base64url. */
  readonly newId: () => string;
  /** Names this run of the program: nobody is working any more on what another run left unfinished. */
  readonly run: string;
}
