import { buttons } from "./buttons.js";
import { addressToBytes } from "../encoding/address.js";
import { amountOf, compareAmounts, type Amount } from "../encoding/amount.js";
import { formatAssetId } from "../encoding/asset.js";
import { formatBps } from "../encoding/percent.js";
import { unlistedToken } from "../encoding/token.js";
import { isProven, type IntentOf } from "../services/intent/intent.js";
import type { DepositMarket, LaunchTerms, LaunchTermsOf, LockVerdict } from "../services/intent/terms.js";
import type { CallStep } from "../services/request.js";
import { stepResult } from "../services/launch/steps.js";
import { isEnough, isFarOff } from "../services/launch/thresholds.js";
import { percent, rateOf, withToken } from "./amount.js";
import { button, code, labelled, line, type Lines, type Rows, type View } from "./card.js";
import { networkFeeLines, type CardKind, type Subject } from "./subject.js";

export const launchCards: CardKind<"launch"> = {
  subject: launchSubject,
  summary: ({ terms }, view) => `🚀 ${titleOf(terms, view)}`,
  moved: (_before, _now, words) => words.intent.superseded,
};

function launchSubject(intent: IntentOf<"launch">, view: View): Subject {
  const { terms } = intent;
  const words = view.words.launch;
  const title = titleOf(terms, view);
  return {
    title,
    decided: title,
    offer: [
      words.todo[terms.step],
      "",
      terms.step !== "create-pair" && labelled(words.pair, code(terms.pair)),
      figuresOf(terms, view),
      networkFeeLines(intent, view),
      terms.callerTravels ? words.caller : words.callerUnknown,
      code(terms.payout),
    ],
    details: [],
    confirm: words.confirm(terms.step),
    otherWay: terms.step === "add-liquidity" ? otherAmounts(terms, view) : undefined,
    done: `✅ ${title}`,
    answered: answered(intent, view),
    kept: words.kept,
    unknownNext: words.unknownNext,
    next: checklistButton(terms.request.launchId, view),
    acknowledgement: acknowledgementOf(terms, view),
  };
}

function titleOf({ step, firstToken, secondToken }: LaunchTerms, { words: { launch } }: View): string {
  return `${launch.steps[step]} · ${firstToken.id} / ${secondToken.id}`;
}

function otherAmounts({ request: { launchId } }: LaunchTerms, { words: { launch } }: View): Subject["otherWay"] {
  const tap = { launchId, action: "do", step: "add-liquidity" } as const;
  return { button: button(launch.otherAmountsButton, buttons.launch, tap), isBetter: false };
}

function acknowledgementOf(terms: LaunchTerms, view: View): Subject["acknowledgement"] {
  const words = view.words.launch;
  if (terms.step === "enable" && terms.verdict === undefined) {
    return { sentences: [words.unchecked], button: view.words.lock.sureButton };
  }
  if (terms.step === "add-liquidity" && terms.market !== undefined && isFarOff(terms.market)) {
    const sentences = [...marketLines(terms.first, terms.market, view), words.marketSure];
    return { sentences, button: words.marketSureButton };
  }
  return undefined;
}

export function marketLines(first: Amount, { worth, differenceBps, loss }: DepositMarket, view: View): string[] {
  const words = view.words.launch;
  const elsewhere = rateOf(first, worth, view.words) ?? withToken(worth, view.words);
  if (differenceBps === 0n) return [words.marketEqual(elsewhere)];
  const difference = percent(formatBps(differenceBps < 0n ? -differenceBps : differenceBps), view.words);
  const differs = differenceBps > 0n ? words.marketAbove : words.marketBelow;
  return [differs(elsewhere, first.token.id, difference), words.marketLoss(withToken(loss, view.words))];
}

/** Leads from the end of a step to the checklist, as a message of its own. */
export function checklistButton(launchId: string, view: View): Rows {
  return [[button(view.words.launch.checklistButton, buttons.launch, { launchId, action: "open" })]];
}

const figures: { readonly [Step in CallStep]: (terms: LaunchTermsOf<Step>, view: View) => Lines } = {
  "create-pair": () => [],
  "issue-lp": ({ lpName: name, lpTicker: ticker }, { words: { launch } }) => [
    labelled(launch.lpToken, launch.lpNamed(name, ticker)),
    "",
  ],
  "set-roles": ({ lpTokenId }, { words: { launch } }) => [lpTokenId && labelled(launch.lpToken, lpTokenId), ""],
  "add-liquidity": (terms, view) => [depositLines(terms, view), ""],
  enable: ({ locked, amount, verdict }, view) => {
    const words = view.words.launch;
    return [
      labelled(words.youShow, `${formatAssetId(locked)}: ${withToken(amount, view.words)}`),
      words.comesBack,
      "",
      verdict === undefined ? words.unchecked : verdictLines(verdict, view),
      "",
    ];
  },
};

function figuresOf<Step extends CallStep>(terms: LaunchTermsOf<Step>, view: View): Lines {
  return figures[terms.step](terms, view);
}

function depositLines({ first, second, worth, market }: LaunchTermsOf<"add-liquidity">, view: View): Lines {
  const { launch: words, swap } = view.words;
  const price = rateOf(first, second, view.words);
  const [least, minimum] = worth ? [withToken(worth.least, view.words), withToken(worth.minimum, view.words)] : [];
  return [
    labelled(swap.youPay, withToken(first, view.words)),
    labelled(swap.youPay, withToken(second, view.words)),
    price && labelled(words.firstPrice, price),
    market === undefined ? words.marketPrice : marketLines(first, market, view),
    least && minimum && ["", words.worth(least, minimum)],
    minimum && worth && compareAmounts(worth.least, worth.minimum) <= 0 && words.worthTooLittle(minimum),
  ];
}

function answered(intent: IntentOf<"launch">, view: View): Lines | undefined {
  const words = view.words.launch;
  const result = stepResult(intent, view.returnDataEncoding);
  if (result === undefined) return undefined;
  const { pair, lpTokenId, lpUnits } = result;
  const received = isProven(intent) ? view.words.swap.received : view.words.intent.reported;
  return [
    pair && labelled(words.pair, code(pair)),
    pair && labelled(words.pairHex, code(Buffer.from(addressToBytes(pair)).toString("hex"))),
    // Nobody has listed a token that was issued a moment ago.
    lpTokenId !== undefined &&
      lpUnits !== undefined &&
      labelled(received, withToken(amountOf(unlistedToken(lpTokenId), lpUnits), view.words)),
  ];
}

/** How a lock stands against the router's conditions for enabling swaps, and why the bot waits where it does. */
export function verdictLines(verdict: LockVerdict, view: View): Lines {
  const words = view.words.launch;
  const { value, minimumValue, period, minimumPeriod } = verdict;
  const [worth, minimum] = [withToken(value, view.words), withToken(minimumValue, view.words)];
  const row = (label: string, text: string, isAbove: boolean, minimum: string | bigint) =>
    line(isAbove ? "✅ " : "❌ ", labelled(label, text), ` (${words.mustExceed(minimum)})`);
  return [
    row(words.lockedValue, worth, compareAmounts(value, minimumValue) > 0, minimum),
    row(words.lockedFor, words.epochs(period), period > minimumPeriod, minimumPeriod),
    isEnough(verdict) ? words.isEnough : [words.isNotEnough, words.strictly],
  ];
}
