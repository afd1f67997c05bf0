import { buttons } from "./buttons.js";
import { wireBody, type ContractCall } from "../encoding/call.js";
import type { Launch } from "../services/launch/record.js";
import { launchSteps, type LaunchStep } from "../services/request.js";
import type { Checklist } from "../services/launch/launch.js";
import { stepBefore, type StepState } from "../services/launch/progress.js";
import { isFarOff } from "../services/launch/thresholds.js";
import { isShownDone, type Obstacle } from "../services/launch/steps.js";
import { withToken } from "./amount.js";
import {
  bold,
  button,
  card,
  type Card,
  code,
  labelled,
  line,
  type Line,
  type Lines,
  type Rows,
  say,
  type View,
  giving,
} from "./card.js";
import { marketLines, verdictLines } from "./launch-step.js";
import { momentOf } from "./time.js";

const EXAMPLE = "/launch KLV DVK-34ZH";

export function launchesCard(launches: readonly Launch[], view: View): Card {
  const words = view.words.launch;
  return card(
    [bold(words.listTitle), "", words.usage, code(EXAMPLE)],
    [
      ...launches.map((launch) => [toLaunch(`${launch.firstToken.id} / ${launch.secondToken.id}`, launch, "open")]),
      [button(words.newButton, buttons.launch, "new")],
    ],
  );
}

export function launchCard(checklist: Checklist, view: View): Card {
  const { launch, current } = checklist;
  const words = view.words.launch;
  const trade = `/swap 1 ${launch.firstToken.id} ${launch.secondToken.id}`;
  return card(
    [
      bold(words.title(launch.firstToken.id, launch.secondToken.id)),
      launch.pair && labelled(words.pair, code(launch.pair)),
      lpLine(launch, view),
      "",
      launchSteps.map((step, index) => stepLine(step, index + 1, checklist.steps[step], view)),
      "",
      !checklist.facts.isReachable && [words.notReachable, ""],
      current ? currentLines(current, checklist, view) : [words.complete, code(trade), words.completeLock],
      "",
      say(words.checked, momentOf(checklist.checkedAt, view, "time")),
    ],
    [
      ...(current ? currentButtons(current, checklist, view) : []),
      [current && undoButton(checklist, view)],
      [toLaunch(words.checkButton, launch, "check"), toLaunch(words.dropButton, launch, "drop")],
    ],
  );
}

export function dropLaunchCard(launch: Launch, { words: { launch: words, common } }: View): Card {
  return card(
    [bold(words.dropTitle(launch.firstToken.id, launch.secondToken.id)), words.dropExplain],
    [[giving(toLaunch(words.dropSure, launch, "dropped"))], [toLaunch(common.back, launch, "check")]],
  );
}

function toLaunch(text: string, { id }: Launch, action: "open" | "check" | "drop" | "dropped") {
  return button(text, buttons.launch, { launchId: id, action });
}

function lpLine({ lpTokenId, lpName, lpTicker }: Launch, view: View): Line {
  const words = view.words.launch;
  const named = words.lpNamed(lpName, lpTicker);
  return line(`${words.lpToken}: `, ...(lpTokenId === undefined ? [named] : [code(lpTokenId), ` (${named})`]));
}

function stepLine(step: LaunchStep, position: number, state: StepState, view: View): Line {
  const words = view.words.launch;
  const name = `${position}. ${words.steps[step]}`;
  if (state.kind === "done") return `✅ ${name} · ${words.evidence[state.by]}`;
  return state.kind === "later" ? `▫️ ${name}` : line(`${currentSigns[state.kind]} `, bold(name));
}

const currentSigns = { next: "▶️", "under-way": "⏳", unknown: "⚠️" } as const;

function currentLines(step: LaunchStep, checklist: Checklist, view: View): Lines {
  const words = view.words.launch;
  const { facts, manualCall } = checklist;
  const state = checklist.steps[step];
  const isShown = isShownDone(step, facts) !== undefined;
  return [
    state.kind === "under-way" && words.underWay,
    state.kind === "unknown" && [facts.isReachable ? words.unknown : words.unknownUnasked, words.unknownAsk],
    state.kind === "next" && [words.todo[step], state.isUnseen && words.unseen],
    conditionLines(step, checklist, view),
    checklist.obstacles.map((obstacle) => obstacleLines(obstacle, view)),
    checklist.canDo && manualCall && manualLines(manualCall, isShown, view),
    manualCall && depositMarketLines(checklist, view),
  ];
}

function depositMarketLines({ launch: { liquidity }, market }: Checklist, view: View): Lines {
  if (liquidity === undefined || market === undefined) return [];
  const { first, second } = liquidity;
  const warning = isFarOff(market) && view.words.launch.marketSure;
  return ["", marketLines(market.worth.token.id === second.token.id ? first : second, market, view), warning];
}

function conditionLines(step: LaunchStep, { conditions, facts, lock, obstacles }: Checklist, view: View): Lines {
  const words = view.words.launch;
  const isToldWhyNot = obstacles.some(({ kind }) => kind === "no-config" || kind === "no-common-token");
  if (conditions === undefined) return isToldWhyNot || !facts.isReachable ? [] : ["", words.conditionsUnknown];
  const { minimumValue, minimumPeriod } = conditions;
  const stated = words.conditions(withToken(minimumValue, view.words), minimumPeriod);
  const verdict = step === "lock" || step === "enable" ? lock?.verdict : undefined;
  return ["", stated, verdict && ["", verdictLines(verdict, view)]];
}

function obstacleLines(obstacle: Obstacle, view: View): Lines {
  const words = view.words.launch;
  if (obstacle.kind !== "other-adder") return ["", words.obstacle[obstacle.kind]];
  return ["", words.otherAdder(obstacle.adder), !obstacle.isCertain && words.otherAdderMaybe];
}

/** Exact values for a call made in the user's own wallet, as the interface writes them. */
function manualLines(call: ContractCall, isShown: boolean, view: View): Lines {
  const words = view.words.launch;
  const { scAddress, funcName, args, value } = wireBody(call);
  const given = args.length === 0 ? [` ${words.manualNone}`] : args.flatMap((arg) => [" ", code(arg)]);
  return [
    "",
    words.manual,
    labelled(words.manualContract, code(scAddress)),
    labelled(words.manualFunction, code(funcName)),
    line(`${words.manualArguments}:`, ...given),
    line(`${words.manualPayment}: `, value === undefined ? words.manualNone : code(value)),
    isShown ? words.manualCheck : words.manualWord,
  ];
}

function currentButtons(step: LaunchStep, checklist: Checklist, view: View): Rows {
  const words = view.words.launch;
  const { launch, canDo, isManual, manualCall } = checklist;
  const act = (text: string, action: "do" | "did" | "not") =>
    button(text, buttons.launch, { launchId: launch.id, action, step });
  if (checklist.steps[step].kind === "unknown") {
    return [[act(words.carriedOutButton, "did"), act(words.notCarriedOutButton, "not")]];
  }
  const isByHand = canDo && isManual;
  const enter = manualCall === undefined ? words.amountsButton : words.otherAmountsButton;
  const needsWord = manualCall !== undefined && isShownDone(step, checklist.facts) === undefined;
  return [
    [canDo && !isManual && act(`▶️ ${words.steps[step]}`, "do")],
    [isByHand && step === "add-liquidity" && act(enter, "do")],
    [isByHand && needsWord && act(words.doneButton, "did")],
    [step === "lock" && act(words.lockedElsewhereButton, "did")],
  ];
}

/** Only what the user merely reported can be undone, the last step first. */
function undoButton({ launch, steps, current }: Checklist, view: View) {
  const step = stepBefore(current);
  const state = step === undefined ? undefined : steps[step];
  if (step === undefined || step === "lock" || state?.kind !== "done" || state.by !== "word") return undefined;
  return button(view.words.launch.undoButton(step), buttons.launch, { launchId: launch.id, action: "not", step });
}
