import type { Message } from "grammy/types";
import * as z from "zod";
import { isKeyFile } from "../../services/base/key-file.js";
import { looksLikeSecret } from "../../services/base/secret.js";
import { isRecord } from "../../store/store.js";

/**
 * Fields that nobody writes: ids, encrypted data and what bots put behind buttons can have the form of a key, and others
 * stand between words.
 */
const MACHINE_MADE = /(?:^|_)(?:id|type)$|^(?:date_time_format|emoji|language|passport_data|reply_markup)$/;

const fileSchema = z.object({
  file_id: z.string(),
  file_name: z.string().default(""),
  mime_type: z.string().default(""),
  file_size: z.number().default(0),
});

type SecretsFound = { readonly texts: string[]; keyFiles: number };

/**
 * Whether a message seems to hold a seed phrase or a private key, or to be a file with one. Every text in it counts,
 * whatever the field, as Telegram adds some each year; not so a bot's message that it replies to, nor the quote from
 * that: cards have hashes, but no secrets.
 */
export function secretIn({ from: _, quote, reply_to_message: earlier, ...own }: Message): "text" | "file" | undefined {
  const found: SecretsFound = { texts: [], keyFiles: 0 };
  collect(isOfBot(earlier) ? own : [own, quote, earlier], found);
  if (found.keyFiles > 0) return "file";
  const { texts } = found;
  // A phrase may have each word in a task of its own, and formatting cuts a rich text in pieces.
  const joined = texts.length > 1 ? [texts.join("\n")] : [];
  if (own.rich_message !== undefined) joined.push(texts.join(""));
  return [...texts, ...joined].some(looksLikeSecret) ? "text" : undefined;
}

function collect(part: unknown, found: SecretsFound): void {
  if (typeof part === "string") found.texts.push(part);
  else if (Array.isArray(part)) for (const each of part) collect(each, found);
  else if (isRecord(part) && !isSomebody(part) && !isOfBot(part)) {
    const { data: file } = fileSchema.safeParse(part);
    if (file !== undefined && isKeyFile(file)) found.keyFiles += 1;
    for (const [name, field] of Object.entries(part)) if (!MACHINE_MADE.test(name)) collect(field, found);
  }
}

const chatTypes: readonly unknown[] = ["private", "group", "supergroup", "channel"];

/** Whether it says who: a user, or a chat. */
function isSomebody({ is_bot, type }: Readonly<Record<string, unknown>>): boolean {
  return is_bot !== undefined || chatTypes.includes(type);
}

function isOfBot(message: { readonly from?: unknown } | undefined): boolean {
  return isRecord(message?.from) && message.from["is_bot"] === true;
}
