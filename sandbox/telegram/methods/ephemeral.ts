import { badRequest, strictly } from "../api-error.js";
import { unixSeconds } from "../clock.js";
import type { Server } from "../server.js";
import type { Chat, Message, User } from "../types.js";

/** How long after a tap or an ephemeral command a bot that is no administrator may answer it for one person alone. */
const answerSeconds = 15;

export interface EphemeralParameters {
  receiver_user_id: number;
  callback_query_id?: string;
  replace_callback_query_message?: boolean;
}

/** Who alone is to see a message. Telegram's words are known for the first refusal only. */
export function receiverOf(server: Server, chat: Chat, asked: EphemeralParameters, repliedTo?: Message): User {
  if (repliedTo !== undefined && repliedTo.ephemeral_message_id === undefined) throw badRequest("MESSAGE_NOT_COMMAND");
  if (chat.type === "private") throw strictly("ephemeral messages are for groups");
  if (asked.replace_callback_query_message === true) throw strictly("nothing is replaced by an ephemeral message here");
  const { receiver_user_id: receiver, callback_query_id: tapId = "" } = asked;
  const tap = server.callbacks.find(tapId);
  const isTapper = tap?.userId === receiver && tap.chatId === chat.id;
  const since = isTapper ? Math.floor(tap.at / 1000) : repliedTo?.from.id === receiver ? repliedTo.date : undefined;
  if (since === undefined) throw strictly(`person ${receiver} neither tapped nor sent an ephemeral command there`);
  if (unixSeconds(server.clock) - since > answerSeconds) {
    throw strictly(`an ephemeral message has to come within ${answerSeconds} seconds`);
  }
  return server.people.user(receiver);
}
