import { collectionOf } from "../../store/defaults.js";
import type { Announcement } from "./broadcast.js";
import type { OperatorParts } from "./parts.js";

/** What an operator wants to do: pause trading, or send something to everybody. */
type Planned = { readonly reason: string } | { readonly announcement: Announcement };

/** What an operator is about to do and has still to confirm; the document's id is the operator's. */
interface Draft {
  readonly version: 1;
  /** In the button that confirms it, so that a button under an older draft does nothing. */
  readonly id: string;
  readonly planned?: Planned;
}

const blank: Draft = { version: 1, id: "" };
export const drafts = collectionOf("drafts", blank);

/** Each operator's last draft. */
export function createDrafts({ store, newId }: Pick<OperatorParts, "newId" | "store">) {
  return {
    keep: (operatorId: number, planned: Planned): Promise<string> => {
      const id = newId();
      return store.update(drafts, String(operatorId), () => [{ ...blank, id, planned }, id]);
    },
    /** The draft of this id, once: a second tap finds none. */
    take: (operatorId: number, id: string): Promise<Planned | undefined> =>
      store.update(drafts, String(operatorId), (draft) =>
        draft.id === id ? [blank, draft.planned] : [draft, undefined],
      ),
  };
}
