import { addressToBytes } from "../encoding/address.js";
import { formatAssetId } from "../encoding/asset.js";
import { formatRate } from "../encoding/rate.js";
import { unlistedToken } from "../encoding/token.js";
import type { LaunchTerms } from "../model/intent.js";
import { readLaunchOutcome } from "../services/launch/outcome.js";
import { withToken } from "./amount.js";
import { button, code, labelled, line, type Keyboard, type Line } from "./card.js";
import type { Subject } from "./life.js";
import { verdictLines } from "./lock-verdict.js";
import type { View } from "./view.js";

/** One call of a launch. Enabling where nobody can check the router's conditions needs a second step first. */
export function launchSubject(terms: LaunchTerms, view: View, isAccepted: boolean): Subject {
  const words = view.words.launch;
  const caller = [terms.callerTravels ? words.caller : words.callerUnknown, code(terms.payout)];
  const isUnchecked = terms.step === "enable" && terms.verdict === undefined;
  return {
    title: words.stepTitle(terms.step, terms.firstToken.id, terms.secondToken.id),
    offer: [words.todo(terms.step), "", ...figures(terms, view), ...caller],
    summary: [...pairLine(terms, view), line(code(terms.payout))],
    confirm: words.confirm(terms.step),
    answered: (returnData) => answered(terms, returnData, view),
    kept: words.kept,
    unknownNext: words.unknownNext,
    next: checklistButton(terms.launchId, view),
    ...(isUnchecked && !isAccepted && { hurdle: { sentences: [words.unchecked], button: words.uncheckedButton } }),
  };
}

/** Leads from the end of a step to the checklist, as a message of its own. */
export function checklistButton(launchId: string, view: View): Keyboard {
  return [[button(view.words.launch.checklistButton, "launch", `${launchId}/open`)]];
}

/** What is particular to a step, with an empty line behind it. */
function figures(terms: LaunchTerms, view: View): Line[] {
  const words = view.words.launch;
  const pair = pairLine(terms, view);
  switch (terms.step) {
    case "create-pair":
      return [];
    case "issue-lp":
      return [...pair, labelled(words.lpToken, words.lpNamed(terms.lpName, terms.lpTicker)), ""];
    case "set-roles":
      return [...pair, ...(terms.lpTokenId === undefined ? [] : [labelled(words.lpToken, terms.lpTokenId)]), ""];
    case "add-liquidity":
      return [...pair, ...depositLines(terms, view), ""];
    case "enable":
      return [
        ...pair,
        labelled(words.youShow, `${formatAssetId(terms.locked)}: ${withToken(terms.amount, view.words)}`),
        words.comesBack,
        "",
        ...(terms.verdict === undefined ? [words.unchecked] : verdictLines(terms.verdict, view)),
        "",
      ];
  }
}

function depositLines(terms: LaunchTerms & { step: "add-liquidity" }, view: View): Line[] {
  const words = view.words.launch;
  const { first, second, worth } = terms;
  const rate = formatRate(first, second);
  return [
    labelled(words.youPay, withToken(first, view.words)),
    labelled(words.youPay, withToken(second, view.words)),
    ...(rate === undefined
      ? []
      : [labelled(words.firstPrice, view.words.swap.rate(first.token.id, rate, second.token.id))]),
    words.marketPrice,
    ...(worth === undefined ? [] : ["", ...worthLines(worth, view)]),
  ];
}

function worthLines({ least, minimum }: NonNullable<DepositWorth>, view: View): Line[] {
  const words = view.words.launch;
  const toExceed = withToken(minimum, view.words);
  return [
    words.worth(withToken(least, view.words), toExceed),
    ...(least.units > minimum.units ? [] : [words.worthTooLittle(toExceed)]),
  ];
}

type DepositWorth = (LaunchTerms & { step: "add-liquidity" })["worth"];

function pairLine(terms: LaunchTerms, view: View): Line[] {
  return terms.step === "create-pair" ? [] : [line(`${view.words.launch.pair}: `, code(terms.pair))];
}

function answered(terms: LaunchTerms, returnData: readonly string[], view: View): Line[] | undefined {
  const words = view.words.launch;
  const outcome = readLaunchOutcome(terms, returnData, view.returnDataEncoding);
  switch (outcome.kind) {
    case "pair":
      return [
        line(`${words.pair}: `, code(outcome.pair)),
        line(`${words.pairHex}: `, code(Buffer.from(addressToBytes(outcome.pair)).toString("hex"))),
      ];
    case "liquidity": {
      // Nobody has listed a token that was issued a moment ago.
      const token = unlistedToken(outcome.lp.tokenId);
      return [labelled(words.received, withToken({ token, units: outcome.lp.units }, view.words))];
    }
    case "done":
      return [];
    case "unverified":
      return undefined;
  }
}
