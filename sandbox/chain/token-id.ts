import { createHash } from "node:crypto";

/** The chain's native token; contracts hold it like any other. */
export const NATIVE_TOKEN = "KLV";

const TICKER = /^[A-Z0-9]{3,10}$/;
const SUFFIX_LENGTH = 4;

/** KLV, KFI, or a ticker of 3 to 10 characters, a dash and 4 more (klever-vm-sdk-rs `token_identifier_util.rs`). */
export function isTokenId(text: string): boolean {
  if (text === NATIVE_TOKEN || text === "KFI") return true;
  const [ticker = "", suffix = "", ...rest] = text.split("-");
  return rest.length === 0 && TICKER.test(ticker) && /^[A-Z0-9]{4}$/.test(suffix);
}

/** The id of the issued token number `count`: its ticker and four characters that look random but never change. */
export function issuedTokenId(ticker: string, count: number): string {
  const digits = createHash("sha256")
    .update(`${ticker} ${count}`)
    .digest()
    .readBigUInt64BE()
    .toString(36)
    .toUpperCase();
  return `${ticker}-${digits.slice(-SUFFIX_LENGTH).padStart(SUFFIX_LENGTH, "0")}`;
}

/** Whether a token can be issued under this ticker. */
export function isTicker(text: string): boolean {
  return TICKER.test(text) && text !== NATIVE_TOKEN && text !== "KFI";
}
