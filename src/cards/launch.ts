import { buttons } from "./buttons.js";
import type { ContractCall } from "../encoding/call.js";
import { launchSteps, type Launch, type LaunchStep } from "../model/launch.js";
import type { Checklist } from "../services/launch/launching.js";
import { stepBefore, type StepState } from "../services/launch/progress.js";
import { isFarOff } from "../services/launch/market.js";
import { isShownDone, type Obstacle } from "../services/launch/steps.js";
import { withToken } from "./amount.js";
import { bold, button, card, code, line, type Card, type Keyboard, type Line } from "./card.js";
import { marketLines } from "./launch-step.js";
import { verdictLines } from "./lock-verdict.js";
import { formatTimeOfDay } from "./time.js";
import type { View } from "./view.js";

type Button = Keyboard[number][number];

const EXAMPLE = "/launch KLV DVK-34ZH";

/** A person's launches, each with a button that asks the chain where it stands. */
export function launchesCard(launches: readonly Launch[], view: View): Card {
  const words = view.words.launch;
  return card(
    [bold(words.listTitle), "", words.usage, code(EXAMPLE)],
    [
      ...launches.map(({ id, firstToken, secondToken }) => [
        button(words.listRow(firstToken.id, secondToken.id), buttons.launch, { launchId: id, action: "open" }),
      ]),
      [button(words.newButton, buttons.launch, "new")],
    ],
  );
}

/** The checklist of a launch: what is done and how that is known, what is next, what stands in the way. */
export function launchCard(checklist: Checklist, view: View, notice?: string): Card {
  const { launch, current } = checklist;
  const words = view.words.launch;
  return card(
    [
      notice,
      notice === undefined ? undefined : "",
      bold(words.title(launch.firstToken.id, launch.secondToken.id)),
      launch.pair === undefined ? undefined : line(`${words.pair}: `, code(launch.pair)),
      lpLine(launch, view),
      "",
      ...launchSteps.map((step, index) => stepLine(step, index + 1, checklist.steps[step], view)),
      "",
      ...(checklist.facts.isReachable ? [] : [words.notReachable, ""]),
      ...(current === undefined ? completeLines(launch, view) : currentLines(current, checklist, view)),
      "",
      words.checked(formatTimeOfDay(checklist.checkedAt, view.timeZone)),
    ],
    [...(current === undefined ? [] : currentButtons(current, checklist, view)), ...alwaysButtons(launch, view)],
  );
}

/** Asks whether a launch is to be dropped from the list, and says what that does not do. */
export function dropLaunchCard({ id, firstToken, secondToken }: Launch, view: View): Card {
  const words = view.words.launch;
  return card(
    [bold(words.dropTitle(firstToken.id, secondToken.id)), words.dropExplain],
    [
      [button(words.dropSure, buttons.launch, { launchId: id, action: "dropped" })],
      [button(view.words.common.back, buttons.launch, { launchId: id, action: "check" })],
    ],
  );
}

function lpLine({ lpTokenId, lpName, lpTicker }: Launch, view: View): Line {
  const words = view.words.launch;
  const named = words.lpNamed(lpName, lpTicker);
  return lpTokenId === undefined
    ? line(`${words.lpToken}: ${named}`)
    : line(`${words.lpToken}: `, code(lpTokenId), ` (${named})`);
}

function stepLine(step: LaunchStep, position: number, state: StepState, view: View): Line {
  const words = view.words.launch;
  const name = `${position}. ${words.step(step)}`;
  switch (state.kind) {
    case "done":
      return `✅ ${name} · ${words.evidence(state.by)}`;
    case "next":
      return line("▶️ ", bold(name));
    case "under-way":
      return line("⏳ ", bold(name));
    case "unknown":
      return line("⚠️ ", bold(name));
    case "later":
      return `▫️ ${name}`;
  }
}

function completeLines({ firstToken, secondToken }: Launch, view: View): Line[] {
  const words = view.words.launch;
  return [words.complete, code(`/swap 1 ${firstToken.id} ${secondToken.id}`), words.completeLock];
}

function currentLines(step: LaunchStep, checklist: Checklist, view: View): Line[] {
  const words = view.words.launch;
  const { facts, manualCall } = checklist;
  const state = checklist.steps[step];
  const isShown = isShownDone(step, facts) !== undefined;
  return [
    ...(state.kind === "under-way" ? [words.underWay] : []),
    ...(state.kind === "unknown" ? [facts.isReachable ? words.unknown : words.unknownUnasked, words.unknownAsk] : []),
    ...(state.kind === "next" ? [words.todo(step)] : []),
    ...(state.kind === "next" && state.isUnseen ? [words.unseen] : []),
    ...conditionLines(step, checklist, view),
    ...checklist.obstacles.flatMap((obstacle) => obstacleLines(obstacle, view)),
    ...(manualCall === undefined || !checklist.canDo ? [] : manualLines(manualCall, isShown, view)),
    ...(manualCall === undefined ? [] : depositMarketLines(checklist, view)),
  ];
}

function depositMarketLines({ launch: { liquidity }, market }: Checklist, view: View): Line[] {
  if (liquidity === undefined || market === undefined) return [];
  const { first, second } = liquidity;
  const warning = isFarOff(market) ? [view.words.launch.marketSure] : [];
  return ["", ...marketLines(market.worth.token.id === second.token.id ? first : second, market, view), ...warning];
}

/** What a lock has to reach, from the beginning on; and how the present one stands. */
function conditionLines(step: LaunchStep, { conditions, facts, lock, obstacles }: Checklist, view: View): Line[] {
  const words = view.words.launch;
  const isToldWhyNot = obstacles.some(({ kind }) => kind === "no-config" || kind === "no-common-token");
  if (conditions === undefined) return isToldWhyNot || !facts.isReachable ? [] : ["", words.conditionsUnknown];
  const { minimumValue, minimumPeriod } = conditions;
  const stated = words.conditions(withToken(minimumValue, view.words), minimumPeriod.toString());
  const verdict = step === "lock" || step === "enable" ? lock?.verdict : undefined;
  return ["", stated, ...(verdict === undefined ? [] : ["", ...verdictLines(verdict, view)])];
}

function obstacleLines(obstacle: Obstacle, view: View): Line[] {
  const words = view.words.launch;
  switch (obstacle.kind) {
    case "no-common-token":
      return ["", words.noCommonToken];
    case "no-config":
      return ["", words.noConfig];
    case "no-adder":
      return ["", words.noAdder];
    case "other-adder":
      return ["", words.otherAdder(obstacle.adder), ...(obstacle.isCertain ? [] : [words.otherAdderMaybe])];
  }
}

/**
 * The exact values of a call that the person makes in their own wallet, in the interface's own form.
 * @param isShown whether the chain will show that it was made.
 */
function manualLines(call: ContractCall, isShown: boolean, view: View): Line[] {
  const words = view.words.launch;
  const args = call.args.length === 0 ? [` ${words.manualNone}`] : call.args.flatMap((arg) => [" ", code(arg)]);
  return [
    "",
    words.manual,
    line(`${words.manualContract}: `, code(call.scAddress)),
    line(`${words.manualFunction}: `, code(call.funcName)),
    line(`${words.manualArguments}:`, ...args),
    line(`${words.manualPayment}: `, call.value === undefined ? words.manualNone : code(call.value)),
    isShown ? words.manualCheck : words.manualWord,
  ];
}

function currentButtons(step: LaunchStep, checklist: Checklist, view: View): Keyboard {
  const words = view.words.launch;
  const { launch, canDo, isManual, manualCall } = checklist;
  const act = (text: string, action: "do" | "did" | "not"): Button =>
    button(text, buttons.launch, { launchId: launch.id, action, step });
  if (checklist.steps[step].kind === "unknown") {
    return [
      [act(words.carriedOutButton, "did"), act(words.notCarriedOutButton, "not")],
      ...undoButtons(checklist, view),
    ];
  }
  const rows: Button[][] = [];
  if (canDo && !isManual) rows.push([act(words.doButton(step), "do")]);
  if (canDo && isManual && step === "add-liquidity") {
    rows.push([act(manualCall === undefined ? words.amountsButton : words.otherAmountsButton, "do")]);
  }
  if (canDo && isManual && manualCall !== undefined && isShownDone(step, checklist.facts) === undefined) {
    rows.push([act(words.doneButton, "did")]);
  }
  if (step === "lock") rows.push([act(words.lockedElsewhereButton, "did")]);
  return [...rows, ...undoButtons(checklist, view)];
}

/** What only the person's word stands for can be taken back, the last step first. */
function undoButtons({ launch, steps, current }: Checklist, view: View): Keyboard {
  const before = stepBefore(current);
  const state = before === undefined ? undefined : steps[before];
  if (before === undefined || before === "lock" || state?.kind !== "done" || state.by !== "word") return [];
  return [
    [
      button(view.words.launch.undoButton(before), buttons.launch, {
        launchId: launch.id,
        action: "not",
        step: before,
      }),
    ],
  ];
}

function alwaysButtons({ id }: Launch, view: View): Keyboard {
  const words = view.words.launch;
  return [
    [
      button(words.checkButton, buttons.launch, { launchId: id, action: "check" }),
      button(words.dropButton, buttons.launch, { launchId: id, action: "drop" }),
    ],
  ];
}
