import type { Update, User } from "grammy/types";

/** Whose line an update stands in. */
export function personOf({ message, callback_query: tap, my_chat_member: member }: Update): number {
  // Telegram may leave out who sent a message, whatever its declaration says.
  const sent: { readonly from?: User } | null | undefined = tap ?? message ?? member;
  return sent?.from?.id ?? 0;
}
