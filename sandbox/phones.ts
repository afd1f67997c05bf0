import type { Address } from "./chain/address.js";
import type { Telegram } from "./telegram/telegram.js";
import type { World } from "./world.js";

/**
 * @returns why a call in an account's name is refused, if it is. The body names the account but proves nothing; but the
 * sandbox is Telegram too: if others have typed the address, the call counts only if the owner tapped last.
 */
export function foreignPhone({ accounts }: World, telegram: Pick<Telegram, "people" | "chat" | "lastTap">) {
  return (caller: Address): string | undefined => {
    const account = accounts.find(({ address }) => address === caller);
    if (account === undefined) return undefined;
    const others = telegram
      .people()
      .filter(({ id }) => id !== account.telegramId)
      .filter(({ id }) => telegram.chat(id).some(({ from, text }) => from === "person" && names(text, caller)));
    if (others.length === 0) return undefined;
    const last = telegram.lastTap([...others.map(({ id }) => id), ...(account.telegramId ? [account.telegramId] : [])]);
    if (last !== undefined && last === account.telegramId) return undefined;
    const phone = others.find(({ id }) => id === last)?.firstName;
    const asked = phone === undefined ? "another phone may have asked" : `${phone}'s phone asked`;
    return `this account is ${account.name}'s, but ${asked}. A real node must check who calls, too`;
  };
}

function names(text: string, address: Address): boolean {
  return text.toLowerCase().includes(address);
}
