import type { Intent } from "../../model/intent.js";
import { collectionOf } from "../../store/defaults.js";
import type { Store } from "../../store/store.js";

/** The links whose tokens begin with the same character (the document's id), the newest last. */
interface Kept {
  readonly version: 1;
  readonly links: readonly (readonly [token: string, owner: number, id: string])[];
}

const none: Kept = { version: 1, links: [] };
export const links = collectionOf("links", none);

/** In each of the 64 documents; older ones are forgotten. */
const MAX_LINKS = 160;

export type Links = ReturnType<typeof createLinks>;

/** Where the tokens in the addresses of signing pages lead, over restarts too: a page can say what became of its request. */
export function createLinks(store: Pick<Store, "read" | "update">) {
  const documentOf = (token: string): string => token.slice(0, 1);

  return {
    /** Safe to repeat. */
    note: (token: string, { owner, id }: Pick<Intent, "owner" | "id">): Promise<void> =>
      store.update(links, documentOf(token), (before) => {
        if (before.links.some(([known]) => known === token)) return [before, undefined];
        const latest = [...before.links, [token, owner, id] as const].slice(-MAX_LINKS);
        return [{ ...before, links: latest }, undefined];
      }),
    /** Whose request it is, and which. */
    find: async (token: string) => {
      const { links: known } = (await store.read(links, documentOf(token))) ?? none;
      const found = known.find(([known]) => known === token);
      return found && { owner: found[1], id: found[2] };
    },
  };
}
