import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import type { ContractCall } from "../../encoding/call.js";
import type { Holdings, Movement } from "./finding.js";
import { deleteUnspent, findIntent, insertIntent, updateIntent } from "./queries.js";
import type { Database, Store } from "../../store/store.js";
import type { ContractGateway } from "./gateway.js";
import type { Intent } from "./intent.js";
import type { Person } from "../person/person.js";
import type { Transaction } from "../../store/queries.js";
import { personIn } from "../person/people.js";
import { tellChange } from "./told.js";
import { countEnd, countPerson } from "./totals.js";

export interface Change {
  readonly before: Intent | undefined;
  readonly after: Intent;
}

export interface IntentParts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly store: Database & Pick<Store, "assertOwned">;
  readonly gateway: Pick<ContractGateway, "begin" | "interrupted">;
  /** In the transaction of that end; locks, say. */
  readonly book: (tx: Transaction, ended: Intent) => Promise<void>;
  /** What a call moves; its fee as far as that is proven. */
  readonly movementOf: (intent: Intent) => Movement;
  /** Whether a call goes to contracts that the bot is set up for, and to pairs that its router lists: a card can be older. */
  readonly isConfigured: (call: ContractCall) => Promise<boolean>;
  /** Asked right before a call leaves. @throws Fault `trading-paused`. */
  readonly assertOpen: () => Promise<void>;
  /** Undefined where unknown. Never throws, and never takes long. */
  readonly holdings: (intent: Intent) => Promise<Holdings | undefined>;
  readonly onChanged: (change: Change) => void;
  readonly onUnreadable: (error: unknown) => void;
  /** 16 random bytes in base64url. */
  readonly newId: () => string;
  /** Names this run of the process: nobody works any more on what another run left unfinished. */
  readonly run: string;
}

type ChangeParts = Pick<IntentParts, "book" | "clock" | "movementOf" | "onChanged" | "store">;

/** How long a card that spent nothing is kept, and how many of those go with a new one: however many there are, they become fewer. */
const UNSPENT_MS = 30 * 86_400_000;
const UNSPENT_BATCH = 10;

/**
 * Several steps in one transaction; changes are announced once they are on disk. @param work gets what writes a step
 * and returns the intent; an unchanged one writes nothing.
 */
export async function changeIntents<Result>(
  parts: ChangeParts,
  work: (tx: Transaction, step: (before: Intent | undefined, after: Intent) => Promise<Intent>) => Promise<Result>,
): Promise<Result> {
  const changes: Change[] = [];
  const result = await parts.store.write((tx) =>
    work(tx, async (before, after) => {
      if (after === before) return after;
      await (before === undefined ? add(parts, tx, after) : update(parts, tx, before, after));
      await tellChange(tx, before, after, parts.clock.now());
      changes.push({ before, after });
      return after;
    }),
  );
  changes.forEach(parts.onChanged);
  return result;
}

/** Undefined where there is none; an unchanged intent writes nothing. */
export function changeIntent(
  parts: ChangeParts,
  owner: number,
  id: string,
  next: (intent: Intent, person: Person) => Intent,
): Promise<Intent | undefined> {
  return changeIntents(parts, async (tx, step) => {
    const intent = await findIntent(tx, owner, id);
    return intent && step(intent, next(intent, await personIn(tx, owner)));
  });
}

async function add({ clock }: ChangeParts, tx: Transaction, intent: Intent): Promise<void> {
  await insertIntent(tx, intent);
  await countPerson(tx, intent.owner, clock.now());
  await deleteUnspent(tx, clock.now() - UNSPENT_MS, UNSPENT_BATCH);
}

async function update(
  { book, movementOf }: ChangeParts,
  tx: Transaction,
  before: Intent,
  after: Intent,
): Promise<void> {
  const { fee } = movementOf(after);
  await updateIntent(tx, before, after, fee);
  await countEnd(tx, before, after, { was: movementOf(before).fee, is: fee });
  if (hasEnded({ before, after })) await book(tx, after);
}

export function hasEnded({ before, after }: Change): boolean {
  return before?.outcome === undefined && after.outcome !== undefined;
}
