import { badRequest, strictly } from "../api-error.js";
import { inlineKeyboard } from "../keyboard.js";
import type { Method } from "../server.js";
import type { InlineResult } from "../types.js";
import { readText } from "./sending.js";

const mostResults = 50;
const longestCacheSeconds = 86_400;

interface Answer {
  inline_query_id: string;
  results: InlineResult[];
  cache_time?: number;
  is_personal?: boolean;
  button?: { text: string; start_parameter?: string };
}

/** The upper-case codes come from Telegram's own servers, not the published one: texts as commonly reported. */
export const answerInlineQuery: Method<Answer> = (
  { inline, events, clock },
  { inline_query_id, results, cache_time = 300, is_personal = false, button },
) => {
  if (cache_time < 0 || cache_time > longestCacheSeconds) throw strictly("cache_time is from 0 to 86400");
  if (results.length > mostResults) throw badRequest("RESULTS_TOO_MUCH");
  if (new Set(results.map(({ id }) => id)).size < results.length) throw badRequest("RESULT_ID_DUPLICATE");
  if (button !== undefined && !/^[A-Za-z0-9_-]{1,64}$/.test(button.start_parameter ?? "")) {
    throw badRequest("START_PARAM_INVALID");
  }
  for (const { id, type, title, input_message_content: content, reply_markup } of results) {
    if (Buffer.byteLength(id) < 1 || Buffer.byteLength(id) > 64) throw badRequest("RESULT_ID_INVALID");
    if (type !== "article" || title === undefined) throw strictly("only articles with a title are offered here");
    const { message_text: text, entities } = content ?? {};
    if (text === undefined) throw badRequest("Message content is not specified");
    readText({ text, ...(entities !== undefined && { entities }) }, clock);
    inlineKeyboard(reply_markup);
  }
  const answer = {
    results,
    cacheSeconds: cache_time,
    isPersonal: is_personal,
    ...(button !== undefined && { button }),
  };
  const { userId } = inline.answer(inline_query_id, answer);
  events.tell({ type: "inline-answer", userId, inlineQueryId: inline_query_id, ...answer });
  return true;
};
