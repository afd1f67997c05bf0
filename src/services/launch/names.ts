import { Fault } from "../../fault.js";
import type { Token } from "../../encoding/token.js";

/** A ticker as the chain takes it (klever-vm-sdk-rs `token_identifier_util.rs`), and the native tokens' names, which are taken. */
const TICKER = /^[A-Z0-9]{3,10}$/;
const TAKEN = ["KLV", "KFI"];
/** Token names of the reference chain are 3 to 20 letters and digits; a longer one could be refused when it is issued. */
const NAME = /^[A-Za-z0-9]{3,20}$/;
/** How much of each token's ticker fits into ten characters after `LP`. */
const PART = 4;

/** `LPKLVDVK` for KLV and DVK-34ZH: a name and ticker that the chain takes. */
export function suggestedLpName(first: Pick<Token, "id">, second: Pick<Token, "id">): string {
  const part = ({ id }: Pick<Token, "id">) => (id.split("-")[0] ?? "").slice(0, PART);
  return `LP${part(first)}${part(second)}`;
}

/** Reads a ticker, in upper case. @throws Fault `lp-ticker-invalid`. */
export function readLpTicker(text: string): string {
  const ticker = text.trim().toUpperCase();
  if (!TICKER.test(ticker) || TAKEN.includes(ticker)) throw new Fault("lp-ticker-invalid", { text: text.slice(0, 40) });
  return ticker;
}

/** Reads a display name. @throws Fault `lp-name-invalid`. */
export function readLpName(text: string): string {
  const name = text.trim();
  if (!NAME.test(name)) throw new Fault("lp-name-invalid", { text: text.slice(0, 40) });
  return name;
}
