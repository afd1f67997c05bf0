import { shortAddress } from "../encoding/address.js";
import type { Messages } from "../locales/messages.js";
import type { WatchedAccount } from "../services/history/portfolio.js";
import type { Person } from "../services/person/person.js";
import { walletMark } from "../services/person/wallet-address.js";
import { MAX_WATCH_ONLY, type WatchOnly } from "../services/person/watch-only.js";
import { exactWithToken } from "./amount.js";
import { button, buttons, NEW_ADDRESS } from "./buttons.js";
import { bold, card, code, line, type Card, type Lines, type View } from "./card.js";
import type { Parts } from "./list.js";

export function addressesCard(
  { wallet, watchOnly = [] }: Pick<Person, "wallet" | "watchOnly">,
  { addresses: words, help }: Messages,
  notices: Lines = [],
): Card {
  const listed = watchOnly.map(({ address, name }) => [
    line(bold(name), address === wallet?.address && ` · ${words.nowOwn}`),
    code(address),
  ]);
  const rows = watchOnly.map(({ address, name }) => {
    const mark = walletMark(address);
    return [
      button(`✏️ ${name}`, buttons.watchOnly, { action: "rename", mark }),
      button(`🗑 ${name}`, buttons.watchOnly, { action: "remove", mark }),
    ];
  });
  const add = watchOnly.length < MAX_WATCH_ONLY && button(words.add, buttons.addAddress, NEW_ADDRESS);
  const lines = [notices, bold(help.commands.addresses), listed.length === 0 ? words.none : listed, "", words.explain];
  return card(lines, [...rows, [add]]);
}

/** What was removed, in full: to add it again, it is pasted. */
export const removedLines = ({ name, address }: WatchOnly, { addresses }: Messages): Lines => [
  addresses.removed(name),
  code(address),
  "",
];

const MAX_HELD = 6;

/** What watch-only addresses hold, below what a user's own address does. */
export function watchedParts(accounts: readonly WatchedAccount[], { words }: View): Parts {
  return accounts.flatMap(({ name, address, held }) => {
    const shown = held?.slice(0, MAX_HELD).map((amount) => ({ lines: [bold(exactWithToken(amount, words))] }));
    const more = (held?.length ?? 0) - MAX_HELD;
    return [
      "",
      line(`${words.addresses.title} · `, bold(name), " · ", code(shortAddress(address))),
      held === undefined && words.addresses.unknown,
      held?.length === 0 && words.balance.nothing,
      { layout: "close" as const, entries: shown ?? [] },
      more > 0 && words.common.andMore(more),
    ];
  });
}
