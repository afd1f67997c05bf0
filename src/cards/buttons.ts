import { alertKinds, alertModes, type AlertKind, type AlertMode } from "../model/alert-control.js";
import { historyFilters, type HistoryFilter } from "../model/history-filter.js";
import { launchSteps, type LaunchStep } from "../model/launch.js";

/** A button's data is `v1:<verb>:<payload>`, at most 64 bytes, as Telegram demands. */
export interface ButtonKind<Payload> {
  readonly verb: string;
  readonly write: (payload: Payload) => string;
  /** Undefined for a text that no such button carries. */
  readonly read: (text: string) => Payload | undefined;
}

/** One of an order's buttons in a list, which shows that page of the list again. */
interface OrderInList {
  readonly orderId: string;
  readonly page: number;
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

/** What an operator does about a person: lets them in, turns their request down, or shuts them out. */
export interface MemberTap {
  readonly action: (typeof memberActions)[number];
  readonly userId: number;
}

const memberActions = ["let", "decline", "out"] as const;

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
  history: {
    verb: "h",
    write: ({ filter, page }) => `${filter}.${page}`,
    read: (text) => {
      const [name, shown = "", ...rest] = text.split(".");
      const [filter, page] = [historyFilters.find((each) => each === name), numberIn(shown)];
      return filter === undefined || page === undefined || rest.length > 0 ? undefined : { filter, page };
    },
  } satisfies ButtonKind<{ readonly filter: HistoryFilter; readonly page: number }>,
  historyFile: oneOf("hf", ["csv"]),
  order: matching("or", ORDER_ID),
  orderAnew: matching("oo", ORDER_ID),
  watch: matching("ow", ORDER_ID),
  unwatch: matching("ou", ORDER_ID),
  ordersPage: number("ol"),
  mute: inList("om"),
  unmute: inList("os"),
  unwatchInList: inList("ox"),
  setting: oneOf("set", ["menu", "slippage", "custom-slippage", "presets", "language", "timezone", "alerts"]),
  slippage: number("slip"),
  language: matching("lang", /^[a-z-]+$/),
  alertMode: {
    verb: "am",
    write: ({ kind, mode }) => `${kind}.${mode}`,
    read: (text) => {
      const [kind, mode] = [alertKinds.find((one) => text.startsWith(`${one}.`)), modeIn(text)];
      return kind === undefined || mode === undefined ? undefined : { kind, mode };
    },
  } satisfies ButtonKind<{ readonly kind: AlertKind; readonly mode: AlertMode }>,
  quietHours: oneOf("aq", ["ask", "none"]),
  testAlert: oneOf("at", ["now"]),
  /** Does what typing this command would do; without the slash. */
  command: matching("do", /^[a-z]+(?: .+)?$/),
  token: matching("t", /^[A-Z0-9-]+$/),
  /** Asks for a pasted address as payout address; the next one agrees to change it to that. Both carry the address's end. */
  useAddress: matching("use", /^[a-z0-9]+$/),
  wallet: matching("wallet", /^[a-z0-9]+$/),
  launch: { verb: "launch", write: writeLaunch, read: readLaunch } satisfies ButtonKind<LaunchTap>,
  admin: {
    verb: "adm",
    write: ({ section, page }) => `${section}.${page}`,
    read: (text) => {
      const [name, shown = "", ...rest] = text.split(".");
      const [section, page] = [adminSections.find((each) => each === name), numberIn(shown)];
      return section === undefined || page === undefined || rest.length > 0 ? undefined : { section, page };
    },
  } satisfies ButtonKind<AdminPlace>,
  /** An operator has dealt with a call of unknown outcome. */
  settled: matching("settled", INTENT_ID),
  /** By the draft that holds the text. */
  broadcast: matching("bc", INTENT_ID),
  haltBroadcast: oneOf("bchalt", ["now"]),
  /** A stranger's, who asks to be let in. */
  askIn: oneOf("askin", ["now"]),
  member: {
    verb: "member",
    write: ({ action, userId }) => `${action}.${userId}`,
    read: (text) => {
      const [, name, id = ""] = /^([a-z]+)\.([0-9]{1,15})$/.exec(text) ?? [];
      const action = memberActions.find((each) => each === name);
      // oxlint-disable-next-line money/no-floating-point -- a Telegram user id, not an amount
      return action && { action, userId: Number(id) };
    },
  } satisfies ButtonKind<MemberTap>,
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

function matching(verb: string, pattern: RegExp): ButtonKind<string> {
  return { verb, write: (text) => text, read: (text) => (pattern.test(text) ? text : undefined) };
}

function number(verb: string): ButtonKind<number> {
  return { verb, write: String, read: numberIn };
}

function numberIn(text: string): number | undefined {
  // oxlint-disable-next-line money/no-floating-point -- a page, or hundredths of a percent, not an amount
  return /^[0-9]{1,5}$/.test(text) ? Number(text) : undefined;
}

function oneOf<const Choice extends string>(verb: string, choices: readonly Choice[]): ButtonKind<Choice> {
  return { verb, write: (choice) => choice, read: (text) => choices.find((choice) => choice === text) };
}

function inList(verb: string): ButtonKind<OrderInList> {
  return {
    verb,
    write: ({ orderId, page }) => `${orderId}.${page}`,
    read: (text) => {
      const [orderId = "", shown = "", ...rest] = text.split(".");
      const page = numberIn(shown);
      return ORDER_ID.test(orderId) && page !== undefined && rest.length === 0 ? { orderId, page } : undefined;
    },
  };
}

function modeIn(text: string): AlertMode | undefined {
  return alertModes.find((one) => text.endsWith(`.${one}`));
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
