import type { Token } from "../../encoding/amount.js";
import { Fault } from "../../fault.js";
import { swappable } from "./swap-request.js";
import type { TokenList } from "../market/token-list.js";
import { collectFaults, splitWords, type Parsed } from "../base/typed-line.js";

/** The ticker defaults to {@link suggestedLpName}, and the name to the ticker. */
export interface LaunchStart {
  readonly first: Token;
  readonly second: Token;
  readonly lpTicker?: string;
  readonly lpName?: string;
}

/** Reads `KLV DVK-34ZH`, optionally with the LP token's ticker and name. */
export function readLaunchStart(line: string, tokens: TokenList): Exclude<Parsed<LaunchStart>, "incomplete"> {
  const [one, other, lpTicker, lpName, ...rest] = splitWords(line);
  if (one === undefined || other === undefined || rest.length > 0) return "unreadable";
  const { faults, attempt } = collectFaults();
  const first = attempt(() => swappable(one, tokens));
  const second = attempt(() => swappable(other, tokens));
  if (first === undefined || second === undefined) return { faults };
  return { first, second, ...(lpTicker !== undefined && { lpTicker }), ...(lpName !== undefined && { lpName }) };
}

/** Tickers that the chain accepts (klever-vm-sdk-rs `token_identifier_util.rs`), except those of the native tokens. */
const TICKER = /^[A-Z0-9]{3,10}$/;
const TAKEN = ["KLV", "KFI"];
/** On the reference chain, token names are 3 to 20 letters and digits; issuing any other could be refused. */
const TOKEN_NAME = /^[A-Za-z0-9]{3,20}$/;
/** Number of characters of each ticker that fit into ten after `LP`. */
const PART = 4;

/** `LPKLVDVK` for KLV and DVK-34ZH. */
export function suggestedLpName(first: Pick<Token, "id">, second: Pick<Token, "id">): string {
  const part = ({ id }: Pick<Token, "id">) => (id.split("-")[0] ?? "").slice(0, PART);
  return `LP${part(first)}${part(second)}`;
}

/** @throws Fault `lp-ticker-invalid`. */
export function readLpTicker(text: string): string {
  const ticker = text.trim().toUpperCase();
  if (!TICKER.test(ticker) || TAKEN.includes(ticker)) throw new Fault("lp-ticker-invalid", { text: text.slice(0, 40) });
  return ticker;
}

/** @throws Fault `lp-name-invalid`. */
export function readLpName(text: string): string {
  const name = text.trim();
  if (!TOKEN_NAME.test(name)) throw new Fault("lp-name-invalid", { text: text.slice(0, 40) });
  return name;
}
