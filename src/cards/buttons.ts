import { alertKinds, alertModes } from "../model/alert-control.js";
import { historyFilters } from "../model/history-filter.js";
import { launchSteps, type LaunchStep } from "../model/launch.js";

/** A button's data is `v1:<verb>:<payload>`, at most 64 bytes, as Telegram demands. */
export interface ButtonKind<Payload> {
  readonly verb: string;
  readonly write: (payload: Payload) => string;
  /** Undefined for a text that no such button carries. */
  readonly read: (text: string) => Payload | undefined;
}

/** What can be done to a launch as a whole, and to one of its steps. */
export type LaunchTap =
  | "new"
  | { readonly launchId: string; readonly action: "open" | "check" | "drop" | "dropped" }
  | { readonly launchId: string; readonly action: "do" | "did" | "not"; readonly step: LaunchStep };

/** A page of what operators see. */
export interface AdminPlace {
  readonly section: (typeof adminSections)[number];
  /** Counts from 0. */
  readonly page: number;
}

const adminSections = ["overview", "unknown", "fees", "audit"] as const;

const INTENT_ID = /^[A-Za-z0-9_-]+$/;
const ORDER_ID = /^[0-9a-fA-F-]+$/;

/** Every button that acts. Cards build from these, and taps are read and routed by them. */
export const buttons = {
  confirm: matching("c", INTENT_ID),
  accept: matching("a", INTENT_ID),
  refresh: matching("r", INTENT_ID),
  cancel: matching("x", INTENT_ID),
  /** All that a card has to say, and back to what matters. */
  details: matching("d", INTENT_ID),
  brief: matching("b", INTENT_ID),
  freeze: oneOf("fz", ["now"]),
  guard: oneOf("sec", ["limit", "phrase"]),
  /** Looks what became of a call of unknown outcome. */
  check: matching("k", INTENT_ID),
  /** The route over several pools that a swap's card speaks of, by the swap's intent, and the other way round. */
  betterRoute: matching("m", INTENT_ID),
  betterSwap: matching("s", INTENT_ID),
  unlock: matching("u", /^[A-Z0-9-]+\/[0-9]+$/),
  /** Pages count from 0. */
  locksPage: number("lk"),
  history: pair("h", ["filter", among(historyFilters)], ["page", numberIn]),
  historyFile: oneOf("hf", ["csv"]),
  order: matching("or", ORDER_ID),
  orderAnew: matching("oo", ORDER_ID),
  watch: matching("ow", ORDER_ID),
  unwatch: matching("ou", ORDER_ID),
  ordersPage: number("ol"),
  /** In a list, of which they show the same page again. */
  mute: pair("om", ["orderId", like(ORDER_ID)], ["page", numberIn]),
  unmute: pair("os", ["orderId", like(ORDER_ID)], ["page", numberIn]),
  unwatchInList: pair("ox", ["orderId", like(ORDER_ID)], ["page", numberIn]),
  setting: oneOf("set", ["menu", "slippage", "custom-slippage", "presets", "language", "timezone", "alerts"]),
  slippage: number("slip"),
  language: matching("lang", /^[a-z-]+$/),
  alertMode: pair("am", ["kind", among(alertKinds)], ["mode", among(alertModes)]),
  quietHours: oneOf("aq", ["ask", "none"]),
  testAlert: oneOf("at", ["now"]),
  /** Does what typing this command would do; without the slash. */
  command: matching("do", /^[a-z]+(?: .+)?$/),
  token: matching("t", /^[A-Z0-9-]+$/),
  /** Asks for a pasted address as payout address; the next one agrees to change it to that. Both carry the address's end. */
  useAddress: matching("use", /^[a-z0-9]+$/),
  wallet: matching("wallet", /^[a-z0-9]+$/),
  launch: { verb: "launch", write: writeLaunch, read: readLaunch } satisfies ButtonKind<LaunchTap>,
  admin: pair("adm", ["section", among(adminSections)], ["page", numberIn]),
  /** An operator has dealt with a call of unknown outcome. */
  settled: matching("settled", INTENT_ID),
  /** By the draft that holds the text. */
  broadcast: matching("bc", INTENT_ID),
  haltBroadcast: oneOf("bchalt", ["now"]),
  /** A stranger's, who asks to be let in. */
  askIn: oneOf("askin", ["now"]),
  /** What an operator does about a person: lets them in, turns their request down, or shuts them out. */
  member: pair("member", ["action", among(["let", "decline", "out"])], ["userId", userIdIn]),
  trading: oneOf("trade", ["pause", "resume", "resume-now"]),
  /** By the draft that holds the reason. */
  pauseNow: matching("pause", INTENT_ID),
  /** A dialog's suggested answer, as it could be typed. */
  pick: matching("pick", /^.+$/s),
};

/** What a button carries: its verb, and the payload as text; undefined for what this bot did not put there. */
export function readButton(data: string): { readonly verb: string; readonly text: string } | undefined {
  const [, verb, text] = /^v1:([a-z-]+):(.+)$/s.exec(data) ?? [];
  return verb === undefined || text === undefined ? undefined : { verb, text };
}

type Read<Value> = (text: string) => Value | undefined;

function matching(verb: string, pattern: RegExp): ButtonKind<string> {
  return { verb, write: (text) => text, read: like(pattern) };
}

function number(verb: string): ButtonKind<number> {
  return { verb, write: String, read: numberIn };
}

function numberIn(text: string): number | undefined {
  // oxlint-disable-next-line money/no-floating-point -- a page, or hundredths of a percent, not an amount
  return /^[0-9]{1,5}$/.test(text) ? Number(text) : undefined;
}

function oneOf<const Choice extends string>(verb: string, choices: readonly Choice[]): ButtonKind<Choice> {
  return { verb, write: (choice) => choice, read: among(choices) };
}

/** Two things with a point between them. */
function pair<First extends string, One extends string, Second extends string, Other extends string | number>(
  verb: string,
  [first, readFirst]: readonly [First, Read<One>],
  [second, readSecond]: readonly [Second, Read<Other>],
): ButtonKind<{ readonly [Name in First]: One } & { readonly [Name in Second]: Other }> {
  return {
    verb,
    write: (payload) => `${payload[first]}.${payload[second]}`,
    read: (text) => {
      const [, left = "", right = ""] = /^([^.]+)\.(.+)$/s.exec(text) ?? [];
      const [one, other] = [readFirst(left), readSecond(right)];
      if (one === undefined || other === undefined) return undefined;
      return { [first]: one, [second]: other } as { [Name in First]: One } & { [Name in Second]: Other };
    },
  };
}

function like(pattern: RegExp): Read<string> {
  return (text) => (pattern.test(text) ? text : undefined);
}

function among<const Choice extends string>(choices: readonly Choice[]): Read<Choice> {
  return (text) => choices.find((choice) => choice === text);
}

function userIdIn(text: string): number | undefined {
  // oxlint-disable-next-line money/no-floating-point -- a Telegram user id, not an amount
  return /^[0-9]{1,15}$/.test(text) ? Number(text) : undefined;
}

function writeLaunch(tap: LaunchTap): string {
  if (tap === "new") return tap;
  return `${tap.launchId}/${tap.action}${"step" in tap ? `.${tap.step}` : ""}`;
}

function readLaunch(text: string): LaunchTap | undefined {
  if (text === "new") return text;
  const [, launchId, name, stepName] = /^([A-Za-z0-9_-]+)\/([a-z]+)(?:\.([a-z-]+))?$/.exec(text) ?? [];
  if (launchId === undefined) return undefined;
  const step = launchSteps.find((each) => each === stepName);
  if (step !== undefined) {
    const action = (["do", "did", "not"] as const).find((each) => each === name);
    return action && { launchId, action, step };
  }
  const action = (["open", "check", "drop", "dropped"] as const).find((each) => each === name);
  return action && { launchId, action };
}
