import { z } from "zod";
import { amountSchema, formatAmount, assetSchema, formatAssetId, tokenSchema, formatBps } from "../encoding/amount.js";
import type { Amount } from "../encoding/amount.js";
import type { DecimalMark } from "../encoding/decimal.js";
import { formatUntil, untilSchema } from "../encoding/typed.js";
import { stored } from "../store/store.js";

/** A share is in basis points of what the person holds. */
export type Pay = Amount | { readonly shareBps: bigint };

/** The steps of a launch, in their order (interface, "Pair launch sequence"; the local roles are a step of their own). */
export const launchSteps = ["create-pair", "issue-lp", "set-roles", "add-liquidity", "lock", "enable"] as const;
export type LaunchStep = (typeof launchSteps)[number];
const callStep = z.enum(launchSteps).exclude(["lock"]);
/** The steps of which each is one call of its own; the lock is a lock like any other. */
export type CallStep = z.infer<typeof callStep>;

const stop = stored({ token: tokenSchema, exactly: amountSchema.exactOptional() });
export type Stop = z.infer<typeof stop>;

/** What was asked for, as it is stored: what is paid is an amount by then. */
export const requestSchemas = {
  swap: stored({ kind: z.literal("swap"), pay: amountSchema, from: tokenSchema, to: tokenSchema }),
  multihop: stored({
    kind: z.literal("multihop"),
    /** For an exact output: at most. */
    pay: amountSchema,
    from: tokenSchema,
    /** At least one; the last is what the person wants. With one, the bot looks for the route itself. */
    stops: z.array(stop).readonly(),
  }),
  lock: stored({
    kind: z.literal("lock"),
    pay: amountSchema,
    token: tokenSchema,
    until: untilSchema,
    launchId: z.string().exactOptional(),
  }),
  unlock: stored({ kind: z.literal("unlock"), locked: assetSchema, pay: amountSchema.exactOptional() }),
  launch: stored({ kind: z.literal("launch"), launchId: z.string(), step: callStep }),
};

type Kinds = typeof requestSchemas;
type Paying<Stored, Paid> = { readonly [Key in keyof Stored]: Key extends "pay" ? Paid : Stored[Key] };
export type RequestOf<Kind extends keyof Kinds, Paid = Pay> = Paying<z.infer<Kinds[Kind]>, Paid>;
export type Request<Paid = Pay> = { [Kind in keyof Kinds]: RequestOf<Kind, Paid> }[keyof Kinds];
export type SwapRequest<Paid = Pay> = RequestOf<"swap", Paid>;
export type MultihopRequest<Paid = Pay> = RequestOf<"multihop", Paid>;
export type LockRequest<Paid = Pay> = RequestOf<"lock", Paid>;
export type UnlockRequest<Paid = Pay> = RequestOf<"unlock", Paid>;

export function launchIdOf(request: Request): string | undefined {
  return "launchId" in request ? request.launchId : undefined;
}

/** Undefined for a step of a launch, which no line can say. */
export function ownRequest(request: Request): TypedRequest | undefined {
  return request.kind === "launch" || launchIdOf(request) !== undefined ? undefined : request;
}

/** The trade between the same tokens by a route, or for a route by a swap. */
export function otherWay(request: Request): Request | undefined {
  if (request.kind !== "swap" && request.kind !== "multihop") return undefined;
  const { pay, from } = request;
  if (request.kind === "swap") return { kind: "multihop", pay, from, stops: [{ token: request.to }] };
  const to = request.stops.at(-1)?.token;
  return to && { kind: "swap", pay, from, to };
}

export type TypedRequest = Exclude<Request, RequestOf<"launch">>;

export function commandOf(request: TypedRequest): string {
  return `${request.kind} ${lineOf(request)}`;
}

export function lineOf(request: TypedRequest, paid = request.pay && payText(request.pay)): string {
  const words = wordsOf(request, paid);
  return words.filter((word) => word !== undefined).join(" ");
}

function wordsOf(request: TypedRequest, paid: string | undefined): readonly (string | undefined)[] {
  const exact = (amount?: Amount) => (amount === undefined ? "" : `=${formatAmount(amount)}`);
  switch (request.kind) {
    case "swap":
      return [paid, request.from.id, request.to.id];
    case "multihop":
      return [paid, request.from.id, ...request.stops.map(({ token, exactly }) => token.id + exact(exactly))];
    case "lock":
      return [paid, request.token.id, formatUntil(request.until)];
    case "unlock":
      return [formatAssetId(request.locked), paid];
  }
}

function payText(pay: Pay): string {
  if ("units" in pay) return formatAmount(pay);
  return pay.shareBps === 10_000n ? "max" : `${formatBps(pay.shareBps)}%`;
}

/** The commands that a link to the bot may open: they show, and change nothing. */
const opened = ["quote", "chart", "order", "alert"] as const;

/** What Telegram lets a link carry. */
const MAX_LENGTH = 64;
const AMOUNT = /^([0-9]+)\.([0-9]+)$/;
const LINKED_AMOUNT = /^([0-9]+)p([0-9]+)$/;
/** An amount, a token's id, an order's id: whatever else a link says was not written by the bot, and could be repeated in an answer. */
const WORD =
  /^(?:[0-9]+(?:p[0-9]+)?|[A-Z0-9]{1,10}(?:-[A-Z0-9]{4})?|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/;

/**
 * What stands behind `https://t.me/<bot>?start=` to open a command such as `quote 1.5 KLV KFI`; undefined where it has no room there.
 * Words are joined by `_`, and an amount's point is a `p`, which no token's id has.
 */
export function linkPayload(command: string): string | undefined {
  const payload = command
    .split(" ")
    .map((word) => word.replace(AMOUNT, "$1p$2"))
    .join("_");
  return commandBehind(payload, ".") && payload;
}

/**
 * The command behind a link, with what follows it as a person types it; undefined for a link that the bot never made. None sets an
 * alert at a price: that is asked for.
 */
export function commandBehind(payload: string, mark: DecimalMark): { command: string; rest: string } | undefined {
  const [name = "", ...words] = payload.split("_");
  const command = opened.find((each) => each === name);
  if (command === undefined || words.length === 0 || payload.length > MAX_LENGTH) return undefined;
  if (!words.every((word) => WORD.test(word))) return undefined;
  if (command === "alert" && words.some((word) => /^[0-9]+p?[0-9]*$/.test(word))) return undefined;
  return { command, rest: words.map((word) => word.replace(LINKED_AMOUNT, `$1${mark}$2`)).join(" ") };
}
