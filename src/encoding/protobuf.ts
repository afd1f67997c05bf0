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

/** As many as 64 bits need. */
const MOST_VARINT_BYTES = 10;

/**
 * The one canonical form of a value: fields in order, zero and empty left out.
 * @throws Fault `transaction-unreadable` for a number outside its type.
 */
export function writeMessage<Of extends Message>(message: Of, value: MessageValue<Of>): Uint8Array {
  const parts = Object.entries(message).flatMap(([name, field]) => {
    const held: unknown = value[name];
    return isLeftOut(held) ? [] : [held].flat().flatMap((each) => [varint(tagOf(field)), valueBytes(field.type, each)]);
  });
  return new Uint8Array(Buffer.concat(parts));
}

/**
 * Reads exactly what {@link writeMessage} writes: of all bytes that other readers take for the same value it takes one, so
 * what was read and is written again has the same hash. Only the order among the entries of a repeated field is free.
 * @throws Fault `transaction-unreadable`.
 */
export function readMessage<Of extends Message>(message: Of, bytes: Uint8Array): MessageValue<Of> {
  const value = readFields(message, bytes);
  if (!Buffer.from(writeMessage(message, value)).equals(bytes)) throw unreadable("a value in another form");
  return value;
}

/** Reads them in whatever form they are. */
function readFields<Of extends Message>(message: Of, bytes: Uint8Array): MessageValue<Of> {
  const value = Object.fromEntries(Object.entries(message).map(([name, field]) => [name, emptyOf(field)]));
  let rest = bytes;

  function take(count: bigint): Uint8Array {
    if (count > BigInt(rest.length)) throw unreadable("it ends too early");
    // oxlint-disable-next-line money/no-floating-point -- no more than there are bytes, and not money
    const end = Number(count);
    const taken = new Uint8Array(rest.subarray(0, end));
    rest = rest.subarray(end);
    return taken;
  }

  function takeVarint(): bigint {
    const length = rest.findIndex((byte) => byte < 0x80) + 1;
    if (length < 1 || length > MOST_VARINT_BYTES) throw unreadable("a number without an end");
    return take(BigInt(length)).reduceRight((number, byte) => (number << 7n) | BigInt(byte & 0x7f), 0n);
  }

  while (rest.length > 0) {
    const tag = takeVarint();
    const [name, field] = Object.entries(message).find(([, each]) => tagOf(each) === tag) ?? [];
    if (name === undefined || field === undefined) throw unreadable("a field that is not known");
    const read = isNumber(field.type) ? takeVarint() : fromBytes(field.type, take(takeVarint()));
    if (field.repeated === true) (value[name] as unknown[]).push(read);
    else value[name] = read;
  }
  return value as MessageValue<Of>;
}

function fromBytes(type: "bytes" | "string" | Message, bytes: Uint8Array): unknown {
  if (typeof type === "object") return readFields(type, bytes);
  return type === "bytes" ? bytes : Buffer.from(bytes).toString("utf8");
}

function valueBytes(type: Scalar | Message, value: unknown): Uint8Array {
  if (isNumber(type)) {
    const number = value as bigint;
    if (number < 0n || number > MAXIMUM[type]) throw unreadable("a number out of range");
    return varint(number);
  }
  const bytes =
    typeof type === "object"
      ? writeMessage(type, value as MessageValue<Message>)
      : Buffer.from(value as Uint8Array | string);
  return Buffer.concat([varint(BigInt(bytes.length)), bytes]);
}

function varint(number: bigint): Uint8Array {
  const bytes: number[] = [];
  for (let rest = number; ; rest >>= 7n) {
    // oxlint-disable-next-line money/no-floating-point -- seven bits
    const low = Number(rest & 0x7fn);
    if (rest < 0x80n) return Uint8Array.from([...bytes, low]);
    bytes.push(low | 0x80);
  }
}

/** Numbers are varints; all else has its length in front. */
function tagOf({ id, type }: Field): bigint {
  return (BigInt(id) << 3n) | (isNumber(type) ? 0n : 2n);
}

function isNumber(type: Scalar | Message): type is keyof typeof MAXIMUM {
  return typeof type === "string" && type in MAXIMUM;
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

function unreadable(reason: string): Fault {
  return new Fault("transaction-unreadable", { reason });
}
