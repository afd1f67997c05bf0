import type { ConversationFlavor } from "@grammyjs/conversations";
import type { Context, MiddlewareFn } from "grammy";
import type { Logger } from "pino";
import type { View } from "../cards/card.js";
import type { Clock } from "../clock.js";
import type { Config } from "../config.js";
import type { DialogFlavor } from "../conversations/interview.js";
import { languageOf, type Messages, messagesIn } from "../locales/messages.js";
import { changePerson, findPerson, newPerson, personIn, type Person } from "../services/person/person.js";
import type { TokenList } from "../services/market/token-list.js";
import type { Database } from "../store/store.js";

export interface PersonFlavor {
  /** As read before the handlers ran. */
  person: Person;
  userId: number;
  words: Messages;
  view: View;
}

export type BotContext = ConversationFlavor<Context & PersonFlavor & DialogFlavor>;

/** The configuration without its secrets. */
export type BotSettings = Omit<Config, "botToken" | "metricsToken" | "orderApiKey" | "store" | "updates">;

/** What a view is made of, besides the person. */
export interface ViewSources {
  readonly clock: Clock;
  readonly settings: BotSettings;
  readonly tokens: TokenList;
}

/** What any part of the bot may use. It comes by the name `base`, and everything else that a part needs by its own. */
export interface BotBase extends ViewSources {
  readonly store: Database;
  readonly log: Logger;
}

export function withPerson(base: BotBase): MiddlewareFn<BotContext> {
  return async function person(ctx, next) {
    const { id } = ctx.from ?? {};
    if (id !== undefined) Object.assign(ctx, await ownerOf(base, id, await readPerson(base.store, ctx, id)));
    return next();
  };
}

export function wordsFor(ctx: Context & Partial<Pick<BotContext, "words">>, contact?: string) {
  return ctx.words ?? messagesIn(ctx.from?.language_code, contact);
}

/** Reads somebody once per update: those whose update it is are passed as they were read for it. */
export async function ownerOf(base: BotBase, whose: number | PersonFlavor, known?: Person): Promise<PersonFlavor> {
  if (typeof whose !== "number") return whose;
  const person = known ?? (await personIn(base.store.db, whose));
  const view = viewOf(person, base);
  return { userId: whose, person, view, words: view.words };
}

export function viewOf(person: Person, { clock, settings, tokens }: ViewSources): View {
  const { callIncludesCaller, guardDelaySeconds, returnDataEncoding } = settings;
  const { explorerUrl, proposalUrl, publicUrl, referralPercentage } = settings;
  const words = messagesIn(person.language, settings.supportContact);
  return {
    ...person,
    callIncludesCaller,
    guardDelaySeconds,
    referralPercentage,
    returnDataEncoding,
    explorerUrl,
    publicUrl,
    proposalUrl,
    words,
    tokenOf: tokens.named,
    now: clock.now(),
  };
}

async function readPerson(store: Database, ctx: Context, userId: number): Promise<Person> {
  const known = await findPerson(store.db, userId);
  if (known !== undefined && known.chatId !== 0) return known;
  const language = languageOf(ctx.from?.language_code);
  const fresh = newPerson(userId);
  // Nothing to store for a new user yet: every value is still its default.
  if (known === undefined && language === fresh.language) return fresh;
  return store.write((tx) => changePerson(tx, userId, (person) => ({ ...person, chatId: fresh.chatId, language })));
}
