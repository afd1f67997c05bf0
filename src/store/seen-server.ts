import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import * as z from "zod";
import { Fault, isFault } from "../fault.js";
import { readRow } from "./store.js";

const FILE = "postgres.json";

/** The WAL that a primary writes is named after its timeline, also right after a promotion; `pg_control_checkpoint` is later. */
export const TIMELINE = "('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int";
const PLACE = `SELECT system_identifier || ' ' || current_database() AS system, ${TIMELINE} AS timeline FROM pg_control_system()`;

/** SQLSTATE classes of what the role may not ask, or this kind of server doesn't know. */
const UNTOLD_CLASSES = /^(?:42|0A)/;

/** A server in its history: its replicas are the same system, and each promotion begins a timeline. */
export interface ServerPlace {
  /** With the database, of which each counts its own writes. */
  readonly system: string;
  /** 0 if the role may not read it. */
  readonly timeline: number;
}

export async function placeOf(pool: Pick<pg.Pool, "query">): Promise<ServerPlace> {
  try {
    const { rows } = await pool.query<ServerPlace>(PLACE);
    if (rows[0] !== undefined) return rows[0];
  } catch (error) {
    if (!(error instanceof Error && "code" in error && UNTOLD_CLASSES.test(String(error.code)))) throw error;
  }
  const { rows } = await pool.query<{ system: string }>("SELECT current_database() AS system");
  return { system: rows[0]?.system ?? "", timeline: 0 };
}

const schema = z.object({ system: z.string(), timeline: z.number(), writes: z.number() });

/** What this bot has seen of its server, where no failover takes it back: in memory, and in the bot's own folder. */
export interface SeenServer {
  /** Forgets what was seen of another system. @throws Fault `store-lost` if a later timeline was seen. */
  readonly meet: (place: ServerPlace) => void;
  readonly isEarlier: (timeline: number) => boolean;
  readonly timeline: () => number;
  readonly writes: () => number;
  /** Before anything is written on a later timeline, the disk knows of it. */
  readonly reach: (timeline: number) => void;
  /** What has been written. */
  readonly count: (writes: number) => void;
  /** While another process has the lease: if fewer go on growing, it goes on without those that are missing. */
  readonly look: (writes: number) => void;
  readonly keep: (syncs?: boolean) => void;
}

/**
 * @param onUnkept called once if the folder can't be used: a restart then forgets what was seen.
 * @throws Fault `store-unreadable`.
 */
export function createSeen(directory?: string, onUnkept: (error: unknown) => void = () => undefined): SeenServer {
  let seen = { system: "", timeline: 0, writes: 0 };
  let kept = seen;
  let isUnkept = false;
  /** How many there were at the last look. */
  let before: number | undefined;

  function complain(error: unknown): void {
    if (!isUnkept) onUnkept(error);
    isUnkept = true;
  }

  try {
    if (directory !== undefined) seen = readSeen(directory) ?? seen;
  } catch (error) {
    if (isFault(error)) throw error;
    complain(error);
  }

  function keep(syncs = false): void {
    if (directory === undefined || kept === seen) return;
    kept = seen;
    try {
      writeSeen(directory, JSON.stringify(seen), syncs);
    } catch (error) {
      complain(error);
    }
  }

  return {
    meet: ({ system, timeline }) => {
      if (seen.system !== system) seen = { system, timeline: 0, writes: 0 };
      if (timeline < seen.timeline) throw earlier(timeline, seen.timeline);
    },
    isEarlier: (timeline) => timeline < seen.timeline,
    timeline: () => seen.timeline,
    writes: () => seen.writes,
    reach: (timeline) => {
      if (timeline === seen.timeline) return;
      seen = { ...seen, timeline };
      keep(true);
    },
    count: (writes) => {
      seen = { ...seen, writes };
    },
    look: (writes) => {
      if (writes >= seen.writes || writes > (before ?? writes)) seen = { ...seen, writes };
      before = writes;
    },
    keep,
  };
}

export const lostBy = (cause?: Error): Fault<"store-lost"> =>
  new Fault("store-lost", { directory: "PostgreSQL" }, { cause });

export const earlier = (timeline: number, seen: number): Fault<"store-lost"> =>
  lostBy(new Error(`an old primary on timeline ${timeline}, while this bot has been on ${seen}`));

/** @throws Fault `store-unreadable` for a file that says something else. */
export function readSeen(directory: string): z.output<typeof schema> | undefined {
  const path = join(directory, FILE);
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, "utf8");
  return readRow(path, () => schema.parse(JSON.parse(text)));
}

/** For a database that is another one by the same name. */
export const forgetSeen = (directory: string): void => rmSync(join(directory, FILE), { force: true });

function writeSeen(directory: string, text: string, syncs: boolean): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, FILE);
  const file = openSync(`${path}.new`, "w", 0o600);
  try {
    writeSync(file, text);
    if (syncs) fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.new`, path);
}
