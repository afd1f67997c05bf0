import type { InlineKeyboardButton } from "grammy/types";
import { amountsMeant } from "../encoding/amount.js";
import { isFault, type Fault } from "../fault.js";
import type { Messages } from "../locales/messages.js";
import { sentenceOf } from "../locales/sentence.js";
import { buttons } from "./buttons.js";
import { commandButton, shortButton, type Keyboard } from "./card.js";

/** Buttons of one row that can still be read. */
const MAX_MEANINGS = 4;

/** Why something was refused, with buttons for what mends it. Plain JSON, so that a dialog can keep it. */
export interface Refusal {
  readonly sentence: string;
  readonly keyboard?: Keyboard;
}

/** What a person typed, and the button that says it in another way; undefined where no button can carry that. */
export interface Typed {
  readonly line: string;
  readonly says: (label: string, line: string) => InlineKeyboardButton | undefined;
}

/** The words behind a command. */
export function typedBehind(command: string, line: string): Typed {
  return { line, says: (label, mended) => commandButton(label, `${command} ${mended}`.trim()) };
}

/** An answer to a dialog's question. */
export function typedAnswer(line: string): Typed {
  return { line, says: (label, mended) => shortButton(label, buttons.pick, mended) };
}

/** Every reason in a sentence of its own, and the buttons that mend what can be mended. */
export function refusal(faults: readonly Fault[], words: Messages, typed?: Typed): Refusal {
  const sentence = faults.map((fault) => sentenceOf(fault, words)).join("\n");
  const row = [
    ...(typed === undefined ? [] : mendedLines(faults, words, typed)),
    ...[...new Set(faults.flatMap((fault) => mendingCommands(fault, typed?.line ?? "")))].flatMap(
      (command) => commandButton(`/${command.split(" ")[0]}`, command) ?? [],
    ),
  ];
  return row.length === 0 ? { sentence } : { sentence, keyboard: [row] };
}

/** The line as it was probably meant: one button for each thing that a wrong word can mean. */
function mendedLines(faults: readonly Fault[], words: Messages, { line, says }: Typed): InlineKeyboardButton[] {
  const mends = faults.map(meanings);
  if (faults.some(passes)) return [says(words.common.tryAgain, line)].filter((made) => made !== undefined);
  // A line with a mistake that nobody can mend stays wrong.
  if (mends.some(({ meant }) => meant.length === 0)) return [];
  return mends.flatMap(({ text, meant }) =>
    meant.flatMap((word) => {
      const mended = mends.reduce(
        (before, other) => withWord(before, other.text, other.text === text ? word : (other.meant[0] ?? "")),
        line.trim(),
      );
      return mended === line.trim() ? [] : (says(word, mended) ?? []);
    }),
  );
}

/** What a fault's word may mean instead. */
function meanings(fault: Fault): { readonly text: string; readonly meant: readonly string[] } {
  if (isFault(fault, "amount-comma"))
    return { text: fault.parameters.text, meant: amountsMeant(fault.parameters.text) };
  if (isFault(fault, "balance-too-small") && fault.parameters.held !== "0")
    return { text: fault.parameters.needed, meant: ["max"] };
  if (isFault(fault, "limit-in-one-swap")) return { text: fault.parameters.asked, meant: [fault.parameters.most] };
  if (isFault(fault, "limit-in-a-day") && fault.parameters.left !== "0")
    return { text: fault.parameters.asked, meant: [fault.parameters.left] };
  if (isFault(fault, "token-unknown", "token-ambiguous"))
    return { text: fault.parameters.text, meant: fault.parameters.ids.slice(0, MAX_MEANINGS) };
  if (isFault(fault, "unlock-time-ambiguous")) {
    const { digits, date } = fault.parameters;
    return { text: digits, meant: [date, `#${digits}`] };
  }
  return { text: "", meant: [] };
}

/** Whether it may be gone in a moment. */
function passes(fault: Fault): boolean {
  return isFault(
    fault,
    "service-unreachable",
    "service-timeout",
    "service-status",
    "service-rate-limited",
    "too-often",
    "order-not-found",
  );
}

/** The commands, without their slash, by which a person gets out of it. */
function mendingCommands(fault: Fault, line: string): readonly string[] {
  switch (fault.code) {
    case "wallet-missing":
      return ["wallet"];
    case "frozen":
      return ["unfreeze"];
    case "slippage-out-of-range":
      return ["settings"];
    case "limit-in-one-swap":
    case "limit-in-a-day":
      return ["security"];
    case "watches-full":
      return ["orders"];
    case "launches-full":
    case "launch-unknown":
    case "launch-step-not-due":
      return ["launch"];
    case "locks-full":
    case "locked-token-invalid":
    case "locked-token-foreign":
      return ["locks"];
    case "quote-none":
      return [`multihop ${line}`.trim()];
    case "pools-unknown":
      return ["swap"];
    default:
      return [];
  }
}

function withWord(line: string, word: string, instead: string): string {
  return line
    .split(/([\s=]+)/)
    .map((each) => (each === word ? instead : each))
    .join("");
}
