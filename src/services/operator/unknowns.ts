import { isOpenQuestion, type Intent } from "../../model/intent.js";
import { collectionOf } from "../../store/defaults.js";
import { unlessUnreadable } from "../people.js";
import type { Counted } from "./counted.js";
import type { OperatorParts } from "./parts.js";

/** Where the calls of unknown outcome are, newest first, so that no document has to be searched for them. */
const unknowns = collectionOf("unknowns", { version: 1, latest: [] as readonly Pick<Intent, "owner" | "id">[] });
const ALL = "all";
/** Of more, the oldest are forgotten here; their owners' histories still have them. */
const MOST = 100;

/** The newest calls of unknown outcome. */
export function createUnknowns({ store, find }: Pick<OperatorParts, "find" | "store">) {
  return {
    /** Gives those that came to be unknown and were not noted before. */
    note: async (steps: Counted["steps"]): Promise<readonly Intent[]> => {
      const come = steps.map(({ intent }) => intent).filter(({ state }) => state === "UNKNOWN");
      const gone = steps.filter(({ before, intent }) => before === "UNKNOWN" && intent.state !== "UNKNOWN");
      if (come.length + gone.length === 0) return [];
      return store.update(unknowns, ALL, (now) => {
        const fresh = come.filter(({ id }) => !now.latest.some((known) => known.id === id));
        const left = now.latest.filter(({ id }) => !gone.some(({ intent }) => intent.id === id));
        const latest = [...fresh.map(({ owner, id }) => ({ owner, id })), ...left].slice(0, MOST);
        return [{ ...now, latest }, fresh];
      });
    },
    /** Takes one off the list; its owner's card stays as it is. */
    settle: (id: string): Promise<void> =>
      store.update(unknowns, ALL, (now) => {
        const left = now.latest.filter((known) => known.id !== id);
        return [left.length === now.latest.length ? now : { ...now, latest: left }, undefined];
      }),
    /** Those that still are unknown, newest first. */
    list: async (): Promise<readonly Intent[]> => {
      const { latest = [] } = (await store.read(unknowns, ALL)) ?? {};
      const found = await Promise.all(latest.map(({ owner, id }) => unlessUnreadable(find(owner, id))));
      return found.filter((intent) => intent !== undefined).filter(isOpenQuestion);
    },
  };
}
