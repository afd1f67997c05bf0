import { InputFile } from "grammy";
import { buttons } from "../../cards/buttons.js";
import { typedBehind } from "../../cards/mends.js";
import { portfolioCard, portfolioFile } from "../../cards/portfolio.js";
import type { Clock } from "../../clock.js";
import type { Token } from "../../encoding/token.js";
import { Fault } from "../../fault.js";
import { createUserRateLimit } from "../../services/limits/rate.js";
import type { ReadPortfolio } from "../../services/portfolio/portfolio.js";
import { swappable } from "../../services/swap/request.js";
import { wordsOf } from "../../services/text/line.js";
import type { TokenList } from "../../services/token/list.js";
import type { BotContext } from "../context.js";
import type { Feature } from "../feature.js";
import type { Holdings } from "../held.js";
import { orSentence, replyOrSentence, replyRefusal } from "../or-sentence.js";
import { editTapped, onTap } from "../tap.js";

const NATIVE_TOKEN = "KLV";
const CHOICES = 3;

export function portfolioFeature(parts: {
  readonly read: ReadPortfolio;
  readonly holdings: Pick<Holdings, "askable">;
  readonly tokens: TokenList;
  readonly clock: Clock;
}): Feature {
  const { read, holdings, tokens } = parts;
  // Each reads a whole history, and asks for a dozen prices.
  const allowance = createUserRateLimit({ clock: parts.clock, burst: 4, refillSeconds: 20 });

  const countedIn = (typed: string): Token => {
    const token = swappable(typed === "" ? NATIVE_TOKEN : typed, tokens);
    if (token.precision === undefined) throw new Fault("token-precision-unknown", { token: token.id });
    return token;
  };

  const portfolioOf = async ({ person, userId }: BotContext, typed: string) => {
    if (person.wallet === undefined) throw new Fault("wallet-missing", {});
    const token = countedIn(typed);
    allowance.take(userId);
    const { address } = person.wallet;
    return read({ userId, person, address }, token, (first, last) =>
      holdings.askable({ ...person, recentTokens: [...first, ...person.recentTokens] }, last),
    );
  };

  const cardFor = async (ctx: BotContext, typed: string) => {
    const portfolio = await portfolioOf(ctx, typed);
    const ids = [NATIVE_TOKEN, ...portfolio.assets.map(({ token }) => token.id), ...tokens.all.map(({ id }) => id)];
    const choices = [...new Set(ids)].filter(
      (id) => id !== portfolio.countedIn.id && tokens.byId(id)?.kind === "fungible" && tokens.byId(id)?.precision,
    );
    return portfolioCard(portfolio, choices.slice(0, CHOICES), ctx.view);
  };

  const sendFile = async (ctx: BotContext, typed: string): Promise<void> => {
    const made = await orSentence(ctx.words, () => portfolioOf(ctx, typed));
    if (!made.ok) return replyRefusal(ctx, made);
    const { fileName, fileCaption } = ctx.words.portfolio;
    const file = new InputFile(portfolioFile(made.value), fileName);
    await ctx.replyWithDocument(file, { caption: fileCaption(made.value.countedIn.id) });
  };

  return {
    name: "portfolio",
    commands: {
      portfolio: async (ctx, typed) => {
        const words = wordsOf(typed);
        const isFile = words.at(-1)?.toLowerCase() === "csv";
        const token = words.slice(0, isFile ? -1 : undefined).join(" ");
        return isFile
          ? sendFile(ctx, token)
          : replyOrSentence(ctx, () => cardFor(ctx, token), typedBehind("portfolio", typed));
      },
    },
    buttons: [
      onTap(buttons.portfolio, async (ctx, id) => {
        const made = await orSentence(ctx.words, () => cardFor(ctx, id));
        return made.ok ? editTapped(ctx, made.value) : replyRefusal(ctx, made);
      }),
      onTap(buttons.portfolioFile, sendFile),
    ],
  };
}
