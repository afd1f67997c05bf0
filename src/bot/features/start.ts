import { type Api, GrammyError } from "grammy";
import type { LanguageCode } from "grammy/types";
import { type Card, oncePerLanguage } from "../../cards/card.js";
import { helpCard, homeCard, welcomeCard } from "../../cards/account.js";
import { frozenLines } from "../../cards/freeze.js";
import { commandsOffered, menuCard, type MenuState } from "../../cards/menu.js";
import { laterLines } from "../../cards/settings.js";
import { messageOptions } from "../send.js";
import { type Amount, isZero, NATIVE_TOKEN } from "../../encoding/amount.js";
import { defaultLanguage, languages } from "../../locales/messages.js";
import type { Arrivals } from "../../services/alerts/arrivals.js";
import type { BigTrades } from "../../services/alerts/big-trades.js";
import type { NewPairs } from "../../services/alerts/new-pairs.js";
import type { Orders } from "../../services/alerts/orders.js";
import type { PriceAlerts } from "../../services/alerts/price-alerts.js";
import type { StandingOrders } from "../../services/standing/standing-orders.js";
import type { MenuPart } from "../../cards/buttons.js";
import { changePerson, laterOf, type Person } from "../../services/person/person.js";
import type { Pools } from "../../services/market/pools.js";
import { worthByPools } from "../../services/market/price-tree.js";
import type { BotBase, BotContext } from "../context.js";
import { answering, type Feature } from "../feature.js";
import type { UserHoldings } from "../holdings.js";
import { untilTelegramAnswers, type StartParts } from "../receive/receive.js";
import { editTapped, replyCard, unlessRefused } from "../reply.js";

/** Maximum age of the reserves behind the values shown, in milliseconds. */
const POOLS_MAX_AGE_MS = 60_000;
/** So many fit in a row. */
const MENU_TOKENS = 3;

interface StartFeatureParts {
  readonly arrivals: Pick<Arrivals, "isOn">;
  readonly base: BotBase;
  readonly bigTrades: Pick<BigTrades, "list">;
  readonly holdings: UserHoldings;
  readonly newPairs: Pick<NewPairs, "list">;
  readonly orders: Pick<Orders, "list">;
  readonly pools: Pools;
  readonly priceAlerts: Pick<PriceAlerts, "list">;
  readonly standingOrders: Pick<StandingOrders, "list">;
}

/** `/start` with the parts of the menu, and `/help`. */
export function startFeature(parts: StartFeatureParts): Feature {
  const { base, holdings, pools } = parts;
  const { settings, store, tokens } = base;

  const help = oncePerLanguage((words) => helpCard(words, settings, tokens.all));

  const welcome = oncePerLanguage((words) => welcomeCard(words));

  const homeFor = async ({ person, view }: BotContext, address: string): Promise<Card> => {
    const [graph, held] = await Promise.all([pools.known(POOLS_MAX_AGE_MS), holdings.of(person)]);
    const native = tokens.byId(NATIVE_TOKEN);
    const lines = held
      ?.filter((amount) => !isZero(amount))
      .map((amount) => ({ amount, worth: native && graph && worthByPools(graph, amount, native) }));
    const forgetting = laterOf(person, "forget");
    const notices = forgetting === undefined ? [] : laterLines(forgetting, view);
    return homeCard(address, lines, view, chartedPair(person, held ?? []), person, notices);
  };

  /** The first other token that the user holds or used last, or else of the list, in the native one. */
  const chartedPair = ({ recentTokens }: Person, held: readonly Amount[]): string | undefined => {
    const own = held.filter((amount) => !isZero(amount)).map(({ token }) => token.id);
    const ids = [...own, ...recentTokens, ...tokens.all.map(({ id }) => id)];
    const id = ids.find((each) => each !== NATIVE_TOKEN && tokens.byId(each)?.kind === "fungible");
    return id && `${id}/${NATIVE_TOKEN}`;
  };

  const tokensFor = ({ recentTokens }: Person): string[] => {
    const listed = [NATIVE_TOKEN, ...recentTokens, ...tokens.all.map(({ id }) => id)];
    return [...new Set(listed)].filter((id) => tokens.byId(id)?.kind === "fungible").slice(0, MENU_TOKENS);
  };

  const startCard = ({ person, view, words }: BotContext) =>
    person.frozenSince === undefined ? welcome(words) : welcomeCard(words, frozenLines(person, view));

  const keepPinned = async ({ api, userId, person }: BotContext, home: Card, messageId: number): Promise<void> => {
    const { chatId, homeMessage } = person;
    const edit = (id: number) => unlessRefused(api.editMessageText(chatId, id, home.text, messageOptions(home)));
    if (homeMessage !== undefined && (await edit(homeMessage))) return;
    await store.write((tx) => changePerson(tx, userId, (now) => ({ ...now, homeMessage: messageId })));
    // A refused pin is not an error.
    await unlessRefused(api.pinChatMessage(chatId, messageId, { disable_notification: true }));
  };

  const start = async (ctx: BotContext, typed: string) => {
    // `inline` comes from the button above an inline result; any other payload is not one of the bot's links.
    if (!["", "inline"].includes(typed)) return void (await ctx.reply(ctx.words.share.badLink));
    const { wallet } = ctx.person;
    if (wallet === undefined) return void (await replyCard(ctx, startCard(ctx)));
    const home = await homeFor(ctx, wallet.address);
    await keepPinned(ctx, home, await replyCard(ctx, home));
  };

  return {
    spoken: (ctx, text) => (/^\s*menu\s*$/i.test(text) ? () => start(ctx, "") : undefined),
    unlisted: { menu: start },
    commands: {
      start,
      help: (ctx) => replyCard(ctx, help(ctx.words)),
    },
    buttons: {
      home: answering(async (ctx) => {
        const { wallet } = ctx.person;
        await editTapped(ctx, wallet === undefined ? startCard(ctx) : await homeFor(ctx, wallet.address));
      }),
      menu: answering(async (ctx, part) => {
        const state = await menuState(parts, ctx.userId, part);
        await editTapped(ctx, menuCard(part, state, tokensFor(ctx.person), ctx.person, settings, ctx.view));
      }),
    },
  };
}

/** What is open of a user, for the parts that say it. */
async function menuState(parts: StartFeatureParts, userId: number, part: MenuPart): Promise<MenuState> {
  const { arrivals, bigTrades, newPairs, orders, priceAlerts, standingOrders } = parts;
  if (part === "orders") {
    const [here, watched] = await Promise.all([standingOrders.list(userId), orders.list(userId)]);
    return { orders: { here: here.length, watched: watched.length } };
  }
  if (part !== "alerts") return {};
  const [prices, trades, { least }, isOn] = await Promise.all([
    priceAlerts.list(userId),
    bigTrades.list(userId),
    newPairs.list(userId),
    arrivals.isOn(userId),
  ]);
  const [newPairsOn, pairs] = [least !== undefined, trades.watches.length];
  return { alerts: { prices: prices.length, pairs, newPairs: newPairsOn, arrivals: isOn } };
}

/** Publishes each language's command menu, retrying while Telegram is unreachable. @throws GrammyError if refused. */
export async function publishCommands(api: Api, waiting: StartParts): Promise<void> {
  for (const [language, words] of languages) {
    const commands = commandsOffered(words);
    const inGroups = commandsOffered(words, "groups").map((command) => ({ ...command, is_ephemeral: true }));
    const code = languageCode(language);
    await published(waiting, async () => {
      await api.setMyCommands(commands, code);
      return api.setMyCommands(inGroups, { scope: { type: "all_group_chats" }, ...code });
    });
  }
}

/**
 * Publishes what the bot says of itself, where its operator has written nothing. The default language is last: it stands
 * in for the others as long as they have none. Retries and throws as {@link publishCommands}.
 */
export async function publishDescriptions(api: Api, waiting: StartParts): Promise<void> {
  for (const [language, { about }] of [...languages].toReversed()) {
    const code = languageCode(language);
    await published(waiting, async () => {
      const { description } = await api.getMyDescription(code);
      if (description === "") await api.setMyDescription(about.long, code);
      const { short_description: short } = await api.getMyShortDescription(code);
      if (short === "") await api.setMyShortDescription(about.short, code);
    });
  }
}

const languageCode = (language: string) =>
  language === defaultLanguage ? {} : { language_code: language as LanguageCode };

async function published(waiting: StartParts, publish: () => Promise<unknown>): Promise<void> {
  const trying = () =>
    publish().catch((error: unknown) => {
      if (error instanceof GrammyError && error.error_code < 429 && error.error_code !== 401) return error;
      throw error;
    });
  const answer = await untilTelegramAnswers(trying, waiting);
  if (answer instanceof GrammyError) throw answer;
}
