import { shortAddress } from "../encoding/address.js";
import { NATIVE_TOKEN } from "../encoding/amount.js";
import type { Messages } from "../locales/messages.js";
import { slippageOf, type Person, type SlippageConfig } from "../services/person/person.js";
import { figure, percentOfBps } from "./amount.js";
import { button, buttons, commandButton, giving, type MenuPart, shortButton } from "./buttons.js";
import { bold, card, type ButtonRows, type Card, type Lines, type View } from "./card.js";
import { frozenLines, unfreezeRow } from "./freeze.js";

/** The commands that Telegram's menu lists: what people do most. */
const LISTED = [
  ...(["start", "swap", "limit", "stoploss", "dca", "orders", "alert", "portfolio", "history"] as const),
  ...(["freeze", "settings", "help", "cancel"] as const),
];
/** A command that is typed in a group is seen by its sender alone if it is listed there. */
const ANSWERED_IN_GROUPS = ["quote", "order"] as const;

/** What Telegram lists in private chats, or in groups. */
export function commandsOffered({ help }: Messages, where: "private" | "groups" = "private") {
  const [, ...withoutStart] = LISTED;
  const listed = where === "private" ? LISTED : [...ANSWERED_IN_GROUPS, ...withoutStart];
  return listed.map((command) => ({ command, description: help.commands[command] }));
}

/** The commands in each part of the menu, in the order of their buttons. Settings are a card of their own. */
export const menuCommands = {
  trade: ["swap", "quote", "multihop", "chart", "lock", "locks", "launch", "repeat"],
  orders: ["limit", "stoploss", "exit", "dca", "orders", "order", "signals"],
  alerts: ["alert", "alerts", "newpairs", "bigtrades", "balance"],
  portfolio: ["portfolio", "balance", "history", "week", "receipt", "addresses"],
  safety: ["security", "wallet", "stop", "privacy", "forget"],
} as const satisfies Readonly<Record<MenuPart, readonly (keyof Messages["menu"]["go"])[]>>;

/** What is open of a user, as far as a part of the menu says it. */
export interface MenuState {
  readonly orders?: Readonly<Record<"here" | "watched", number>>;
  readonly alerts?: { readonly prices: number; readonly pairs: number } & Readonly<
    Record<"newPairs" | "arrivals", boolean>
  >;
}

/** The rows that lead to each part. */
export function menuRows({ menu: { title } }: Messages): ButtonRows {
  const to = (part: MenuPart) => button(title[part], buttons.menu, part);
  return [
    [to("trade"), to("orders")],
    [to("alerts"), to("portfolio")],
    [to("safety"), button(title.settings, buttons.setting, "menu")],
  ];
}

/**
 * A part of the menu: how things are, what can be typed, and a button for each thing in it.
 * @param tokens whose own cards are a tap away; the first two are in what can be typed.
 */
export function menuCard(
  part: MenuPart,
  state: MenuState,
  tokens: readonly string[],
  person: Person,
  operator: SlippageConfig,
  view: View,
): Card {
  const { common, menu, security, settings } = view.words;
  const [pay, get] = tokens;
  const lines: Lines = [
    bold(menu.title[part]),
    stateOfPart(part, state, person, operator, view),
    pay !== undefined && get !== undefined && ["", menu.typed[part](pay, get)],
  ];
  const freeze = person.frozenSince === undefined && giving(button(security.freeze, buttons.freeze, "ask"));
  const more: Partial<Record<MenuPart, ButtonRows>> = {
    trade: [tokens.map((id) => shortButton(id, buttons.token, id))],
    alerts: [[button(settings.alerts, buttons.setting, "alerts")]],
    safety: [unfreezeRow(person), [freeze]],
  };
  return card(lines, [
    ...inPairs(menuCommands[part].map((command) => commandButton(menu.go[command], command))),
    ...(more[part] ?? []),
    [button(common.back, buttons.home, "now")],
  ]);
}

function inPairs(all: ButtonRows[number]): ButtonRows {
  return all.flatMap((_, at) => (at % 2 === 0 ? [all.slice(at, at + 2)] : []));
}

function stateOfPart(
  part: MenuPart,
  { orders, alerts }: MenuState,
  person: Person,
  operator: SlippageConfig,
  view: View,
): Lines {
  const { words } = view;
  const { is, state } = words.menu;
  const onOff = (isOn: boolean) => (isOn ? is.on : is.off);
  switch (part) {
    case "trade": {
      const amounts = person.presets.map((preset) => figure(preset, words)).join(" · ");
      return [state.trade(percentOfBps(slippageOf(person, operator), words), `${amounts} ${NATIVE_TOKEN}`)];
    }
    case "orders":
      return [orders && state.orders(orders.here, orders.watched)];
    case "alerts": {
      if (alerts === undefined) return [];
      const { prices, pairs, newPairs, arrivals } = alerts;
      return [state.alerts(prices, pairs), state.news(onOff(newPairs), onOff(arrivals))];
    }
    case "portfolio": {
      const { wallet, watchOnly = [] } = person;
      return [state.portfolio(wallet === undefined ? is.none : shortAddress(wallet.address), watchOnly.length)];
    }
    case "safety": {
      const limits = Object.keys(person.limits ?? {}).join(", ") || is.none;
      const frozen = person.frozenSince === undefined ? state.open : frozenLines(person, view);
      return [frozen, state.safety(limits, person.phrase === undefined ? is.none : is.set)];
    }
  }
}
