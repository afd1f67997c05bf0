import { Fault } from "../../fault.js";
import { findPerson, newPerson, type Person, personOf } from "../person/person.js";
import { modeFor } from "../person/quiet-hours.js";
import { fromJson, readRow, type StoreBasics, type Tables } from "../../store/store.js";
import { type Delivery, type Rendered, type SentTopic, TOGETHER_FROM } from "./outbox.js";
import * as rows from "./outbox-rows.js";
import { noteUnclear } from "./outbox-unclear.js";
import { endStorm, noteSaid, type Storm, stormStep, waitForEnd } from "./storms.js";
import { pauseFor } from "./send-outcomes.js";
import { takeTurn } from "./outbox-turns.js";

export interface RenderingParts<Message> extends StoreBasics {
  readonly topics: ReadonlyMap<string, SentTopic<Message>>;
  readonly noteError: (error: unknown) => void;
  readonly run: string;
}

/** A message that may leave, for one or more rows. */
export interface DueMessage<Message>
  extends Pick<Delivery, "edits" | "isSilent" | "under">,
    Pick<Rendered<Message>, "onNotSent"> {
  readonly message: Message;
  readonly rows: readonly Tables["outbox"][];
  /** Records it as sent, or as refused for good if there is no id. */
  readonly end: (messageId: number | undefined) => Promise<void>;
  /** Records that nobody knows whether it was sent; absent if it is sent again. */
  readonly endUnclear?: (() => Promise<void>) | undefined;
}

/** Why a row is rendered, if not to be sent in its turn. */
interface RenderedFor {
  /** What its user has just asked for, in place of the row's payload. */
  readonly asked?: unknown;
  /** Only to end it if there is nothing to say: nothing is sent now. */
  readonly waits?: boolean;
}

/** What can't be rendered is put off, and keeps nobody else waiting. */
export async function renderOrPutOff<Message>(
  p: RenderingParts<Message>,
  row: Tables["outbox"] | rows.QueuedRow,
  why: RenderedFor,
): Promise<DueMessage<Message> | undefined> {
  try {
    return await renderDue(p, row, why);
  } catch (err) {
    p.noteError(err);
    const { user_id, topic, subject, failures } = row;
    p.log.error({ userId: user_id, topic, subject, err }, "Alert could not be rendered; retrying");
    const putOff = { now: p.clock.now(), pause: pauseFor(err, failures) };
    await p.store.write((tx) => rows.postpone(tx, { user_id, topic, subject }, putOff));
    return undefined;
  }
}

/** @returns undefined if nothing may be sent, which is then recorded unless it waits. */
async function renderDue<Message>(
  p: RenderingParts<Message>,
  row: Tables["outbox"] | rows.QueuedRow,
  { asked, waits = false }: RenderedFor,
): Promise<DueMessage<Message> | undefined> {
  const { store } = p;
  const userId = row.user_id;
  const topic = p.topics.get(row.topic);
  const person = ("language" in row ? personOf(userId, row) : await findPerson(store.db, userId)) ?? newPerson(userId);
  if (person.restingSince !== undefined) {
    await store.write((tx) => rows.suspend(tx, userId));
    return undefined;
  }
  // Kept for a version of the bot that knows the topic.
  if (topic === undefined) throw new Fault("store-unreadable", { document: outboxDocument(row) });
  if (asked !== undefined) return renderOne(p, row, topic, person, { asked });
  const step = await stormStep(store.db, row, p.clock.now());
  if (step !== undefined && "waitsUntil" in step) {
    await store.write((tx) => waitForEnd(tx, row, step.waitsUntil, p.clock.now()));
    return undefined;
  }
  const together = step === undefined && !waits ? await renderTogether(p, row, topic, person) : undefined;
  return together ?? renderOne(p, row, topic, person, { storm: step?.says, waits });
}

export const outboxDocument = ({ user_id, topic }: Pick<Tables["outbox"], "topic" | "user_id">) =>
  `outbox/${user_id}/${topic}`;

const topicRow = (row: Tables["outbox"]) => ({
  userId: row.user_id,
  subject: row.subject,
  payload: readRow(outboxDocument(row), () => fromJson(row.payload)),
});

async function renderOne<Message>(
  p: RenderingParts<Message>,
  row: Tables["outbox"],
  topic: SentTopic<Message>,
  person: Person,
  { asked, storm, waits = false }: RenderedFor & { readonly storm?: Storm | undefined },
): Promise<DueMessage<Message> | undefined> {
  const { store, clock } = p;
  const { begun_by, user_id, topic: name, subject } = row;
  const about = asked === undefined ? { ...topicRow(row), storm } : { userId: user_id, subject, payload: asked };
  const rendered = await topic.render(store.db, about, person);
  const { message, kind, edits, under, isMuted = false, isLast = false, onBegin, onNotSent } = rendered ?? {};
  const mode = kind === undefined ? "on" : modeFor(person, kind, clock.now());
  const hasBegun = begun_by !== null && begun_by !== p.run;
  if (hasBegun && message !== undefined) {
    await recordUnclear(p, row, rendered);
    return undefined;
  }
  if (message === undefined || mode === "off") {
    // Unless it is the last, it stays unsent, so that the next wanted alert reports everything since the one before.
    await recordEnd(p, [[row, isLast ? rendered : undefined]], undefined, { storm });
    return undefined;
  }
  if (waits) return undefined;
  if (topic.isOnce === true) await store.write((tx) => rows.beginSending(tx, { user_id, topic: name, subject }, p.run));
  // The row is then due at once, for what there is to say now.
  if (onBegin !== undefined && !(await store.write(onBegin))) return undefined;
  return {
    message,
    edits,
    under,
    onNotSent,
    isSilent: mode === "silent" || isMuted,
    rows: [row],
    end: (sent) => recordEnd(p, [[row, rendered]], sent, { isTurn: asked === undefined, storm }),
    endUnclear: topic.isOnce && (() => recordUnclear(p, row, rendered)),
  };
}

/** What is sent once counts as told: its owner can see that it may not have been. */
function recordUnclear<Message>(
  { store, clock }: RenderingParts<Message>,
  row: Tables["outbox"],
  told: Told[1],
): Promise<void> {
  return store.write(async (tx) => {
    const now = clock.now();
    await told?.onSent?.(tx, now);
    await noteUnclear(tx, row, now);
    await rows.endSending(tx, row, now);
  });
}

/** @returns undefined if too few rows of the topic have something to report. */
async function renderTogether<Message>(
  p: RenderingParts<Message>,
  row: Tables["outbox"],
  topic: SentTopic<Message>,
  person: Person,
): Promise<DueMessage<Message> | undefined> {
  if (topic.renderTogether === undefined) return undefined;
  const now = p.clock.now();
  const due: Tables["outbox"][] = [];
  for (const one of await rows.dueOfTopic(p.store.db, row, now))
    if ((await stormStep(p.store.db, one, now)) === undefined) due.push(one);
  if (due.length < TOGETHER_FROM) return undefined;
  const { message, parts } = await topic.renderTogether(p.store.db, due.map(topicRow), person);
  if (parts.filter((part) => part !== undefined).length < TOGETHER_FROM) return undefined;
  const told = due.map((one, at) => [one, parts[at]] as const);
  return { message, isSilent: false, rows: due, end: (sent) => recordEnd(p, told, sent, { isTurn: true }) };
}

type Told = readonly [row: Tables["outbox"], told: Pick<Rendered<unknown>, "onSent"> | undefined];

/** Records what was told of each row. @param how whether it was sent in its turn, and said that something goes to and fro. */
function recordEnd<Message>(
  { store, clock }: RenderingParts<Message>,
  told: readonly Told[],
  messageId: number | undefined,
  { isTurn = false, storm }: { readonly isTurn?: boolean; readonly storm?: Storm | undefined } = {},
): Promise<void> {
  return store.write(async (tx) => {
    const now = clock.now();
    for (const [row, part] of told) {
      await part?.onSent?.(tx, now, messageId);
      const stays = messageId !== undefined && (await noteSaid(tx, row, storm, now));
      if (stays) continue;
      await rows.endSending(tx, row, now);
      if (messageId === undefined && storm !== undefined) await endStorm(tx, row);
    }
    const [first] = told[0] ?? [];
    if (isTurn && first !== undefined) await takeTurn(tx, first.user_id, first.edits === 1 ? "edits" : "messages");
  });
}
