/**
 * Of several instances one does what only one may do: it asks for watched orders, sends alerts, reminds, and follows
 * transactions. The others write down what is to be done, and tell it.
 */
export interface Lead {
  readonly isLeading: () => boolean;
  /** Tells the one that leads, in the background. What gets lost waits in the store for the next one to lead. */
  readonly tell: (news: News) => void;
}

/** Where the one that leads has to look. */
export type News =
  /** Who watches an order has changed. */
  | { readonly about: "order"; readonly id: string }
  /** Something may be due to a person. */
  | { readonly about: "person"; readonly userId: number }
  /** A person's transaction waits for its signature or its end; `isFresh`: it was never given to the network. */
  | { readonly about: "transaction"; readonly owner: number; readonly id: string; readonly isFresh: boolean }
  /** Replies have left to these chats, which the pace of alerts has to count. */
  | { readonly about: "replies"; readonly chatIds: readonly number[] };

/** For a bot of one instance. */
export const alone: Lead = { isLeading: () => true, tell: () => undefined };
