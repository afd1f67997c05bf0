import type { ContractCall } from "../../encoding/call.js";
import type { Intent, SignedIntent } from "../../model/intent.js";
import type { Finding, Holdings } from "../../model/movement.js";
import type { Person } from "../../model/person.js";
import type { ContractGateway } from "../clients/gateway.js";
import type { CommonParts } from "../common-parts.js";

/** What the parts of this folder work with. */
export interface IntentParts extends CommonParts {
  readonly gateway: ContractGateway;
  /** The person with what has to be remembered of an end, locks, say: in the same write. A second time changes nothing. */
  readonly book: (person: Person, ended: Intent) => Person;
  /** Whether a call goes to contracts that the bot is set up for, and to pairs that its router lists: a card can be older. */
  readonly isConfigured: (call: ContractCall) => Promise<boolean>;
  /** What balances before and after an intent's call say about it. */
  readonly findingOf?: (intent: Intent, before: Holdings, after: Holdings) => Finding;
  /** Asked right before a call leaves. @throws Fault `trading-paused`. */
  readonly assertOpen: () => Promise<void>;
  /** What an intent's account holds of what its call moves; undefined where that is unknown. Never throws, and never takes long. */
  readonly holdings?: (intent: Intent) => Promise<Holdings | undefined>;
  /** Hears of ends as soon as they are on disk. */
  readonly onEnded: (ended: Intent) => void;
  /** Hears of open cards as soon as it is known which message shows them. */
  readonly onShown: (open: Intent) => void;
  /** Hears of requests for a signature, when they open and when they close. */
  readonly onRequest: (request: SignedIntent) => void;
  /** 16 random bytes in base64url. */
  readonly newId: () => string;
  /** Names this run of the program: nobody is working any more on what another run left unfinished. */
  readonly run: string;
}
