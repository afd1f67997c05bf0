import { card, button, type Card } from "../cards/card.js";
import { parseContractAddress } from "../encoding/address.js";
import type { Token } from "../encoding/token.js";
import type { LaunchStep } from "../model/launch.js";
import { readLpName, readLpTicker, suggestedLpName } from "../services/launch/names.js";
import type { TokenList } from "../services/tokens.js";
import type { Question } from "./ask.js";
import { lead, type CardDialogParts, type Led } from "./card-dialog.js";
import { userIdOf, type Dialog, type DialogContext } from "./dialog.js";
import type { Opened } from "./opened.js";
import { amountQuestion, reading, tokenQuestion, walletQuestion } from "./questions.js";
import { replyCard } from "./reply-card.js";

/** A card of a launch: a checklist, or the card of a step with its intent. */
export type LaunchShown = Opened | { readonly ok: true; readonly card: Card };

/** What these dialogs ask of the world. None of it sends anything to the chain. */
export interface LaunchDialogParts
  extends Pick<CardDialogParts, "tokens" | "readPerson" | "saveWallet" | "attachMessage"> {
  /** Begins a launch from the words behind `/launch`. */
  readonly start: (userId: number, typed: string) => Promise<LaunchShown>;
  readonly tokensOf: (userId: number, launchId: string) => Promise<readonly [Token, Token] | undefined>;
  readonly planLiquidity: (userId: number, launchId: string, first: string, second: string) => Promise<LaunchShown>;
  /** Takes the person's word that a step is done. */
  readonly acknowledge: (userId: number, launchId: string, step: LaunchStep, pair?: string) => Promise<LaunchShown>;
}

/** Asks for the payout address where there is none, the two tokens and what the LP token is called; ends in the checklist. */
export function launchDialog(parts: LaunchDialogParts) {
  return async (dialog: Dialog, ctx: DialogContext, typed?: string): Promise<void> => {
    const userId = userIdOf(ctx);
    const led = await lead(parts, dialog, ctx);
    if (!led.person.hasWallet) {
      const address = await led.asks(walletQuestion(led.words));
      await dialog.external(() => parts.saveWallet(userId, address));
    }
    const line = typed ?? (await collect(led, parts.tokens));
    await showLaunch(parts, dialog, ctx, () => parts.start(userId, line));
  };
}

/** Asks for both amounts of the first deposit. */
export function launchLiquidityDialog(parts: LaunchDialogParts) {
  return async (dialog: Dialog, ctx: DialogContext, launchId: string): Promise<void> => {
    const userId = userIdOf(ctx);
    const { person, words, asks } = await lead(parts, dialog, ctx);
    // The dialog keeps JSON, which has no undefined: of a launch that was dropped there are no tokens.
    const tokens = await dialog.external(async () => (await parts.tokensOf(userId, launchId)) ?? []);
    const amounts: string[] = [];
    for (const token of tokens) {
      const question = words.launch.askLiquidity(token.id);
      amounts.push(await asks(amountQuestion(words, token, person.presets, question)));
    }
    const [first = "", second = ""] = amounts;
    await showLaunch(parts, dialog, ctx, () => parts.planLiquidity(userId, launchId, first, second));
  };
}

/** Asks for the address of a pair whose creation had no clear answer. */
export function launchPairDialog(parts: LaunchDialogParts) {
  return async (dialog: Dialog, ctx: DialogContext, launchId: string): Promise<void> => {
    const userId = userIdOf(ctx);
    const { words, asks } = await lead(parts, dialog, ctx);
    const pair = await asks({ prompt: card([words.launch.askPair]), read: reading(words, parseContractAddress) });
    await showLaunch(parts, dialog, ctx, () => parts.acknowledge(userId, launchId, "create-pair", pair));
  };
}

/** Shows what a dialog ended in, and notes the message of a card that can be confirmed. */
export async function showLaunch(
  parts: Pick<LaunchDialogParts, "attachMessage">,
  dialog: Dialog,
  ctx: DialogContext,
  show: () => Promise<LaunchShown>,
): Promise<void> {
  const shown = await dialog.external(show);
  if (!shown.ok) {
    await ctx.reply(shown.sentence);
    return;
  }
  const messageId = await replyCard(ctx, shown.card);
  if (!("intentId" in shown)) return;
  await dialog.external(() => parts.attachMessage(userIdOf(ctx), shown.intentId, messageId));
}

/** A question whose likely answer is offered as a button. */
export function suggesting<Value>(
  lines: readonly string[],
  suggestion: string | undefined,
  read: Question<Value>["read"],
): Question<Value> {
  return { prompt: card(lines, suggestion === undefined ? [] : [[button(suggestion, "pick", suggestion)]]), read };
}

/** The words behind `/launch`: both tokens, the ticker, the name. */
async function collect({ person, words, asks }: Led, tokens: TokenList): Promise<string> {
  const { recentTokens } = person;
  const first = await asks(tokenQuestion(words, tokens, recentTokens, words.launch.askFirst));
  const second = await asks(tokenQuestion(words, tokens, recentTokens, words.launch.askSecond(first.id), first));
  const suggested = suggestedLpName(first, second);
  const ticker = await asks(suggesting([words.launch.askTicker], suggested, reading(words, readLpTicker)));
  const name = await asks(suggesting([words.launch.askName], ticker, reading(words, readLpName)));
  return `${first.id} ${second.id} ${ticker} ${name}`;
}
