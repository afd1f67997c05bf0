import { unreadableAnswer } from "../../encoding/result.js";
import { Fault } from "../../fault.js";
import { isRecord } from "../../store/store.js";

/** What moved from one account to another. */
export interface Transfer {
  /** In base64 of their 32 bytes; nobody's is all zero, where what is minted comes from and what is burned goes. */
  readonly from: string;
  readonly to: string;
  /** The token's id, with its nonce if it has one. */
  readonly asset: string;
  readonly units: bigint;
}

/**
 * A first byte of zero in base64: the first of the kinds (core/process/transaction/receipt.go), which all movements of
 * tokens leave.
 */
const TRANSFER = /^A[A-P]/;

/** 32 bytes in base64. */
const ACCOUNT = /^[A-Za-z0-9+/]{43}=$/;
const UNITS_TEXT = /^[0-9]{1,19}$/;

export const NOBODY = `${"A".repeat(43)}=`;

/** A contract's account begins with eight bytes of zeros; nobody's does, too. */
export const isContract = (account: string): boolean => /^A{10}[A-D]/.test(account);

/**
 * Reads a receipt as indexer/common.go does: kind, from, to, units as text, token, nonce as text. Undefined for other
 * kinds. Bytes are in base64; empty ones may be null. There are many: this is most of what reading a block takes, hence
 * no schema. @throws Fault `answer-unreadable`.
 */
export function readTransfer(receipt: unknown): Transfer | undefined {
  const { Data } = isRecord(receipt) ? receipt : {};
  if (!Array.isArray(Data) || !TRANSFER.test(textAt(Data, 0))) return undefined;
  const [from, to] = [textAt(Data, 1), textAt(Data, 2)];
  const [units, id, nonce] = [latinAt(Data, 3), latinAt(Data, 4), latinAt(Data, 5)];
  if (!ACCOUNT.test(from) || !ACCOUNT.test(to) || !UNITS_TEXT.test(units) || id === "") {
    throw unreadableAnswer("a transfer in another form");
  }
  return { from, to, asset: nonce === "" ? id : `${id}/${nonce}`, units: BigInt(units) };
}

function textAt(parts: readonly unknown[], at: number): string {
  const part = parts[at];
  if (typeof part === "string") return part;
  if (part == null) return "";
  throw unreadableAnswer("a receipt in another form");
}

/** A quarter of what a Buffer takes. */
function latinAt(parts: readonly unknown[], at: number): string {
  const text = textAt(parts, at);
  try {
    return atob(text);
  } catch (cause) {
    throw new Fault("answer-unreadable", { reason: "bytes in another form" }, { cause });
  }
}
