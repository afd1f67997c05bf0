import type { Message, Update } from "grammy/types";
import { holdsSecret } from "../../services/typed-secret.js";

/** All that is known of a message in which somebody sent what looked like a seed phrase or a private key. */
interface HeldSecret extends Pick<Message, "message_id" | "date" | "chat" | "from"> {
  readonly held_secret: true;
}

/**
 * An update as the bot gets to see it, to be called before anything is written anywhere. Of a message that may hold a seed phrase or a
 * private key nothing is left but what it takes to delete it. Edits are taken only to find secrets that were edited in: of any other
 * edit there is nothing.
 */
export function arrived(update: Update): Update {
  const { update_id, message, edited_message: edited } = update;
  const written = message ?? edited;
  if (written !== undefined && textsOf(written).some(holdsSecret)) {
    const { message_id, date, chat, from } = written;
    const held: HeldSecret = { message_id, date, chat, from, held_secret: true };
    return { update_id, message: held as Message & Update.NonChannel };
  }
  return edited === undefined ? update : { update_id };
}

/** Whether a message held a secret, of which nothing is left. */
export function heldSecret(message: object | undefined): boolean {
  return message !== undefined && "held_secret" in message;
}

/** What somebody wrote, and what they wrote earlier that it repeats. Cards of bots have hashes in them, and no secrets. */
function textsOf({ text, caption, quote, reply_to_message: earlier }: Message): string[] {
  const repeated =
    earlier === undefined || earlier.from?.is_bot === true ? [] : [earlier.text, earlier.caption, quote?.text];
  return [text, caption, ...repeated].filter((one) => one !== undefined);
}
