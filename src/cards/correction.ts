import { isIssuedId } from "../encoding/amount.js";
import { grouped } from "../encoding/decimal.js";
import { isNumeric, parseBps, plainAmount } from "../encoding/typed.js";
import { isFault, OUTAGES, type Fault, type FaultCode, type FaultParameters } from "../fault.js";
import { type Messages, errorMessage } from "../locales/messages.js";
import { LEAST_BPS } from "../services/alerts/price-alert-request.js";
import { WHAT_IT_TAKES } from "../services/terms/swap-terms.js";
import type { Parsed } from "../services/base/typed-line.js";
import { button, buttons, commandButton, shortButton } from "./buttons.js";
import { card, type Card, type ButtonRows } from "./card.js";

const passing = [...OUTAGES, "node-refused", "too-often", "order-not-found"] as const;

const MAX_MEANINGS = 4;
/** A larger number is a price rather than a percentage. */
const MAX_OFFERED_BPS = 10_000;

/** What the user typed. `says` makes a button for a corrected line; undefined if that doesn't fit in a button. */
export interface Typed {
  readonly line: string;
  readonly says: (label: string, line: string) => ButtonRows[number][number];
}

export function typedBehind(command: string, line: string): Typed {
  return { line, says: (label, corrected) => commandButton(label, `${command} ${corrected}`.trim()) };
}

export function typedAnswer(line: string): Typed {
  return { line, says: (label, corrected) => shortButton(label, buttons.pick, corrected) };
}

export function refusal(faults: readonly Fault[], words: Messages, typed?: Typed): Card {
  const sentences = faults.map((fault) => errorMessage(fault, words));
  const longer = `multihop ${typed?.line ?? ""}`.trim();
  const commands = new Set(faults.map(({ code }) => (code === "quote-none" ? longer : mendingOf(code))));
  const corrected = typed === undefined ? [] : correctedLines(faults, words, typed);
  const others = [...commands].map((line) => line !== undefined && commandButton(`/${line.split(" ")[0]}`, line));
  const spendsAll = typed && faults.map((fault) => spendAllButton(fault, typed));
  return card(sentences, [
    [...corrected, ...faults.map((fault) => largerButton(fault, words)), ...(spendsAll ?? []), ...others],
    faults.flatMap(choiceButtons),
    faults.map(unlistedButton),
  ]);
}

/** If an exact amount costs more than the user holds, what they hold can be spent. */
function spendAllButton(fault: Fault, { line }: Typed) {
  const [, from, to] = EXACT.exec(line) ?? [];
  if (from === undefined || !isFault(fault, "balance-too-small")) return undefined;
  return commandButton(`max ${from} → ${to}`, `swap max ${from} ${to}`);
}
const EXACT = new RegExp(`^${WHAT_IT_TAKES} (\\S+) (\\S+)=`);

/** A token that isn't on the list has a card all the same. */
function unlistedButton(fault: Fault) {
  if (!isFault(fault, "token-unknown") || fault.parameters.ids.length > 0) return undefined;
  const id = fault.parameters.text.toUpperCase();
  return isIssuedId(id) ? button(id, buttons.token, id) : undefined;
}

function choiceButtons(fault: Fault) {
  if (!isFault(fault, "trade-unclear")) return [];
  return fault.parameters.choices.map(({ label, command }) => commandButton(label, command));
}

function largerButton(fault: Fault, { decimalMark }: Messages) {
  if (!isFault(fault, "alert-too-fine")) return undefined;
  const { larger, token, line } = fault.parameters;
  return commandButton(`${grouped(larger, decimalMark)} ${token}`, `alert ${line}`);
}

/** Says why a typed line can't be used. @param usage how to type it. */
export function unreadableLine(read: Parsed<never>, words: Messages, usage: string, typed?: Typed): Card {
  return typeof read === "string" ? card([usage]) : refusal(read.faults, words, typed);
}

/** Returns one button for each likely meaning of a wrong word. */
function correctedLines(faults: readonly Fault[], words: Messages, { line, says }: Typed) {
  const corrections = faults.map((fault) => meaningsOf(fault, words));
  if (faults.some((fault) => isFault(fault, ...passing))) return [says(words.common.tryAgain, line)];
  // A line with even one mistake that has no correction would stay wrong.
  if (corrections.some(([, meant]) => meant.length === 0)) return [];
  return corrections.flatMap(([text, meant]) =>
    meant.map((word) => {
      const corrected = corrections.reduce(
        (before, [other, [likeliest = ""]]) => withWord(before, other, other === text ? word : likeliest),
        line.trim(),
      );
      const label = word.replace(/(?<=[0-9])\.(?=[0-9])/g, words.decimalMark);
      return corrected === line.trim() ? undefined : says(label, corrected);
    }),
  );
}

type Meanings = readonly [text: string, meant: readonly string[]];

const meanings: {
  readonly [Code in FaultCode]?: (parameters: FaultParameters[Code], words: Messages) => Meanings;
} = {
  "alert-without-direction": ({ text, price }, { priceAlert }) => {
    const bps = parseBps(price) ?? 0;
    const percent = bps >= LEAST_BPS && bps <= MAX_OFFERED_BPS ? [`${price}%`] : [];
    return [text, [`${priceAlert.wayAbove} ${price}`, `${priceAlert.wayBelow} ${price}`, ...percent]];
  },
  "amount-comma": ({ text, meant }) => [text, meant],
  "amount-unclear": ({ text, asked, share }) => [text, [asked, share]],
  "share-too-large": ({ text }) => [text, ["max"]],
  "payout-own": ({ text, meant }) => [text, meant],
  "balance-too-small": ({ held, needed }) => [needed, held === "0" ? [] : ["max"]],
  "limit-day-below": ({ text, meant }) => [text, meant],
  "limit-per-transaction": ({ asked, most }) => [asked, [most]],
  "limit-per-day": ({ asked, left }) => [asked, left === "0" ? [] : [left]],
  "token-unknown": ({ text, ids }) => [text, ids.slice(0, MAX_MEANINGS)],
  "token-nonexistent": ({ token, ids }) => [token, ids.slice(0, MAX_MEANINGS)],
  "token-ambiguous": ({ text, ids }) => [text, ids.slice(0, MAX_MEANINGS)],
  "unlock-time-past": ({ text }) => [text, ["7d", "30d", "90d", "1y"]],
  "unlock-epoch-past": ({ text, epoch }) => [text, [`${epoch}d`, `#${epoch}`]],
  "unlock-time-months": ({ text, days }) => [text, [days]],
  "unlock-time-ambiguous": ({ digits, date }) => [digits, [date, `#${digits}`]],
};

function meaningsOf({ code, parameters }: Fault, words: Messages): Meanings {
  // A fault's parameters fit its code, but the compiler can't follow that across the union of all codes.
  const find = meanings[code] as ((of: Fault["parameters"], words: Messages) => Meanings) | undefined;
  return find?.(parameters, words) ?? ["", []];
}

/** Faults by the command that fixes them. */
const mending: Readonly<Record<string, readonly FaultCode[]>> = {
  wallet: ["wallet-missing"],
  unfreeze: ["frozen"],
  settings: ["slippage-out-of-range"],
  security: ["limit-per-transaction", "limit-per-day"],
  orders: ["watches-full"],
  alerts: ["alerts-full"],
  addresses: ["watch-only-full"],
  signals: ["link-full", "link-named"],
  launch: ["launches-full", "launch-unknown", "launch-step-not-due"],
  locks: ["locks-full", "locked-token-invalid", "locked-token-foreign"],
  swap: ["pools-unknown"],
};

const mendingOf = (code: FaultCode) => Object.keys(mending).find((command) => mending[command]?.includes(code));

/** @param word may be the whole line, or a number with a token's name right behind it. */
function withWord(line: string, word: string, instead: string): string {
  if (line === word) return instead;
  const replaced = (piece: string) => {
    if (piece === word || plainAmount(piece, "") === word) return instead;
    const name = isNumeric(word) && piece.startsWith(word) ? piece.slice(word.length) : "";
    return /^\p{L}/u.test(name) ? instead + name : piece;
  };
  return line
    .split(/([\s=/]+)/)
    .map(replaced)
    .join("");
}
