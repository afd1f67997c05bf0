import { type Api, GrammyError } from "grammy";
import type { LanguageCode } from "grammy/types";
import { type Card, oncePerLanguage } from "../../cards/card.js";
import { commandsOffered, helpCard, homeCard, welcomeCard } from "../../cards/account.js";
import { frozenLines } from "../../cards/freeze.js";
import { messageOptions } from "../send.js";
import { type Amount, isZero, NATIVE_TOKEN } from "../../encoding/amount.js";
import { defaultLanguage, languages } from "../../locales/messages.js";
import { changePerson, type Person } from "../../services/person/person.js";
import type { Config } from "../../config.js";
import type { Pools } from "../../services/market/pools.js";
import { worthByPools } from "../../services/market/price-tree.js";
import type { BotBase, BotContext } from "../context.js";
import { answering, type Feature } from "../feature.js";
import type { UserHoldings } from "../holdings.js";
import { untilTelegramAnswers, type StartParts } from "../receive/receive.js";
import { editTapped, replyCard, unlessRefused } from "../reply.js";

/** Maximum age of the reserves behind the values shown, in milliseconds. */
const POOLS_MAX_AGE_MS = 60_000;

interface StartFeatureParts {
  readonly base: BotBase;
  readonly holdings: UserHoldings;
  readonly pools: Pools;
}

export function startFeature({ base, holdings, pools }: StartFeatureParts): Feature {
  const { settings, store, tokens } = base;

  const help = oncePerLanguage((words) => helpCard(words, settings, tokens.all));

  const welcome = oncePerLanguage((words) => welcomeCard(words));

  const homeFor = async ({ person, view }: BotContext, address: string): Promise<Card> => {
    const [graph, held] = await Promise.all([pools.known(POOLS_MAX_AGE_MS), holdings.of(person)]);
    const native = tokens.byId(NATIVE_TOKEN);
    const lines = held
      ?.filter((amount) => !isZero(amount))
      .map((amount) => ({ amount, worth: native && graph && worthByPools(graph, amount, native) }));
    return homeCard(address, lines, view, chartedPair(person, held ?? []), person);
  };

  /** The first other token that the user holds or used last, or else of the list, in the native one. */
  const chartedPair = ({ recentTokens }: Person, held: readonly Amount[]): string | undefined => {
    const own = held.filter((amount) => !isZero(amount)).map(({ token }) => token.id);
    const ids = [...own, ...recentTokens, ...tokens.all.map(({ id }) => id)];
    const id = ids.find((each) => each !== NATIVE_TOKEN && tokens.byId(each)?.kind === "fungible");
    return id && `${id}/${NATIVE_TOKEN}`;
  };

  const keepPinned = async ({ api, userId, person }: BotContext, home: Card, messageId: number): Promise<void> => {
    const { chatId, homeMessage } = person;
    const edit = (id: number) => unlessRefused(api.editMessageText(chatId, id, home.text, messageOptions(home)));
    if (homeMessage !== undefined && (await edit(homeMessage))) return;
    await store.write((tx) => changePerson(tx, userId, (now) => ({ ...now, homeMessage: messageId })));
    // A refused pin is not an error.
    await unlessRefused(api.pinChatMessage(chatId, messageId, { disable_notification: true }));
  };

  return {
    commands: {
      start: async (ctx, typed) => {
        // `inline` comes from the button above an inline result; any other payload is not one of the bot's links.
        if (!["", "inline"].includes(typed)) return void (await ctx.reply(ctx.words.share.badLink));
        const { wallet } = ctx.person;
        if (wallet === undefined) {
          const isFrozen = ctx.person.frozenSince !== undefined;
          const card = isFrozen ? welcomeCard(ctx.words, frozenLines(ctx.person, ctx.view)) : welcome(ctx.words);
          return void (await replyCard(ctx, card));
        }
        const home = await homeFor(ctx, wallet.address);
        await keepPinned(ctx, home, await replyCard(ctx, home));
      },
      help: (ctx) => replyCard(ctx, help(ctx.words)),
    },
    buttons: {
      home: answering(async (ctx) => {
        const { wallet } = ctx.person;
        if (wallet !== undefined) await editTapped(ctx, await homeFor(ctx, wallet.address));
      }),
    },
  };
}

/** Publishes each language's command menu, retrying while Telegram is unreachable. @throws GrammyError if refused. */
export async function publishCommands(
  api: Api,
  settings: Pick<Config, "nodeFeedUrl">,
  waiting: StartParts,
): Promise<void> {
  for (const [language, words] of languages) {
    const commands = commandsOffered(words, settings);
    const inGroups = commands.map((command) => ({ ...command, is_ephemeral: true }));
    const code = language === defaultLanguage ? {} : { language_code: language as LanguageCode };
    const publish = () =>
      api
        .setMyCommands(commands, code)
        .then(() => api.setMyCommands(inGroups, { scope: { type: "all_group_chats" }, ...code }))
        .catch((error: unknown) => {
          if (error instanceof GrammyError && error.error_code < 429 && error.error_code !== 401) return error;
          throw error;
        });
    const answer = await untilTelegramAnswers(publish, waiting);
    if (answer instanceof GrammyError) throw answer;
  }
}
