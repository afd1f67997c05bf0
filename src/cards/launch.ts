import { buttons, button, giving } from "./buttons.js";
import { wireBody, type ContractCall } from "../encoding/call.js";
import type { Launch } from "../services/trade/launch-record.js";
import type { DepositMarket, LaunchStep, LaunchTerms, LockVerdict } from "../services/terms/launch-terms.js";
import { launchSteps } from "../services/terms/launch-terms.js";
import type { Checklist } from "../services/trade/launch.js";
import { isFarOff, isEnough } from "../services/trade/launch-facts.js";
import { isShownDone, stepResult } from "../services/trade/launch-steps.js";
import { withToken, rateOf, percentOfBps } from "./amount.js";
import { card, bold, code, labelled, line, linesIn, say, momentOf } from "./card.js";
import type { Card, ButtonRows, View, Line, Lines } from "./card.js";
import { addressToBytes } from "../encoding/address.js";
import { amountOf, compareAmounts, type Amount, formatAssetId } from "../encoding/amount.js";
import type { IntentOf } from "../services/intent/intent.js";
import { errorMessage } from "../locales/messages.js";
import { durationOf } from "./duration.js";
import { returnUnknownLine } from "./rights.js";
import { type CardKind, type Subject, receivedLine } from "./subject.js";

export function launchesCard(launches: readonly Launch[], { words: { launch: words } }: View): Card {
  const lines = [bold(words.listTitle), "", words.usage, code("/launch KLV DVK-34ZH")];
  return card(lines, [
    ...launches.map((launch) => [toLaunch(`${launch.firstToken.id} / ${launch.secondToken.id}`, launch, "open")]),
    [button(words.newButton, buttons.launch, "new")],
  ]);
}

export function launchCard(checklist: Checklist, view: View): Card {
  const { launch, current } = checklist;
  const words = view.words.launch;
  const named = lpNamed(launch, view);
  const trade = `/swap 1 ${launch.firstToken.id} ${launch.secondToken.id}`;
  const lines: Lines = [
    bold(words.title(launch.firstToken.id, launch.secondToken.id)),
    launch.pair && labelled(words.pair, code(launch.pair)),
    line(`${words.lpToken}: `, launch.lpTokenId ? [code(launch.lpTokenId), ` (${named})`] : named),
    "",
    launchSteps.map((step, index) => stepLine(step, index, checklist, view)),
    "",
    !checklist.facts.isReachable && [words.notReachable, ""],
    current ? currentLines(current, checklist, view) : [words.complete, code(trade), words.completeLock],
    "",
    say(words.checked, momentOf(checklist.checkedAt, view, "time")),
  ];
  const always = [toLaunch(words.checkButton, launch, "check"), toLaunch(words.dropButton, launch, "drop")];
  return card(lines, [...(current ? currentButtons(current, checklist, view) : []), always]);
}

export function dropLaunchCard(launch: Launch, { words: { launch: words, common } }: View): Card {
  const lines = [bold(words.dropTitle(launch.firstToken.id, launch.secondToken.id)), words.dropExplain];
  return card(lines, [[giving(toLaunch(words.dropSure, launch, "dropped"))], [toLaunch(common.back, launch, "check")]]);
}

function toLaunch(text: string, { id }: Launch, action: "open" | "check" | "drop" | "dropped") {
  return button(text, buttons.launch, { launchId: id, action });
}

const signs = { next: "▶️", unseen: "▶️", "under-way": "⏳", unknown: "⚠️" } as const;

function stepLine(step: LaunchStep, index: number, { done, current, state }: Checklist, { words }: View): Line {
  const name = `${index + 1}. ${words.launch.steps[step]}`;
  const by = done[index];
  if (by !== undefined) return `✅ ${name} · ${words.launch.evidence[by]}`;
  return step === current && state ? line(`${signs[state]} `, bold(name)) : `▫️ ${name}`;
}

function currentLines(step: LaunchStep, checklist: Checklist, view: View): Lines {
  const words = view.words.launch;
  const { state, facts, obstacles, canDo, isReturnUnknown, manualCall, market, launch, stuck } = checklist;
  const { first, second } = launch.liquidity ?? {};
  const paid = second && market?.worth.token.id === second.token.id ? first : second;
  return [
    state === "under-way" && words.underWay,
    state === "unknown" && [facts.isReachable ? words.unknown : words.unknownUnasked, words.unknownAsk],
    (state === "next" || state === "unseen") && words.todo[step],
    state === "unseen" && words.unseen,
    conditionLines(step, checklist, view),
    obstacles.map((obstacle) => [
      "",
      obstacle.kind === "other-adder"
        ? [words.otherAdder(obstacle.adder), !obstacle.isCertain && words.otherAdderMaybe]
        : words.obstacle[obstacle.kind],
    ]),
    stuck && ["", errorMessage(stuck, view.words)],
    isReturnUnknown && ["", returnUnknownLine([launch.firstToken, launch.secondToken], view)],
    canDo && manualCall && manualLines(manualCall, isShownDone(step, facts) !== undefined, view),
    manualCall && paid && market && ["", marketLines(paid, market, view), isFarOff(market) && words.marketSure],
  ];
}

function lpNamed({ lpName, lpTicker }: Pick<Launch, "lpName" | "lpTicker">, { words: { launch } }: View): string {
  return lpName === lpTicker ? lpName : launch.lpNamed(lpName, lpTicker);
}

function conditionLines(step: LaunchStep, { conditions, facts, lock, obstacles }: Checklist, view: View): Lines {
  const words = view.words.launch;
  const isToldWhyNot = obstacles.some(({ kind }) => kind === "no-config" || kind === "no-common-token");
  if (conditions === undefined) return isToldWhyNot || !facts.isReachable ? [] : ["", words.conditionsUnknown];
  const { minimumValue, minimumPeriod } = conditions;
  const { epochMilliseconds: length } = facts;
  // oxlint-disable-next-line money/no-floating-point -- a count of epochs, never an amount
  const about = length === undefined ? undefined : durationOf(Number(minimumPeriod) * length, view);
  const stated = words.conditions(withToken(minimumValue, view.words), words.epochs(minimumPeriod), about);
  const verdict = step === "lock" || step === "enable" ? lock?.verdict : undefined;
  return ["", stated, verdict && ["", verdictLines(verdict, view)]];
}

/** Exact values for a call that users make in their own wallet, in the interface's notation. */
function manualLines(call: ContractCall, isShown: boolean, { words: { launch: words } }: View): Lines {
  const { scAddress, funcName, args, value } = wireBody(call);
  return [
    "",
    words.manual,
    labelled(words.manualContract, code(scAddress)),
    labelled(words.manualFunction, code(funcName)),
    line(`${words.manualArguments}:`, args.length === 0 ? ` ${words.manualNone}` : args.map((arg) => [" ", code(arg)])),
    line(`${words.manualPayment}: `, value === undefined ? words.manualNone : code(value)),
    isShown ? words.manualCheck : words.manualWord,
  ];
}

function currentButtons(step: LaunchStep, checklist: Checklist, { words: { launch: words } }: View): ButtonRows {
  const { launch, done, state, canDo, isManual, manualCall, facts } = checklist;
  const act = (text: string, action: "do" | "did" | "not", of = step) =>
    button(text, buttons.launch, { launchId: launch.id, action, step: of });
  // Only steps that the user merely reported can be undone, the last one first.
  const last = launchSteps[done.length - 1];
  const isWord = last !== "lock" && done.at(-1) === "word";
  const undo = last && isWord && act(words.undoButton(inSentence(words.steps[last])), "not", last);
  if (state === "unknown") {
    return [[act(words.carriedOutButton, "did"), act(words.notCarriedOutButton, "not")], [undo]];
  }
  const isByHand = canDo && isManual;
  const enter = manualCall === undefined ? words.amountsButton : words.otherAmountsButton;
  const needsWord = manualCall !== undefined && isShownDone(step, facts) === undefined;
  return [
    [canDo && !isManual && act(`▶️ ${words.steps[step]}`, "do")],
    [isByHand && step === "add-liquidity" && act(enter, "do")],
    [isByHand && needsWord && act(words.doneButton, "did")],
    [step === "lock" && act(words.lockedElsewhereButton, "did")],
    [undo],
  ];
}

export const launchCards: CardKind<"launch"> = {
  subject: (intent, view) => {
    const { terms } = intent;
    const words = view.words.launch;
    const title = stepTitle(terms, view);
    const { figures, ...asked } = figuresOf(terms, view);
    const pair = terms.step !== "create-pair" && labelled(words.pair, code(terms.pair));
    return {
      title,
      offer: [words.todo[terms.step], "", pair, figures && [figures, ""]],
      withOffer: [terms.callerTravels ? words.caller : words.callerUnknown, code(terms.payout)],
      account: [],
      confirm: words.confirm(inSentence(words.steps[terms.step])),
      done: `✅ ${title}`,
      answered: answerLines(intent, view),
      kept: words.kept,
      unknownNext: words.unknownNext,
      next: checklistButton(terms.request.launchId, view),
      ...asked,
    };
  },
  summary: ({ terms }, view) => `🚀 ${stepTitle(terms, view)}`,
  moved: (_before, _now, { words }) => words.intent.renewal.unquoted.superseded,
};

/** A step's name within a sentence; "LP" stays in capitals. */
const inSentence = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

function stepTitle({ step, firstToken, secondToken }: LaunchTerms, { words: { launch } }: View): string {
  return `${launch.steps[step]} · ${firstToken.id} / ${secondToken.id}`;
}

/** What a step's card shows and offers besides its confirmation, and what it asks first. */
type Figures = Pick<Subject, "otherWay" | "acknowledgement"> & { readonly figures?: Lines };

function figuresOf(terms: LaunchTerms, view: View): Figures {
  const { launch: words, lock } = view.words;
  switch (terms.step) {
    case "create-pair":
      return {};
    case "issue-lp":
      return { figures: [labelled(words.lpToken, lpNamed(terms, view))] };
    case "set-roles":
      return { figures: [terms.lpTokenId && labelled(words.lpToken, terms.lpTokenId)] };
    case "add-liquidity":
      return depositFigures(terms, view);
    case "enable": {
      const { locked, amount, verdict } = terms;
      const shown = labelled(words.youShow, `${formatAssetId(locked)}: ${withToken(amount, view.words)}`);
      if (verdict !== undefined) return { figures: [shown, words.comesBack, "", verdictLines(verdict, view)] };
      const acknowledgement = { sentences: [words.unchecked], button: lock.sureButton };
      return { figures: [shown, words.comesBack, "", words.unchecked], acknowledgement };
    }
  }
}

function depositFigures(terms: Extract<LaunchTerms, { step: "add-liquidity" }>, view: View): Figures {
  const { request, isReturnUnknown, step, first, second, worth, market } = terms;
  const { launch: words, swap } = view.words;
  const shown = (amount: Amount) => withToken(amount, view.words);
  const price = rateOf(first, second, view.words);
  const compared = market && marketLines(first, market, view);
  const sentences = [
    compared && isFarOff(market) && [compared, words.marketSure],
    isReturnUnknown && returnUnknownLine([first.token, second.token], view),
  ];
  const isTooLittle = worth && compareAmounts(worth.least, worth.minimum) <= 0;
  const tooLittle = isTooLittle && words.worthTooLittle(shown(worth.minimum));
  const tap = { launchId: request.launchId, action: "do", step } as const;
  return {
    figures: [
      [first, second].map((amount) => labelled(swap.youPay, shown(amount))),
      price && labelled(words.firstPrice, price),
      compared ?? words.marketPrice,
      worth && ["", words.worth(shown(worth.least), shown(worth.minimum)), tooLittle],
    ],
    otherWay: button(words.otherAmountsButton, buttons.launch, tap),
    acknowledgement: linesIn(sentences).length > 0 ? { sentences, button: words.marketSureButton } : undefined,
  };
}

function marketLines(first: Amount, { worth, differenceBps, loss }: DepositMarket, { words }: View): string[] {
  const elsewhere = rateOf(first, worth, words) ?? withToken(worth, words);
  if (differenceBps === 0n) return [words.launch.marketEqual(elsewhere)];
  const difference = percentOfBps(differenceBps, words);
  const differs = words.launch.marketDiffers(elsewhere, first.token.id, difference, differenceBps > 0n);
  return [differs, words.launch.marketLoss(withToken(loss, words))];
}

/** Opens the checklist from an ended step's card, in a message of its own. */
export function checklistButton(launchId: string, view: View): ButtonRows {
  return [[button(view.words.launch.checklistButton, buttons.launch, { launchId, action: "open" })]];
}

function answerLines(intent: IntentOf<"launch">, view: View): Lines | undefined {
  const words = view.words.launch;
  const result = stepResult(intent, view.returnDataEncoding);
  if (result === undefined) return undefined;
  const { pair, lpTokenId, lpUnits } = result;
  const received = lpTokenId !== undefined && amountOf(view.tokenOf(lpTokenId), lpUnits);
  return [
    pair && labelled(words.pair, code(pair)),
    pair && labelled(words.pairHex, code(Buffer.from(addressToBytes(pair)).toString("hex"))),
    received && receivedLine(intent, received, view),
  ];
}

/** Compares a lock with the router's conditions for enabling swaps, and says why the bot waits if it does. */
export function verdictLines(verdict: LockVerdict, view: View): Lines {
  const { launch: words } = view.words;
  const lines = verdictRows(verdict, view).map(([, row]) => row);
  return [...lines, isEnough(verdict) ? words.isEnough : [words.isNotEnough, words.strictly]];
}

/** What of a lock is not above its minimum. */
export function shortfallLines(verdict: LockVerdict, view: View): Line[] {
  return verdictRows(verdict, view).flatMap(([isAbove, row]) => (isAbove ? [] : [row]));
}

function verdictRows(verdict: LockVerdict, { words }: View): readonly (readonly [isAbove: boolean, row: Line])[] {
  const { value, minimumValue, period, minimumPeriod } = verdict;
  const [worth, minimum] = [withToken(value, words), withToken(minimumValue, words)];
  const row = (label: string, text: string, isAbove: boolean, minimum: string | bigint) => {
    const shown = line(isAbove ? "✅ " : "❌ ", labelled(label, text), ` (${words.launch.mustExceed(minimum)})`);
    return [isAbove, shown] as const;
  };
  return [
    row(words.launch.lockedValue, worth, compareAmounts(value, minimumValue) > 0, minimum),
    row(words.launch.lockedFor, words.launch.epochs(period), period > minimumPeriod, minimumPeriod),
  ];
}
