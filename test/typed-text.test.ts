import { expect, it } from "vitest";
import { replyAmount } from "../src/bot/intents/buttons.js";
import { settingQuestion, type Setting } from "../src/conversations/settings.js";
import { ADDRESS_LIKE, parseAddress } from "../src/encoding/address.js";
import {
  amountsMeant,
  parseAmount,
  plainAmount,
  plainNumbers,
  parseBps,
  parseShare,
  parseUntil,
} from "../src/encoding/typed.js";
import { parseAssetId } from "../src/encoding/amount.js";
import { messages } from "../src/locales/messages.js";
import { people } from "./support/documents.js";
import { readQuietHours } from "../src/services/person/quiet-hours.js";
import { readOrderId } from "../src/services/alerts/exchange-client.js";
import { withLimit } from "../src/services/intent/limits.js";
import { readLaunchStart, readLpName, readLpTicker } from "../src/services/trade/launch-request.js";
import { readLock, readLockedAsset, readUnlock } from "../src/services/trade/lock-request.js";
import { readMultihop, readPay, readSwap } from "../src/services/trade/swap-request.js";
import { readDca } from "../src/services/standing/dca-request.js";
import { readLimit, readSpokenOrder, readStopLoss } from "../src/services/standing/standing-request.js";
import { plainText, sanitizeForDisplay } from "../src/services/base/display-text.js";
import { tokenListOf } from "../src/services/market/token-list.js";
import { splitWords } from "../src/services/base/typed-line.js";
import { looksLikeSecret } from "../src/services/base/secret.js";
import { readZone } from "../src/services/person/typed-zone.js";
import { parseWatchOnlyName } from "../src/services/person/watch-only.js";
import { longTexts } from "./support/long-texts.js";
import { kfi, klv } from "./services/samples.js";

const tokens = tokenListOf([klv, kfi]);
const settings: Record<Setting, true> = {
  slippage: true,
  presets: true,
  timezone: true,
  quiet: true,
  limit: true,
  phrase: true,
};

/** Everything that reads what a user typed. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  address: parseAddress,
  "name of an address": (text) => parseWatchOnlyName(text, tokens.knows),
  "like an address": (text) => ADDRESS_LIKE.test(text),
  amount: (text) => parseAmount(text, klv),
  "plain numbers": (text) => plainNumbers(text, ","),
  "plain amount": (text) => plainAmount(text, "KLV"),
  "amount with commas": amountsMeant,
  "amount in a reply": (text) =>
    replyAmount({ intents: { inMessage: () => Promise.resolve(undefined) } } as never)(
      { message: { text, reply_to_message: {} }, words: messages.en } as never,
      () => Promise.resolve(),
    ),
  "amount or share": (text) => readPay(text, klv),
  share: parseShare,
  percent: parseBps,
  asset: parseAssetId,
  "locked asset": readLockedAsset,
  token: tokens.find,
  "unlock time": parseUntil,
  "order id": readOrderId,
  limit: (text) => withLimit(people.create("1"), text, tokens, 0),
  "quiet hours": readQuietHours,
  "time zone": readZone,
  "LP ticker": readLpTicker,
  "LP name": readLpName,
  words: splitWords,
  swap: (text) => readSwap(text, tokens),
  multihop: (text) => readMultihop(text, tokens),
  lock: (text) => readLock(text, tokens),
  unlock: (text) => readUnlock(text, tokens),
  launch: (text) => readLaunchStart(text, tokens),
  "limit order": (text) => readLimit(text, tokens),
  "stop loss": (text) => readStopLoss(text, tokens),
  "regular order": (text) => readDca(text, tokens),
  "spoken order": (text) => readSpokenOrder(text, tokens),
  "plain text": (text) => plainText(text, 200),
  "shown text": sanitizeForDisplay,
  secret: looksLikeSecret,
  ...Object.fromEntries(
    Object.keys(settings).map((setting) => [
      `setting ${setting}`,
      settingQuestion(setting as Setting, messages.en, { maxSlippageBps: 1500, tokens }).read,
    ]),
  ),
};

/**
 * The shortest of several tries, as a busy machine slows some of them. It tries again, up to a limit, until one takes
 * at most `enough`, but not if a try took far too long.
 */
function millisecondsOf(read: (text: string) => unknown, text: string, enough = Number.POSITIVE_INFINITY): number {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 5 || (least > enough && least < 100 && tries < 100); tries += 1) {
    if (tries > 0 && least > 1000) break;
    const begun = performance.now();
    try {
      read(text);
    } catch {
      // Refused, as it should be.
    }
    least = Math.min(least, performance.now() - begun);
  }
  return least;
}

const [LONG, SHORT] = [4096, 64];
/** The longer text may take as many times longer as it is longer, plus half. */
const MAX_GROWTH = 1.5 * (LONG / SHORT);
/** Shorter times can't be measured reliably. */
const LEAST_MS = 0.05;

it.each(Object.entries(readers))("reading takes time in proportion to the text's length: %s", (_, read) => {
  const short = longTexts(SHORT);
  let slow = "";
  for (const [name, text] of longTexts(LONG)) {
    const least = Math.max(millisecondsOf(read, short.get(name)!), LEAST_MS);
    const took = millisecondsOf(read, text, MAX_GROWTH * least);
    if (took > MAX_GROWTH * least)
      slow = `${name}: ${took.toFixed(1)} ms, and ${least.toFixed(3)} ms for ${SHORT} characters`;
    if (slow !== "") break;
  }
  expect(slow).toBe("");
});
