import { Fault } from "../fault.js";

type Scalar = "uint64" | "int64" | "uint32" | "int32" | "bytes" | "string";

export interface Field {
  readonly id: number;
  readonly type: Scalar | Message;
  readonly repeated?: true;
}

/** A protobuf message (proto3), its fields in the order of their numbers. A map is a repeated entry of key and value. */
export type Message = { readonly [name: string]: Field };

type One<Type> = Type extends "bytes"
  ? Uint8Array
  : Type extends "string"
    ? string
    : Type extends Scalar
      ? bigint
      : Type extends Message
        ? MessageValue<Type>
        : never;

/** The value of a message. A number that is left out is zero, a text or bytes empty; only a message can be absent. */
export type MessageValue<Of extends Message> = {
  readonly [Name in keyof Of]: Of[Name] extends { readonly repeated: true }
    ? readonly One<Of[Name]["type"]>[]
    : Of[Name]["type"] extends Message
      ? One<Of[Name]["type"]> | undefined
      : One<Of[Name]["type"]>;
};

const MAXIMUM = {
  uint64: (1n << 64n) - 1n,
  // Nothing in a transaction is negative, so nothing here is.
  int64: (1n << 63n) - 1n,
  uint32: (1n << 32n) - 1n,
  int32: (1n << 31n) - 1n,
} as const;

const VARINT = 0n;
const LENGTH_PREFIXED = 2n;

/**
 * The one canonical form of a value: fields in order, zero and empty left out.
 * @throws Fault `transaction-unreadable` for a number outside its type.
 */
export function writeMessage<Of extends Message>(message: Of, value: MessageValue<Of>): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const [name, field] of Object.entries(message)) {
    const held: unknown = value[name];
    for (const each of isLeftOut(held) ? [] : [held].flat()) {
      parts.push(writeVarint(tagOf(field)), writeValue(field.type, each));
    }
  }
  return new Uint8Array(Buffer.concat(parts));
}

/**
 * Reads exactly what {@link writeMessage} writes: of all bytes that other readers take for the same value it takes one, so
 * what was read and is written again has the same hash. Only the order among the entries of a repeated field is free.
 * @throws Fault `transaction-unreadable`.
 */
export function readMessage<Of extends Message>(message: Of, bytes: Uint8Array): MessageValue<Of> {
  const value: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(message)) value[name] = emptyOf(field);
  const cursor = cursorOf(bytes);
  let last = 0;
  while (!cursor.isAtEnd()) {
    const tag = cursor.varint(MAXIMUM.uint32);
    const found = Object.entries(message).find(([, field]) => tagOf(field) === tag);
    if (found === undefined) throw unreadable("a field that is not known");
    const [name, field] = found;
    if (field.id < last || (field.id === last && field.repeated !== true)) throw unreadable("fields out of order");
    last = field.id;
    const read = readValue(field.type, cursor);
    if (field.repeated === true) (value[name] as unknown[]).push(read);
    else if (isLeftOut(read)) throw unreadable("a field that says nothing");
    else value[name] = read;
  }
  return value as MessageValue<Of>;
}

type Cursor = ReturnType<typeof cursorOf>;

function cursorOf(bytes: Uint8Array) {
  let position = 0;
  const varint = (maximum: bigint): bigint => {
    let number = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[position];
      if (byte === undefined) throw unreadable("it ends too early");
      position += 1;
      number |= BigInt(byte & 0x7f) << shift;
      if (byte >= 0x80) continue;
      if (byte === 0 && shift > 0n) throw unreadable("a number that is padded");
      if (number > maximum) break;
      return number;
    }
    throw unreadable("a number out of range");
  };
  return {
    varint,
    lengthPrefixed: () => {
      const length = varint(MAXIMUM.uint32);
      const start = position;
      // oxlint-disable-next-line money/no-floating-point -- a length below 2^32, not money
      position += Number(length);
      if (position > bytes.length) throw unreadable("it ends too early");
      return new Uint8Array(bytes.subarray(start, position));
    },
    isAtEnd: () => position === bytes.length,
  };
}

function readValue(type: Scalar | Message, cursor: Cursor): unknown {
  if (typeof type === "object") return readMessage(type, cursor.lengthPrefixed());
  if (type === "bytes") return cursor.lengthPrefixed();
  if (type === "string") return textOf(cursor.lengthPrefixed());
  return cursor.varint(MAXIMUM[type]);
}

function writeValue(type: Scalar | Message, value: unknown): Uint8Array {
  if (typeof type === "object") return prefixed(writeMessage(type, value as MessageValue<Message>));
  if (type === "bytes") return prefixed(value as Uint8Array);
  if (type === "string") return prefixed(Buffer.from(value as string, "utf8"));
  const number = value as bigint;
  if (number < 0n || number > MAXIMUM[type]) throw unreadable("a number out of range");
  return writeVarint(number);
}

function writeVarint(number: bigint): Uint8Array {
  const bytes: number[] = [];
  for (let rest = number; ; rest >>= 7n) {
    // oxlint-disable-next-line money/no-floating-point -- seven bits
    const low = Number(rest & 0x7fn);
    if (rest < 0x80n) return Uint8Array.from([...bytes, low]);
    bytes.push(low | 0x80);
  }
}

function prefixed(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([writeVarint(BigInt(bytes.length)), bytes]);
}

function tagOf({ id, type }: Field): bigint {
  const isNumber = typeof type === "string" && type !== "bytes" && type !== "string";
  return (BigInt(id) << 3n) | (isNumber ? VARINT : LENGTH_PREFIXED);
}

/** What a field holds that is not there. */
export function emptyOf({ type, repeated }: Field): unknown {
  if (repeated === true) return [];
  if (typeof type === "object") return undefined;
  if (type === "bytes") return new Uint8Array();
  return type === "string" ? "" : 0n;
}

/** Whether a field is not written at all. */
export function isLeftOut(value: unknown): boolean {
  const isList = Array.isArray(value) || value instanceof Uint8Array;
  return value === undefined || value === 0n || value === "" || (isList && value.length === 0);
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new Fault("transaction-unreadable", { reason: "a text that is not UTF-8" }, { cause });
  }
}

function unreadable(reason: string): Fault {
  return new Fault("transaction-unreadable", { reason });
}
