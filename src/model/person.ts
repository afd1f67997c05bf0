import type { Address } from "../encoding/address.js";
import { overDefaults } from "../store/defaults.js";
import type { ServiceName } from "../fault.js";
import type { Collection } from "../store/store.js";
import type { AlertControl } from "./alert-control.js";
import type { Notice } from "./notice.js";
import { isLookedFor, isUnderWay, isUnshown, type Intent } from "./intent.js";
import type { Later } from "./later.js";
import type { Limit, Spent } from "./limits.js";
import type { SecurityChange } from "./security-change.js";
import type { Launches } from "./launch.js";
import { awaitsReminder, type Locks } from "./lock.js";

/** Everything that is kept about one person (the document's id is the Telegram user id): it changes as a whole or not at all. */
export interface Person {
  readonly version: 2;
  /** The private chat with the bot; 0 until the first message. */
  readonly chatId: number;
  /** A code such as `pt`; whether there are words for it, `src/locales/messages.ts` knows. */
  readonly language: string;
  /** IANA name. */
  readonly timeZone: string;
  /** Where outputs go. */
  readonly wallet?: { readonly address: Address; readonly since: number };
  /** Another address that the person asked for last, until they agree to the change. */
  readonly offeredWallet?: Address;
  /** The message of the home card that was pinned, or was to be. */
  readonly homeMessage?: number;
  /** In hundredths of a percent; absent: the operator's default. */
  readonly slippageBps?: number;
  /** Amounts offered as buttons, whole tokens as decimal text. */
  readonly presets: readonly string[];
  /** Token ids, the last used first. */
  readonly recentTokens: readonly string[];
  /** The most that may be paid, by token id. */
  readonly limits?: Readonly<Record<string, Limit>>;
  /** What calls that have left the document paid lately. */
  readonly spent?: readonly Spent[];
  /** Since when the person has their time zone, where they changed it. */
  readonly timeZoneSince?: number;
  /** Words of the person's own, shown on each card that can be confirmed: who imitates the bot does not know them. */
  readonly phrase?: string;
  /** The last changes to what guards the person's money, the newest first. */
  readonly changes?: readonly SecurityChange[];
  /** Since when nothing may be confirmed (`/freeze`). */
  readonly frozenSince?: number;
  /** What was asked for and takes effect later. */
  readonly later?: readonly Later[];
  /** By id: intents that are open or under way, and those that were over lately. */
  readonly intents: Readonly<Record<string, Intent>>;
  /** The day of the last change to an intent, `2026-12-31` in UTC, so that people are counted once a day; absent: none yet. */
  readonly tradedOn?: string;
  /** How many parts the ledger has, to which calls that ended go in time; absent: none yet. */
  readonly ledgerParts?: number;
  /** What the bot has locked for the person. */
  readonly locks?: Locks;
  /** Pairs that the person is launching. */
  readonly launches?: Launches;
  /** How alerts reach the person; absent: all of them, with a sound. */
  readonly alerts?: AlertControl;
  /** Notices still to be sent, oldest first; alerts about watched orders wait with their orders. */
  readonly outbox?: readonly Notice[];
  /** The number of the last message to everybody that was put into the outbox. */
  readonly lastBroadcast?: number;
  /** Since when nothing can be sent to the person; their next message ends it. */
  readonly restingSince?: number;
  /** Outages that the person was told of: by service, since when it can't be reached. */
  readonly outages?: Readonly<Partial<Record<ServiceName, number>>>;
}

/** A person nobody has heard of. A field added here is the default for everyone stored before. */
function createPerson(): Person {
  return {
    version: 2,
    chatId: 0,
    language: "en",
    timeZone: "UTC",
    presets: ["10", "100", "1000"],
    recentTokens: [],
    intents: {},
  };
}

export const people: Collection<Person> = {
  name: "users",
  // A private chat has the number of its person.
  create: (id) => ({ ...createPerson(), chatId: Number(id) }),
  parse: (stored) => overDefaults(createPerson(), stored),
  isOpen,
};

/** Whether a call is under way, or the chain may still show that one was carried out that ended otherwise. */
export function hasOpenCalls({ intents }: Person): boolean {
  return Object.values(intents).some((intent) => isUnderWay(intent.state) || isLookedFor(intent));
}

/** Whether a call is under way or looked for, a card shows an older state, a notice waits, or the time of a lock is still to come. */
function isOpen(person: Person): boolean {
  const { intents, outbox, later, locks = {} } = person;
  if (outbox !== undefined || later !== undefined || Object.values(locks).some(awaitsReminder)) return true;
  return hasOpenCalls(person) || Object.values(intents).some(isUnshown);
}
