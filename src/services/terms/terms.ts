import * as z from "zod";
import { formatAmount, formatAssetId, formatBps, type Amount } from "../../encoding/amount.js";
import { formatUntil } from "../../encoding/typed.js";
import { launchTerms } from "./launch-terms.js";
import { lockTerms, unlockTerms } from "./lock-terms.js";
import type { StandingReference } from "./standing-terms.js";
import {
  multihopTerms,
  swapTerms,
  takenFor,
  WHAT_IT_TAKES,
  type MultihopRequest,
  type RequestInput,
  type Pay,
  type Stop,
  type SwapRequest,
} from "./swap-terms.js";

const schemas = [swapTerms, multihopTerms, lockTerms, unlockTerms, launchTerms] as const;
/** What the card of each kind of intent shows. Stored terms are validated against it on every read. */
export const termsSchema = z.discriminatedUnion("kind", schemas);
export type Terms = z.infer<typeof termsSchema>;
export type IntentKind = Terms["kind"];
export type TermsOf<Kind extends IntentKind> = Extract<Terms, { readonly kind: Kind }>;

/** The kinds that give one token for another. */
export const tradedKinds = ["swap", "multihop"] as const satisfies readonly IntentKind[];
export type TradeTerms = TermsOf<(typeof tradedKinds)[number]>;

export function isTrade(terms: Terms): terms is TradeTerms {
  return tradedKinds.some((kind) => kind === terms.kind);
}

export type Request = RequestOf<IntentKind>;
export type RequestOf<Kind extends IntentKind> = { [Each in Kind]: RequestInput<TermsOf<Each>["request"]> }[Kind];
/** Every request except launch steps. */
export type TypedRequest = Exclude<Request, RequestOf<"launch">>;

/** What a call takes from the user: what is traded, with the royalty on it, locked or deposited in a pool. */
export function paymentsOf(terms: Terms): readonly Amount[] {
  switch (terms.kind) {
    case "swap":
    case "multihop":
      return takenFor(terms.amountIn, terms.royalty);
    case "lock":
      return [terms.amount];
    case "unlock":
      return [];
    case "launch":
      return terms.step === "add-liquidity" ? [terms.first, terms.second] : [];
  }
}

export function launchIdOf(request: Request): string | undefined {
  return "launchId" in request ? request.launchId : undefined;
}

/** The standing order that a card is of. */
export function standingIn(request: Request): StandingReference | undefined {
  return "standing" in request ? request.standing : undefined;
}

/** What a user could have typed, which is of no standing order. Undefined for a launch step, which can't be typed. */
export function ownRequest(request: Request): TypedRequest | undefined {
  if (request.kind === "launch" || launchIdOf(request) !== undefined) return undefined;
  if (standingIn(request) === undefined) return request;
  const { standing: _standing, ...own } = request as RequestOf<"multihop" | "swap">;
  return own;
}

/** Turns a swap into a multihop trade between the same tokens, or the reverse. Of a standing order, it is that order's. */
export function otherWay<Paid extends Pay>(request: SwapRequest<Paid>): MultihopRequest<Paid>;
export function otherWay<Paid extends Pay>(request: MultihopRequest<Paid>): SwapRequest<Paid> | undefined;
export function otherWay(request: Request): RequestOf<"multihop" | "swap"> | undefined;
export function otherWay(request: Request): RequestOf<"multihop" | "swap"> | undefined {
  if (request.kind !== "swap" && request.kind !== "multihop") return undefined;
  const { pay, from, standing } = request;
  const own = { pay, from, ...(standing && { standing }) };
  if (request.kind === "swap") return { kind: "multihop", ...own, stops: [{ token: request.to }] };
  const to = request.stops.at(-1)?.token;
  return to && { kind: "swap", ...own, to };
}

export function commandOf(request: TypedRequest): string {
  return `${request.kind} ${requestLine(request)}`;
}

/** The typed form of a request, without its command. @param paid text for what is paid. */
export function requestLine(request: TypedRequest, paid = paymentWords(request)): string {
  const words = requestWords(request, paid);
  return words.filter((word) => word !== undefined).join(" ");
}

function requestWords(request: TypedRequest, paid: string | undefined) {
  switch (request.kind) {
    case "swap":
      return [paid, request.from.id, request.to.id];
    case "multihop":
      return [paid, request.from.id, ...request.stops.map(stopText)];
    case "lock":
      return [paid, request.token.id, formatUntil(request.until)];
    case "unlock":
      return [formatAssetId(request.locked), paid];
  }
}

function stopText({ token, exactly }: Stop): string {
  return token.id + (exactly ? `=${formatAmount(exactly)}` : "");
}

function paymentWords(request: TypedRequest): string | undefined {
  if (request.kind === "multihop" && request.isFound) return WHAT_IT_TAKES;
  return request.pay && payText(request.pay);
}

/** As it is typed. */
export function payText(pay: Pay): string {
  if ("units" in pay) return formatAmount(pay);
  return pay.shareBps === 10_000n ? "max" : `${formatBps(pay.shareBps)}%`;
}
