import { Fault } from "../fault.js";

export type Reader = ReturnType<typeof readerOf>;

/**
 * Reads the chain's nested encoding from front to back: fixed-width integers and length-prefixed bytes.
 * @throws from its methods Fault `answer-unreadable` when the bytes end too early or are not what is read.
 */
export function readerOf(source: Uint8Array) {
  let position = 0;
  const bytes = (count: number): Uint8Array => {
    if (position + count > source.length) throw unreadable("input too short");
    position += count;
    return source.subarray(position - count, position);
  };
  const u32 = (): number => Buffer.from(bytes(4)).readUInt32BE(0);
  /** A 4-byte big-endian length, then that many bytes. */
  const lengthPrefixed = (): Uint8Array => bytes(u32());
  return {
    bytes,
    u64: (): bigint => Buffer.from(bytes(8)).readBigUInt64BE(0),
    bigUint: (): bigint => bytesToBigUint(lengthPrefixed()),
    text: (): string => bytesToText(lengthPrefixed()),
    isAtEnd: (): boolean => position === source.length,
    /** @throws Fault `answer-unreadable` when bytes are left. */
    end: (): void => {
      if (position !== source.length) throw unreadable("input too long");
    },
  };
}

/** An unsigned big-endian number; no bytes are zero. @throws Fault `answer-unreadable` beyond 64 bytes. */
export function bytesToBigUint(bytes: Uint8Array): bigint {
  if (bytes.length > 64) throw unreadable(`a number of ${bytes.length} bytes`);
  return bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
}

export function unreadable(reason: string): Fault {
  return new Fault("answer-unreadable", { reason });
}

/** Printable ASCII text, as token ids are. @throws Fault `answer-unreadable`. */
export function bytesToText(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString("latin1");
  if (!/^[\x20-\x7e]*$/.test(text)) throw unreadable("text with unprintable bytes");
  return text;
}
