import { card } from "../cards/card.js";
import { messages, type Messages } from "../locales/messages.js";
import { parseAssetId } from "../encoding/asset.js";
import { Fault } from "../fault.js";
import type { TokenList } from "../services/tokens.js";
import { ask, type Question } from "./ask.js";
import { userIdOf, type Dialog, type DialogContext } from "./dialog.js";
import { finish, type OpenedParts } from "./finish.js";
import { amountQuestion, reading, tokenQuestion, walletQuestion } from "./questions.js";
import type { DialogPerson } from "./swap.js";

export interface LockDialogParts {
  readonly attachMessage: OpenedParts["attachMessage"];
  readonly tokens: TokenList;
  readonly readPerson: (userId: number) => Promise<DialogPerson>;
  readonly saveWallet: (userId: number, address: string) => Promise<void>;
  /** Opens the card for the words behind `/lock`. */
  readonly openLock: OpenedParts["open"];
  /** Opens the card for the words behind `/unlock`. */
  readonly openUnlock: OpenedParts["open"];
}

/** Collects token, amount and unlock time, and ends in a card. */
export function lockDialog(parts: LockDialogParts) {
  return async function lock(dialog: Dialog, ctx: DialogContext): Promise<void> {
    const { userId, person, words } = await begin(parts, dialog, ctx);
    const token = await ask(
      dialog,
      ctx,
      words,
      tokenQuestion(words, parts.tokens, person.recentTokens, words.lock.askToken),
    );
    const amount = await ask(
      dialog,
      ctx,
      words,
      amountQuestion(words, token, person.presets, words.lock.askAmount(token.id)),
    );
    const until = await ask(dialog, ctx, words, oneWord(words.lock.askUntil));
    await finish(
      dialog,
      ctx,
      { open: parts.openLock, attachMessage: parts.attachMessage },
      userId,
      `${amount} ${token.id} ${until}`,
    );
  };
}

/** Collects a locked token and an amount, and ends in a card. */
export function unlockDialog(parts: LockDialogParts) {
  return async function unlock(dialog: Dialog, ctx: DialogContext): Promise<void> {
    const { userId, words } = await begin(parts, dialog, ctx);
    const locked = await ask(dialog, ctx, words, lockedQuestion(words));
    const amount = await ask(dialog, ctx, words, oneWord(words.lock.askUnlockAmount));
    await finish(
      dialog,
      ctx,
      { open: parts.openUnlock, attachMessage: parts.attachMessage },
      userId,
      `${locked} ${amount}`,
    );
  };
}

/** Reads the person, and asks for the payout address where there is none yet. */
async function begin(parts: LockDialogParts, dialog: Dialog, ctx: DialogContext) {
  const userId = userIdOf(ctx);
  const person = await dialog.external(() => parts.readPerson(userId));
  const words = messages[person.language];
  if (!person.hasWallet) {
    const address = await ask(dialog, ctx, words, walletQuestion(words));
    await dialog.external(() => parts.saveWallet(userId, address));
  }
  return { userId, person, words };
}

/** A word that is checked when the card is made, since that takes the node's epoch. */
function oneWord(prompt: string): Question<string> {
  return { prompt: card([prompt]), read: (text) => ({ ok: true, value: text.trim().split(/\s+/)[0] ?? "" }) };
}

function lockedQuestion(words: Messages): Question<string> {
  return {
    prompt: card([words.lock.askLocked]),
    read: reading(words, (text) => {
      if (parseAssetId(text).nonce === undefined) throw new Fault("locked-token-invalid", { text: text.slice(0, 40) });
      return text.trim().toUpperCase();
    }),
  };
}
