import { badRequest, strictly } from "./api-error.js";
import { type Clock, unixSeconds } from "./clock.js";
import type { MessageEntity } from "./types.js";

/** Text with its entities. Offsets and lengths count UTF-16 code units, as JavaScript strings do. */
export interface FormattedText {
  text: string;
  entities: MessageEntity[];
}

const farthestBound = 1_000_000;
const farthestMomentSeconds = 1098 * 24 * 60 * 60;

/** Entity types that may overlap a `date_time`. */
const stylesOfMoments = [
  "bold",
  "italic",
  "underline",
  "strikethrough",
  "spoiler",
  "blockquote",
  "expandable_blockquote",
];

/**
 * Processes a bot's text as Telegram does: checks the entities, trims both ends, and marks commands, links, mentions
 * and tags wherever the bot has no entity of its own (tdlib/td, MessageEntity.cpp, fix_formatted_text and
 * clean_input_string_with_entities). @throws ApiError as Telegram refuses.
 */
export function formatted(text: string, entities: readonly MessageEntity[] = [], clock: Clock): FormattedText {
  for (const entity of entities) checkEntity(text, entity);
  checkMeanings(entities, clock);
  const trimmed = trim(text, sorted(entities.filter(({ length }) => length > 0)));
  if (trimmed.text === "") throw badRequest("Text must be non-empty");
  const found = findEntities(trimmed.text).filter(
    (candidate) => !trimmed.entities.some((own) => overlap(own, candidate)),
  );
  return { text: trimmed.text, entities: sorted([...trimmed.entities, ...found]) };
}

/** A person's typed text, with the entities that Telegram detects in it. */
export function typed(text: string): FormattedText {
  const trimmed = trim(text, []).text;
  return { text: trimmed, entities: findEntities(trimmed) };
}

function checkEntity(text: string, { offset, length }: MessageEntity): void {
  if (offset < 0 || offset > farthestBound) throw badRequest(`Receive an entity with incorrect offset ${offset}`);
  if (length < 0 || length > farthestBound) throw badRequest(`Receive an entity with incorrect length ${length}`);
  if (length === 0) return;
  const end = offset + length;
  if (offset > text.length) throw badRequest(`Entity begins after the end of the text at UTF-16 offset ${offset}`);
  if (splitsCharacter(text, offset)) {
    throw badRequest(`Entity begins in a middle of a UTF-16 symbol at byte offset ${byteOffset(text, offset + 1)}`);
  }
  if (end > text.length) {
    throw badRequest(
      `Entity beginning at UTF-16 offset ${offset} ends after the end of the text at UTF-16 offset ${end}`,
    );
  }
  if (splitsCharacter(text, end)) {
    throw badRequest(
      `Entity beginning at UTF-16 offset ${offset} ends in a middle of a UTF-16 symbol at byte offset ${byteOffset(text, end + 1)}`,
    );
  }
}

/** Refuses moments that no client could draw, and what Telegram drops silently, which a bot would never notice. */
function checkMeanings(entities: readonly MessageEntity[], clock: Clock): void {
  const overlapping = (own: MessageEntity, types: (type: string) => boolean) =>
    entities.some((other) => other !== own && types(other.type) && overlap(own, other));
  for (const entity of entities) {
    const { type, offset } = entity;
    if (type === "date_time") {
      checkMoment(entity, clock);
      if (overlapping(entity, (other) => !stylesOfMoments.includes(other))) {
        throw strictly(`the date_time at ${offset} lies in an entity that can't hold one`);
      }
    }
    if (isQuote(type) && overlapping(entity, isQuote)) throw strictly(`the ${type} at ${offset} lies in another quote`);
  }
}

function isQuote(type: string): boolean {
  return type.endsWith("blockquote");
}

/**
 * Checks a `date_time`. Error texts for the format as in tdlib/telegram-bot-api, Client::get_text_entity_type; the
 * limit counts from each send or edit (core.telegram.org/constructor/messageEntityFormattedDate).
 */
export function checkMoment(
  { unix_time: moment, date_time_format: format = "" }: { unix_time?: number; date_time_format?: string },
  clock: Clock,
): void {
  if (moment === undefined) throw badRequest("Can't parse MessageEntity: Can't find field \"unix_time\"");
  if (!/^(?:r|[wdt]*)$/i.test(format)) {
    throw badRequest("Can't parse MessageEntity: Invalid date-time format specified");
  }
  if (!/^(?:r|w?[dD]?[tT]?)$/.test(format)) throw strictly(`the date_time_format "${format}" is out of order`);
  if (moment <= 0) throw badRequest("Invalid date specified");
  if (moment > unixSeconds(clock) + farthestMomentSeconds) throw badRequest("ENTITY_DATE_INVALID");
}

function splitsCharacter(text: string, offset: number): boolean {
  return offset > 0 && (text.codePointAt(offset - 1) ?? 0) > 0xffff;
}

function byteOffset(text: string, offset: number): number {
  return Buffer.byteLength(text.slice(0, offset));
}

/** Trims white space: all of it at the end, and at the start up to the first entity. */
function trim(text: string, entities: readonly MessageEntity[]): FormattedText {
  const withoutEnd = text.trimEnd();
  const leading = withoutEnd.length - withoutEnd.trimStart().length;
  const start = Math.min(leading, entities[0]?.offset ?? leading);
  const kept = withoutEnd.slice(start);
  const moved = entities.map((entity) => {
    const offset = entity.offset - start;
    return { ...entity, offset, length: Math.min(entity.length, kept.length - offset) };
  });
  return { text: kept, entities: moved.filter(({ length }) => length > 0) };
}

/** Length of a text for Telegram's limits, in Unicode code points. */
export function characters(text: string): number {
  return Array.from(text).length;
}

/** What Telegram detects, in order of preference if two overlap. A letter or certain signs in front prevent a match. */
const patterns: readonly (readonly [string, RegExp])[] = [
  [
    "url",
    /(?<![\p{L}\p{N}@_])(?:https?:\/\/)?(?:[a-z0-9-]+\.)+(?:com|org|net|io|me|app|dev|finance|exchange)(?:[/?#][^\s]*)?(?![\p{L}\p{N}])/giu,
  ],
  ["mention", /(?<![\p{L}\p{N}_/])@[a-z][a-z0-9_]{3,31}(?![a-z0-9_])/giu],
  ["bot_command", /(?<![\p{L}\p{N}_/<>])\/[a-z0-9_]{1,64}(?:@[a-z][a-z0-9_]{2,31})?(?![\p{L}\p{N}_/])/giu],
  ["hashtag", /(?<![\p{L}\p{N}_#])#(?=[\p{L}\p{N}_]*\p{L})[\p{L}\p{N}_]{1,256}/gu],
  ["cashtag", /(?<![\p{L}\p{N}_$])\$[A-Z]{1,8}(?![\p{L}\p{N}_])/gu],
];

/** The entities that Telegram detects in plain text, of the types that matter to this bot. */
export function findEntities(text: string): MessageEntity[] {
  const found: MessageEntity[] = [];
  for (const [type, pattern] of patterns) {
    for (const match of text.matchAll(pattern)) {
      const entity = { type, offset: match.index, length: match[0].length };
      if (!found.some((other) => overlap(other, entity))) found.push(entity);
    }
  }
  return sorted(found);
}

function overlap(a: MessageEntity, b: MessageEntity): boolean {
  return a.offset < b.offset + b.length && b.offset < a.offset + a.length;
}

/** Sorts by offset and, at the same offset, longer first, as the server returns them. */
function sorted(entities: readonly MessageEntity[]): MessageEntity[] {
  return [...entities].sort((a, b) => a.offset - b.offset || b.length - a.length || a.type.localeCompare(b.type));
}
