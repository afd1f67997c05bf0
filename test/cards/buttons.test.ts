import { describe, expect, it, test } from "vitest";
import { button, buttons, readButton, type ButtonKind } from "../../src/cards/buttons.js";

type PayloadOf<Kind> = Kind extends ButtonKind<infer Payload> ? Payload : never;

const intentId = "A".repeat(22);
const orderId = "1989652f-be77-4179-924e-b71c03a4198a";
/** A token id has at most 10 characters before its hyphen and 4 after it; a nonce is a u64. */
const locked = `${"T".repeat(10)}-1A2B/18446744073709551615`;

/** The largest payload that each button can carry. */
const largest: { readonly [Name in keyof typeof buttons]: PayloadOf<(typeof buttons)[Name]> } = {
  confirm: intentId,
  accept: intentId,
  refresh: intentId,
  freeze: "now",
  guard: "phrase",
  check: intentId,
  file: intentId,
  cancel: intentId,
  toRoute: intentId,
  toSwap: intentId,
  unlock: locked,
  locksPage: 99_999,
  history: { filter: "multihop", page: 99_999 },
  historyFile: "cointracking",
  receipt: intentId,
  receipts: { month: "2026-12", as: "card" },
  volume: { of: "earned", tokenId: `${"T".repeat(10)}-1A2B` },
  volumeFile: "csv",
  portfolio: { tokenId: `${"T".repeat(10)}-1A2B`, as: "card" },
  priceAlert: { action: "through", id: intentId },
  priceAlertsPage: 99_999,
  standing: { action: "through", id: intentId },
  standingInList: { action: "resume", id: intentId, page: 99_999 },
  standingRestored: { action: "end", id: intentId },
  standingAll: "resume",
  link: { action: "resume", id: intentId },
  home: "now",
  tokenNow: "KFI",
  atPrice: "KFI",
  menu: "trade",
  order: orderId,
  orderAnew: orderId,
  watch: orderId,
  unwatch: orderId,
  ordersPage: 99_999,
  fills: orderId,
  chart: { grain: "minute", pair: `${"T".repeat(10)}-1A2B/${"U".repeat(10)}-1A2B` },
  shareTrade: intentId,
  position: { amounts: "hidden", pair: `${"T".repeat(10)}-1A2B/${"U".repeat(10)}-3C4D` },
  soldPosition: { amounts: "hidden", id: intentId },
  mute: { orderId, page: 99_999 },
  unmute: { orderId, page: 99_999 },
  unwatchInList: { orderId, page: 99_999 },
  setting: "custom-slippage",
  slippage: 10_000,
  language: "pt",
  arrivals: "off",
  weekly: { choice: "off", on: "settings" },
  alertMode: { kind: "canceled", mode: "silent" },
  quietHours: "none",
  testAlert: "now",
  command: `swap ${"9".repeat(20)} KLV ${"T".repeat(10)}-1A2B`,
  token: `${"T".repeat(10)}-1A2B`,
  useAddress: "a".repeat(24),
  wallet: "a".repeat(24),
  addAddress: "a".repeat(24),
  watchOnly: { action: "rename", mark: "a".repeat(24) },
  undo: "unfreeze",
  takeBack: "a".repeat(22),
  forget: { step: "keep", at: 99_999_999_999 },
  launch: { launchId: intentId, action: "not", step: "add-liquidity" },
  admin: { section: "overview", page: 99_999 },
  settled: intentId,
  broadcast: intentId,
  haltBroadcast: "now",
  askIn: "now",
  askToList: `${"T".repeat(10)}-1A2B`,
  member: { action: "decline", userId: 999_999_999_999_999 },
  unreadable: { action: "look", userId: 999_999_999_999_999 },
  tradingPause: "resume-now",
  pauseNow: intentId,
  pick: `${"9".repeat(40)}.${"9".repeat(8)}`,
  leave: "now",
  resume: 2_147_483_647,
};

describe.each(Object.keys(buttons) as (keyof typeof buttons)[])("the button %s", (name) => {
  const kind = buttons[name] as ButtonKind<unknown>;

  it("fits in Telegram's 64 bytes with its largest payload, and reads back what it wrote", () => {
    const data = (button("text", kind, largest[name]) as { callback_data: string }).callback_data;
    expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);
    const read = readButton(data)!;
    expect(read.verb).toBe(kind.verb);
    expect(kind.read(read.text)).toEqual(largest[name]);
  });

  it("has a verb of its own", () => {
    expect(Object.values(buttons).filter(({ verb }) => verb === kind.verb)).toHaveLength(1);
  });
});

test.each<[string, keyof typeof buttons, unknown]>([
  ["v1:c:AAAAAAAAAAAAAAAAAAAAAA", "confirm", "AAAAAAAAAAAAAAAAAAAAAA"],
  ["v1:a:AAAAAAAAAAAAAAAAAAAA_-", "accept", "AAAAAAAAAAAAAAAAAAAA_-"],
  ["v1:r:AAAAAAAAAAAAAAAAAAAAAA", "refresh", "AAAAAAAAAAAAAAAAAAAAAA"],
  ["v1:x:AAAAAAAAAAAAAAAAAAAAAA", "cancel", "AAAAAAAAAAAAAAAAAAAAAA"],
  ["v1:m:AAAAAAAAAAAAAAAAAAAAAA", "toRoute", "AAAAAAAAAAAAAAAAAAAAAA"],
  ["v1:s:AAAAAAAAAAAAAAAAAAAAAA", "toSwap", "AAAAAAAAAAAAAAAAAAAAAA"],
  ["v1:u:LKTOK-1A2B/7", "unlock", "LKTOK-1A2B/7"],
  ["v1:lk:1", "locksPage", 1],
  ["v1:h:all.0", "history", { filter: "all", page: 0 }],
  [`v1:or:${orderId}`, "order", orderId],
  [`v1:oo:${orderId}`, "orderAnew", orderId],
  [`v1:ow:${orderId}`, "watch", orderId],
  [`v1:ou:${orderId}`, "unwatch", orderId],
  ["v1:ol:2", "ordersPage", 2],
  [`v1:om:${orderId}.0`, "mute", { orderId, page: 0 }],
  [`v1:os:${orderId}.12`, "unmute", { orderId, page: 12 }],
  [`v1:ox:${orderId}.0`, "unwatchInList", { orderId, page: 0 }],
  ["v1:set:custom-slippage", "setting", "custom-slippage"],
  ["v1:set:menu", "setting", "menu"],
  ["v1:slip:100", "slippage", 100],
  ["v1:lang:pt", "language", "pt"],
  ["v1:do:swap 100 KLV KFI", "command", "swap 100 KLV KFI"],
  ["v1:t:DVK-34ZH", "token", "DVK-34ZH"],
  ["v1:use:4er4qujlazy", "useAddress", "4er4qujlazy"],
  ["v1:wk:on.week", "weekly", { choice: "on", on: "week" }],
  ["v1:ar:on", "arrivals", "on"],
  ["v1:wa:new", "addAddress", "new"],
  ["v1:wo:remove.4er4qujlazy", "watchOnly", { action: "remove", mark: "4er4qujlazy" }],
  ["v1:am:fill.silent", "alertMode", { kind: "fill", mode: "silent" }],
  ["v1:aq:ask", "quietHours", "ask"],
  ["v1:at:now", "testAlert", "now"],
  ["v1:launch:new", "launch", "new"],
  ["v1:launch:l-1/open", "launch", { launchId: "l-1", action: "open" }],
  ["v1:launch:l-1/do.set-roles", "launch", { launchId: "l-1", action: "do", step: "set-roles" }],
  ["v1:pick:1.5 KLV", "pick", "1.5 KLV"],
])("%s, from an old message, is still the button %s", (data, name, payload) => {
  const kind = buttons[name] as ButtonKind<unknown>;
  expect(readButton(data)?.verb).toBe(kind.verb);
  expect(kind.read(readButton(data)!.text)).toEqual(payload);
  expect((button("text", kind, payload) as { callback_data: string }).callback_data).toBe(data);
});

test.each(["", "v1:", "v1:c", "v1:c:", "v1::A", "v2:c:A", "v1:C:A"])("%j is not a button's data", (data) => {
  expect(readButton(data)).toBeUndefined();
});

test("a forged payload is rejected", () => {
  expect(buttons.confirm.read("A:B")).toBeUndefined();
  expect(buttons.confirm.read("A\n")).toBeUndefined();
  expect(buttons.history.read("all.-1")).toBeUndefined();
  expect(buttons.setting.read("__proto__")).toBeUndefined();
  expect(buttons.alertMode.read("fill.loud")).toBeUndefined();
  expect(buttons.launch.read("l/do.dance")).toBeUndefined();
  expect(buttons.mute.read(orderId)).toBeUndefined();
});
