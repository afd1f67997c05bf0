import { InputFile } from "grammy";
import type { Logger } from "pino";
import { buttons, type PortfolioForm } from "../../cards/buttons.js";
import { typedBehind } from "../../cards/correction.js";
import { portfolioCard, portfolioFile, portfolioPicture } from "../../cards/portfolio.js";
import { replyCard } from "../../conversations/reply-card.js";
import type { Clock } from "../../clock.js";
import type { Token } from "../../encoding/amount.js";
import { Fault } from "../../fault.js";
import { createUserRateLimit } from "../../services/limits/rate.js";
import { type Portfolio, type ReadPortfolio, noteValue, valuesOf } from "../../services/portfolio/portfolio.js";
import { swappable } from "../../services/swap/request.js";
import { wordsOf } from "../../services/text/line.js";
import type { TokenList } from "../../services/token/list.js";
import type { Database } from "../../store/store.js";
import type { BotContext } from "../context.js";
import type { Feature } from "../feature.js";
import type { Holdings } from "../held.js";
import { catchUserError, replyRefusal } from "../user-error.js";
import { showPicture } from "../send.js";
import { editTapped, onTap } from "../tap.js";

const NATIVE_TOKEN = "KLV";
const CHOICES = 3;

export function portfolioFeature(parts: {
  readonly read: ReadPortfolio;
  readonly holdings: Pick<Holdings, "askable">;
  readonly tokens: TokenList;
  readonly store: Database;
  readonly clock: Clock;
  readonly log: Logger;
}): Feature {
  const { read, holdings, tokens, store, log } = parts;
  // Each reads a whole history, and asks for a dozen prices.
  const rateLimit = createUserRateLimit({ clock: parts.clock, burst: 4, refillSeconds: 20 });

  const countedIn = (typed: string): Token => {
    const token = swappable(typed === "" ? NATIVE_TOKEN : typed, tokens);
    if (token.precision === undefined) throw new Fault("token-precision-unknown", { token: token.id });
    return token;
  };

  const portfolioOf = async ({ person, userId }: BotContext, typed: string) => {
    if (person.wallet === undefined) throw new Fault("wallet-missing", {});
    const token = countedIn(typed);
    rateLimit.take(userId);
    const { address } = person.wallet;
    const portfolio = await read({ userId, person, address }, token, (first, last) =>
      holdings.askable({ ...person, recentTokens: [...first, ...person.recentTokens] }, last),
    );
    await store
      .write((tx) => noteValue(tx, userId, portfolio))
      .catch((err: unknown) => log.warn({ err }, "Portfolio value not recorded"));
    return portfolio;
  };

  const choicesBeside = ({ countedIn: { id: chosen }, assets }: Portfolio): string[] => {
    const all = [NATIVE_TOKEN, ...assets.map(({ token }) => token.id), ...tokens.all.map(({ id }) => id)];
    const isChoice = ({ id, kind, precision }: Token) =>
      id !== chosen && kind === "fungible" && precision !== undefined;
    const known = [...new Set(all)].map(tokens.byId).filter((token) => token !== undefined);
    return known
      .filter(isChoice)
      .slice(0, CHOICES)
      .map(({ id }) => id);
  };

  const show = async (ctx: BotContext, typed: string, as: PortfolioForm): Promise<void> => {
    const made = await catchUserError(ctx.words, () => portfolioOf(ctx, typed), typedBehind("portfolio", typed));
    if (!made.ok) return replyRefusal(ctx, made);
    if (as === "csv") {
      const { fileName, fileCaption } = ctx.words.portfolio;
      const caption = fileCaption(made.value.countedIn.id);
      return void (await ctx.replyWithDocument(new InputFile(portfolioFile(made.value), fileName), { caption }));
    }
    if (as === "picture") {
      const drawn = portfolioPicture(await valuesOf(store.db, ctx.userId, made.value.countedIn), ctx.view);
      return drawn === undefined ? void (await ctx.reply(ctx.words.portfolio.notYet)) : showPicture(ctx, drawn, log);
    }
    const shown = portfolioCard(made.value, choicesBeside(made.value), ctx.view);
    await (ctx.callbackQuery === undefined ? replyCard(ctx, shown) : editTapped(ctx, shown));
  };

  return {
    name: "portfolio",
    commands: {
      portfolio: (ctx, typed) => {
        const words = wordsOf(typed);
        const isFile = words.at(-1)?.toLowerCase() === "csv";
        return show(ctx, words.slice(0, isFile ? -1 : undefined).join(" "), isFile ? "csv" : "card");
      },
    },
    buttons: [onTap(buttons.portfolio, (ctx, { tokenId, as }) => show(ctx, tokenId, as))],
  };
}
