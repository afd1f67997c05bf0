import { isOpenQuestion, type Intent } from "../../model/intent.js";
import { collectionOf } from "../../store/defaults.js";
import { unlessUnreadable } from "../people.js";
import type { Counted } from "./counted.js";
import type { OperatorParts } from "./parts.js";

/** Where the calls of unknown outcome are, newest first, so that no document has to be searched for them. */
export const unknowns = collectionOf("unknowns", {
  version: 1,
  latest: [] as readonly Pick<Intent, "owner" | "id">[],
  /** Those that operators were not told of, and when they may be, in milliseconds since 1970. */
  untold: [] as readonly Pick<Intent, "owner" | "id">[],
  tellFrom: 0,
});
const ALL = "all";
/** Of more, the oldest are forgotten here; their owners' histories still have them. */
const MOST = 100;
/** How long the first one waits for others, and how long operators are left alone after they were told. */
const GATHER_MILLISECONDS = 5_000;
const PAUSE_MILLISECONDS = 600_000;

/** The newest calls of unknown outcome. */
export function createUnknowns({ store, find, clock }: Pick<OperatorParts, "clock" | "find" | "store">) {
  return {
    /** Notes those that came to be unknown, and those that no longer are. */
    note: async (steps: Counted["steps"]): Promise<void> => {
      const come = steps.map(({ intent }) => intent).filter(({ state }) => state === "UNKNOWN");
      const gone = steps.filter(({ before, intent }) => before === "UNKNOWN" && intent.state !== "UNKNOWN");
      if (come.length + gone.length === 0) return;
      await store.update(unknowns, ALL, (now) => {
        const fresh = come.filter(({ id }) => !now.latest.some((known) => known.id === id));
        const left = now.latest.filter(({ id }) => !gone.some(({ intent }) => intent.id === id));
        const noted = fresh.map(({ owner, id }) => ({ owner, id }));
        const latest = [...noted, ...left].slice(0, MOST);
        const untold = [...noted, ...now.untold].slice(0, MOST);
        // The first of a number of them waits for the others.
        const tellFrom =
          now.untold.length > 0 ? now.tellFrom : Math.max(now.tellFrom, clock.now() + GATHER_MILLISECONDS);
        return [{ ...now, latest, untold, tellFrom }, undefined];
      });
    },
    /** Takes those that operators are to be told of now; none while more of them are waited for. */
    takeUntold: (): Promise<readonly Pick<Intent, "owner" | "id">[]> =>
      store.update(unknowns, ALL, (now) => {
        if (now.untold.length === 0 || clock.now() < now.tellFrom) return [now, []];
        return [{ ...now, untold: [], tellFrom: clock.now() + PAUSE_MILLISECONDS }, now.untold];
      }),
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
