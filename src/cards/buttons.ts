import type { InlineKeyboardButton } from "grammy/types";
import { alertKinds, alertModes } from "../services/person/person.js";
import { monthPattern } from "../services/history/receipt.js";
import { launchSteps } from "../services/terms/launch-terms.js";
import { isolated, replaceInvisible } from "../services/base/display-text.js";

type PayloadParser<Value> = (text: string) => Value | undefined;
type CallbackButton = InlineKeyboardButton.CallbackButton;
type Reads<Payload> = { readonly [Name in keyof Payload]: PayloadParser<Payload[Name]> };

/** A button's data is `v1:<verb>:<payload>`, at most 64 bytes, as Telegram requires. */
export interface ButtonKind<Payload> {
  readonly verb: string;
  readonly write: (payload: Payload) => string;
  /** Returns undefined for text that no such button carries. */
  readonly read: PayloadParser<Payload>;
}

const portfolioForms = ["card", "csv", "picture"] as const;
export type PortfolioForm = (typeof portfolioForms)[number];
/** Whether a picture that is to be passed on says how much there is of it. */
const amountsShown = ["hidden", "shown"] as const;
export type AmountsShown = (typeof amountsShown)[number];
/** Actions on a price alert. `open` replaces the list; `show` sends a new message. */
const alertActions = ["open", "show", "pause", "resume", "hold", "through", "edit", "delete"] as const;
export type AlertAction = (typeof alertActions)[number];

/**
 * Actions on a standing order, as on a price alert; `end` is final, `take` asks for its swap now. `letTargets` and
 * `holdTargets` are about an exit's targets alone; `renew` sets it for all that is held.
 */
const standingActions = [
  ...(["show", "pause", "resume", "hold", "through", "edit", "end", "take", "morning"] as const),
  ...(["letTargets", "holdTargets", "renew"] as const),
];
export type StandingAction = (typeof standingActions)[number];

/** Actions on a link for programs. `ask` is whether to delete it; `mute` pauses it from a card that it brought. */
const linkActions = ["new", "list", "pause", "resume", "mute", "ask", "delete"] as const;
export type LinkAction = (typeof linkActions)[number];
/** In place of a link's id, in what is about none. */
export const NO_LINK = "none";

export const historyFilters = ["all", "swap", "multihop", "lock", "launch"] as const;
export type HistoryFilter = (typeof historyFilters)[number];

/** Tax programs for which `/history` makes files, besides the one with everything, which is `csv`. */
export const taxPrograms = { koinly: "Koinly", cointracking: "CoinTracking" } as const;
export type TaxForm = keyof typeof taxPrograms;
export const taxForms = Object.keys(taxPrograms) as TaxForm[];
export const historyForms = ["csv", ...taxForms] as const;
export type HistoryForm = (typeof historyForms)[number];

/** The menu's parts, besides the settings. */
const menuParts = ["trade", "orders", "alerts", "portfolio", "safety"] as const;
export type MenuPart = (typeof menuParts)[number];

const launchActions = [
  ...(["open", "check", "drop", "dropped"] as const).map((action) => ({ action })),
  ...launchSteps.flatMap((step) => (["do", "did", "not"] as const).map((action) => ({ action, step }))),
];
export type LaunchTap = "new" | ({ readonly launchId: string } & Readonly<(typeof launchActions)[number]>);

const intentId = like(/^[A-Za-z0-9_-]+$/);
const orderId = like(/^[0-9a-fA-F-]+$/);
/** A page, counted from 0, or basis points. */
const smallNumber = wholeNumber(5);

/** In place of an address's mark: one that isn't known yet. */
export const NEW_ADDRESS = "new";

/** Every callback button: cards build buttons from these, and callbacks are parsed and routed by them. */
export const buttons = {
  confirm: kind("c", intentId),
  accept: kind("a", intentId),
  refresh: kind("r", intentId),
  cancel: kind("x", intentId),
  freeze: kind("fz", among(["ask", "now", "keep"])),
  guard: kind("sec", among(["limit", "phrase"])),
  /** Checks what became of a call whose outcome is unknown or unproven. */
  check: kind("k", intentId),
  file: kind("kf", intentId),
  /** Switches from a swap's card to the route that it mentions; `toSwap` switches back. */
  toRoute: kind("m", intentId),
  toSwap: kind("s", intentId),
  unlock: kind("u", like(/^[A-Z0-9-]+\/[0-9]+$/)),
  locksPage: kind("lk", smallNumber),
  history: values("h", { filter: among(historyFilters), page: smallNumber }),
  historyFile: kind("hf", among(historyForms)),
  portfolio: values("pf", { tokenId: like(/^[A-Z0-9-]+$/), as: among(portfolioForms) }),
  receipt: kind("rc", intentId),
  receipts: values("rcm", { month: like(monthPattern), as: among(["card", "csv"]) }),
  order: kind("or", orderId),
  orderAnew: kind("oo", orderId),
  watch: kind("ow", orderId),
  unwatch: kind("ou", orderId),
  ordersPage: kind("ol", smallNumber),
  mute: values("om", { orderId, page: smallNumber }),
  unmute: values("os", { orderId, page: smallNumber }),
  /** Shows how an order was filled, as a picture. */
  fills: kind("of", orderId),
  /** Shows the price of a pair's first token in the second over time, as a picture. */
  chart: values("ch", { grain: among(["minute", "hour", "day"]), pair: like(/^[A-Z0-9-]+\/[A-Z0-9-]+$/) }),
  /** Shows a finished trade as a picture to share. */
  shareTrade: kind("sh", intentId),
  /** Shows a position as a picture: of what is held of the pair's first token, or of what a trade sold. */
  position: values("pp", { amounts: among(amountsShown), pair: like(/^[A-Z0-9-]+\/[A-Z0-9-]+$/) }),
  soldPosition: values("ps", { amounts: among(amountsShown), id: intentId }),
  unwatchInList: values("ox", { orderId, page: smallNumber }),
  priceAlert: values("al", { action: among(alertActions), id: intentId }),
  priceAlertsPage: kind("als", smallNumber),
  standing: values("so", { action: among(standingActions), id: intentId }),
  standingInList: values("sol", { action: among(["pause", "resume", "end", "back"]), id: intentId, page: smallNumber }),
  /** What became of an order that a restore holds. */
  standingRestored: values("sor", { action: among(["go", "end"]), id: intentId }),
  /** Lets all orders go on with the user's new address, or moves them to their new time zone. */
  standingAll: kind("soa", among(["resume", "zone", "look"])),
  link: values("pl", { action: among(linkActions), id: intentId }),
  setting: kind(
    "set",
    among(["menu", "slippage", "custom-slippage", "presets", "language", "timezone", "alerts", "pictures"]),
  ),
  slippage: kind("slip", smallNumber),
  language: kind("lang", like(/^[a-z-]+$/)),
  /** Tells of each week on Sundays, or no more. `on`: the card that it is on. */
  weekly: values("wk", { choice: among(["on", "off"]), on: among(["week", "settings"]) }),
  /** Tells what arrives at the user's address, or no more. */
  arrivals: kind("ar", among(["on", "off"])),
  alertMode: values("am", { kind: among(alertKinds), mode: among(alertModes) }),
  quietHours: kind("aq", among(["ask", "none"])),
  testAlert: kind("at", among(["now"])),
  /** Acts as if the user had typed this command, without the slash, or this text. */
  command: kind("do", like(/^.+$/)),
  home: kind("home", among(["now"])),
  /** Opens a part of the menu in place. */
  menu: kind("mn", among(menuParts)),
  token: kind("t", like(/^[A-Z0-9-]+$/)),
  /** Shows a token's card as it is now, in place. */
  tokenNow: kind("tn", like(/^[A-Z0-9-]+$/)),
  /** Offers prices at which a token could be bought or sold. */
  atPrice: kind("ap", like(/^[A-Z0-9-]+$/)),
  /** Changing the address takes two taps: `useAddress`, then `wallet`. Each carries the end of the address. */
  useAddress: kind("use", like(/^[a-z0-9]+$/)),
  wallet: kind("wallet", like(/^[a-z0-9]+$/)),
  /** Watches the offered address, or one that the user is asked for. */
  addAddress: kind("wa", like(/^[a-z0-9]+$/)),
  watchOnly: values("wo", { action: among(["rename", "remove"]), mark: like(/^[a-z0-9]+$/) }),
  undo: kind("undo", among(["wallet", "unfreeze", "forget"])),
  /** Takes back a change of limits that was just made. */
  takeBack: kind("tb", intentId),
  /** `at`: when the user asked, in seconds since 1970. */
  forget: values("forget", { step: among(["ask", "now", "keep"]), at: wholeNumber(11) }),
  launch: {
    verb: "launch",
    write: (tap) => (tap === "new" ? tap : `${tap.launchId}/${launchActionText(tap)}`),
    read: (text) => {
      if (text === "new") return text;
      const [, launchId, action] = /^([A-Za-z0-9_-]+)\/(.+)$/.exec(text) ?? [];
      const known = launchActions.find((each) => launchActionText(each) === action);
      return launchId === undefined ? undefined : known && { launchId, ...known };
    },
  } satisfies ButtonKind<LaunchTap>,
  admin: values("adm", { section: among(["overview", "unknown", "fees", "audit", "requests"]), page: smallNumber }),
  /** Shows a token's volume, or what was earned in it, as a picture. */
  volume: values("admp", { of: among(["volume", "earned"]), tokenId: like(/^[A-Z0-9-]+$/) }),
  volumeFile: kind("admv", among(["csv"])),
  settled: kind("settled", intentId),
  /** Id of the draft that holds the text. */
  broadcast: kind("bc", intentId),
  haltBroadcast: kind("bchalt", among(["now"])),
  askIn: kind("askin", among(["now"])),
  /** Asks the operator to list a token. */
  askToList: kind("lt", like(/^[A-Z0-9-]+$/)),
  member: values("member", { action: among(["let", "decline", "out"]), userId: wholeNumber(15) }),
  unreadable: values("rec", { action: among(["look", "anew"]), userId: wholeNumber(15) }),
  tradingPause: kind("trade", among(["pause", "resume", "resume-now"])),
  /** Id of the draft that holds the reason. */
  pauseNow: kind("pause", intentId),
  /** A dialog's suggested answer, as the user could type it. */
  pick: kind("pick", like(/^.+$/s)),
  /** Ends the dialog whose question it is under. */
  leave: kind("leave", among(["now"])),
  /** Continues the dialog that something else ended at the question in this message. */
  resume: kind("resume", wholeNumber(10)),
};

export type ButtonName = keyof typeof buttons;
export type PayloadOf<Name extends ButtonName> = NonNullable<ReturnType<(typeof buttons)[Name]["read"]>>;

/** A page of a card for operators, counted from 0. */
export type AdminPlace = PayloadOf<"admin">;

export type VolumeAsked = PayloadOf<"volume">;

/** Returns undefined for data that this bot did not write. */
export function readButton(data: string): { readonly verb: string; readonly text: string } | undefined {
  const [, verb, text] = /^v1:([a-z-]+):(.+)$/s.exec(data) ?? [];
  return verb === undefined || text === undefined ? undefined : { verb, text };
}

export function button<Data>(text: string, kind: ButtonKind<Data>, data: NoInfer<Data>): CallbackButton {
  return { text: isolated(replaceInvisible(text)), callback_data: `v1:${kind.verb}:${kind.write(data)}` };
}

export const giving = (made: InlineKeyboardButton): InlineKeyboardButton => ({ ...made, style: "danger" });

/** Label of one choice among several. */
export const marked = (text: string, isChosen: boolean): string => (isChosen ? `• ${text}` : text);

/** Telegram's limit on a button's data. */
const MAX_BUTTON_BYTES = 64;

/** Returns undefined if the data doesn't fit in a button. */
export function shortButton<Data>(text: string, kind: ButtonKind<Data>, data: NoInfer<Data>) {
  const made = button(text, kind, data);
  return Buffer.byteLength(made.callback_data) <= MAX_BUTTON_BYTES ? made : undefined;
}

/** Returns undefined if the command doesn't fit in a button. */
export function commandButton(text: string, command: string): InlineKeyboardButton | undefined {
  return shortButton(text, buttons.command, command);
}

function kind<Payload extends string | number>(verb: string, read: PayloadParser<Payload>): ButtonKind<Payload> {
  return { verb, write: String, read };
}

/** Several values, separated by dots. */
function values<Payload extends object>(verb: string, reads: Reads<Payload>): ButtonKind<Payload> {
  const names = Object.keys(reads) as (keyof Payload)[];
  return {
    verb,
    write: (payload) => names.map((name) => String(payload[name])).join("."),
    read: (text) => {
      const texts = text.split(".");
      const read = names.map((name, at) => [name, reads[name](texts[at] ?? "")] as const);
      const isWhole = texts.length === names.length && read.every(([, value]) => value !== undefined);
      return isWhole ? (Object.fromEntries(read) as Payload) : undefined;
    },
  };
}

function like(pattern: RegExp): PayloadParser<string> {
  return (text) => (pattern.test(text) ? text : undefined);
}

function among<const Choice extends string>(choices: readonly Choice[]): PayloadParser<Choice> {
  return (text) => choices.find((choice) => choice === text);
}

function wholeNumber(digits: number): PayloadParser<number> {
  const pattern = new RegExp(`^[0-9]{1,${digits}}$`);
  // oxlint-disable-next-line money/no-floating-point -- what buttons carry as a number is never an amount
  return (text) => (pattern.test(text) ? Number(text) : undefined);
}

function launchActionText(done: (typeof launchActions)[number]): string {
  return "step" in done ? `${done.action}.${done.step}` : done.action;
}
