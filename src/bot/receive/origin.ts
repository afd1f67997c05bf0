import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { SelectQueryBuilder } from "kysely";
import type { Logger } from "pino";
import * as z from "zod";
import { unlessFault } from "../../fault.js";
import { changeLaunch } from "../../services/trade/launch-record.js";
import { findPerson, putPerson } from "../../services/person/person.js";
import { inLots, READ_AT_ONCE, readSetting, setting, unlessUnreadable, writeSetting } from "../../store/store.js";
import type { Database, Tables, Transaction } from "../../store/store.js";

interface OriginParts {
  readonly apiRoot: string;
  readonly store: Database;
  readonly log: Logger;
}

/** Whose ids the store has. `server`: a hash of the API root, which may contain a password. */
const origin = setting("origin", z.object({ botId: z.number(), server: z.string() }).nullable(), null);

/** Which bot at which Bot API server the stored ids are of. */
export interface Origin {
  /** Resolves once they are those of this bot and server. */
  readonly settled: Promise<void>;
  /** Starts over if they were others'. Call it once the bot's id is known. @throws Fault `store-…` */
  readonly settle: (botId: number) => Promise<void>;
}

export function createOrigin({ apiRoot, store, log }: OriginParts): Origin {
  let onSettled = () => {};
  const settled = new Promise<void>((resolve) => (onSettled = resolve));
  return {
    settled,
    settle: (botId) => startOverIfMoved(store, log, { botId, apiRoot }).then(onSettled),
  };
}

/** Rows that one statement changes at most. */
const MOST = 1_000;

/**
 * Update ids can be compared, and recognised, only for one bot at one Bot API server; message ids only for one bot. When
 * either has changed since the last start, those of before are taken out of the way. Called before anything is received
 * or sent; if the process ends in the middle, the next one goes on.
 */
async function startOverIfMoved(
  store: Database,
  log: Logger,
  { botId, apiRoot }: { readonly botId: number; readonly apiRoot: string },
): Promise<void> {
  const now = { botId, server: hash("sha256", apiRoot) };
  const before = await readSetting(store.db, origin);
  if (isDeepStrictEqual(before, now)) return;
  const isOtherBot = before !== null && before.botId !== botId;
  if (before !== null) {
    log.warn({ isOtherBot }, "Another bot or Bot API server than before; update ids start over");
    await untilDone(() => store.write(forgetHandled));
  }
  if (isOtherBot) {
    await untilDone(() => store.write(forgetCards));
    await forgetHomes(store);
    await forgetSteps(store);
  }
  await store.write(async (tx) => {
    // A question in another bot's chat can't be answered in this one's.
    if (isOtherBot) await tx.deleteFrom("dialogs").execute();
    if (before !== null) await putBehind(tx);
    await writeSetting(tx, origin, now);
  });
}

async function untilDone(lot: () => Promise<number>): Promise<void> {
  while ((await lot()) > 0);
}

/** Ids are known only to recognise an update that comes again, and another server's ids never do. */
async function forgetHandled(tx: Transaction): Promise<number> {
  const handled = tx.selectFrom("updates").select("id").where("body", "is", null).limit(MOST);
  const { numDeletedRows } = await tx.deleteFrom("updates").where("id", "in", handled).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Moves all update ids below zero, and below those that are there, in the same order: what comes now is newer. */
async function putBehind(tx: Transaction): Promise<void> {
  const ids = tx.selectFrom("updates").select("id").unionAll(tx.selectFrom("dialogs").select("update_id as id"));
  const [least = 0] = await edgeOf(ids.orderBy("id"));
  const [most = 0] = await edgeOf(ids.orderBy("id", "desc"));
  const by = Math.max(most, 0) - Math.min(least, 0) + 1;
  await tx
    .updateTable("updates")
    .set((row) => ({ id: row("id", "-", by) }))
    .execute();
  await tx
    .updateTable("dialogs")
    .set((row) => ({ update_id: row("update_id", "-", by) }))
    .execute();
}

async function edgeOf(sorted: SelectQueryBuilder<Tables, "updates", { id: number }>): Promise<readonly number[]> {
  return (await sorted.limit(1).execute()).map(({ id }) => id);
}

/** Cards of the other bot can't be edited: this bot's message with that id is something else. */
async function forgetCards(tx: Transaction): Promise<number> {
  const shown = tx.selectFrom("intents").select("id").where("message_id", "is not", null).limit(MOST);
  const update = tx.updateTable("intents").set({ message_id: null }).where("id", "in", shown);
  return Number((await update.executeTakeFirstOrThrow()).numUpdatedRows);
}

async function forgetHomes({ db, write }: Database): Promise<void> {
  const pinned = db.selectFrom("users").select("id").where("preferences", "like", '%"homeMessage":%').orderBy("id");
  const read = (last?: { readonly id: number }) =>
    pinned
      .where("id", ">", last?.id ?? 0)
      .limit(READ_AT_ONCE)
      .execute();
  for await (const lot of inLots(Infinity, read))
    await write(async (tx) => {
      for (const { id } of lot)
        await unlessUnreadable(async () => {
          const person = await findPerson(tx, id);
          if (person === undefined) return;
          const { homeMessage: _other, ...others } = person;
          await putPerson(tx, id, others);
        });
    });
}

async function forgetSteps({ db, write }: Database): Promise<void> {
  const launches = db
    .selectFrom("launches")
    .select(["id", "owner"])
    .where("body", "like", '%"shownIn":%')
    .orderBy("id");
  const read = (last?: { readonly id: string }) =>
    launches
      .where("id", ">", last?.id ?? "")
      .limit(READ_AT_ONCE)
      .execute();
  for await (const lot of inLots(Infinity, read))
    await write(async (tx) => {
      for (const { id, owner } of lot)
        await unlessFault(() => changeLaunch(tx, owner, id, ({ shownIn: _other, ...launch }) => launch));
    });
}
