import { collectionOf } from "../../store/defaults.js";
import type { CommonParts } from "../common-parts.js";

/** What operators do that is written down. */
export type AuditAction =
  | "pause"
  | "resume"
  | "approve"
  | "decline"
  | "withdraw"
  | "broadcast"
  | "halt"
  | "settle"
  | "anew";

export interface AuditEntry {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The operator's Telegram user id. */
  readonly by: number;
  readonly action: AuditAction;
  /** The reason of a pause, the id of a person, the beginning of a text. */
  readonly about: string;
}

/** Parts by their number from 1, each full before the next begins; entries stand in their order. */
const audit = collectionOf("audit", { version: 1, entries: [] as readonly AuditEntry[] });

const PART_SIZE = 100;
const LONGEST_ABOUT = 200;

/** What operators did, kept forever: entries are only ever added. */
export function createAudit({ store, clock }: Pick<CommonParts, "store" | "clock">) {
  const partCount = async () => (await store.ids(audit)).length;
  const entriesOf = async (part: number) => (await store.read(audit, String(part)))?.entries ?? [];

  return {
    /** To be called before the action, so that none is missing. */
    enter: async (by: number, action: AuditAction, about: string): Promise<void> => {
      const entry = { at: clock.now(), by, action, about: about.slice(0, LONGEST_ABOUT) };
      for (let part = Math.max(1, await partCount()); ; part += 1) {
        const isIn = await store.update(audit, String(part), (now) =>
          now.entries.length < PART_SIZE ? [{ ...now, entries: [...now.entries, entry] }, true] : [now, false],
        );
        if (isIn) return;
      }
    },
    /** One page, the newest first. `page` counts from 0 and is brought into range. */
    page: async (wanted: number, size: number) => {
      const parts = await partCount();
      const count = parts === 0 ? 0 : PART_SIZE * (parts - 1) + (await entriesOf(parts)).length;
      const pages = Math.max(1, Math.ceil(count / size));
      const page = Math.min(Math.max(wanted, 0), pages - 1);
      const [from, end] = [Math.max(0, count - (page + 1) * size), count - page * size];
      const items: AuditEntry[] = [];
      for (let part = Math.floor(from / PART_SIZE) + 1; (part - 1) * PART_SIZE < end; part += 1) {
        const first = (part - 1) * PART_SIZE;
        items.push(...(await entriesOf(part)).slice(Math.max(0, from - first), end - first));
      }
      return { items: items.reverse(), page, pages };
    },
  };
}
