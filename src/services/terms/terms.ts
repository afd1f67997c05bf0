import * as z from "zod";
import { formatAmount, formatBps, type Amount } from "../../encoding/amount.js";
import { launch } from "./launch.js";
import { lock, unlock } from "./lock.js";
import { multihop, swap, type Asked, type Pay } from "./swap.js";

const schemas = [swap.terms, multihop.terms, lock.terms, unlock.terms, launch.terms] as const;
/** What was, or will be, shown on the card of each kind of intent. What is stored is checked against it at each read. */
export const termsSchema = z.discriminatedUnion("kind", schemas);
export type Terms = z.infer<typeof termsSchema>;
export type IntentKind = Terms["kind"];
export type TermsOf<Kind extends IntentKind> = Extract<Terms, { readonly kind: Kind }>;

/** What was asked for. */
export type Request = RequestOf<IntentKind>;
export type RequestOf<Kind extends IntentKind> = { [Each in Kind]: Asked<TermsOf<Each>["request"]> }[Kind];
/** All but the steps of a launch. */
export type TypedRequest = Exclude<Request, RequestOf<"launch">>;

interface KindOfTerms<Kind extends IntentKind> {
  readonly payments: (terms: TermsOf<Kind>) => readonly Amount[];
  /** What says it again behind its command. @param paid what is paid, in whatever words; undefined where it says nothing of that. */
  readonly words: (request: RequestOf<Kind>, paid?: string) => readonly (string | undefined)[];
}

const kinds: { readonly [Kind in IntentKind]: KindOfTerms<Kind> } = { swap, multihop, lock, unlock, launch };

const kindOf = <Kind extends IntentKind>(kind: Kind): KindOfTerms<Kind> => kinds[kind];

/** What a call takes out of a person's hands: what is traded, locked or put into a pool. */
export const paymentsOf = (terms: Terms): readonly Amount[] => kindOf(terms.kind).payments(terms);

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

export function commandOf(request: TypedRequest): string {
  return `${request.kind} ${lineOf(request)}`;
}

export function lineOf(request: TypedRequest, paid = request.pay && payText(request.pay)): string {
  const words = kindOf(request.kind).words(request, paid);
  return words.filter((word) => word !== undefined).join(" ");
}

function payText(pay: Pay): string {
  if ("units" in pay) return formatAmount(pay);
  return pay.shareBps === 10_000n ? "max" : `${formatBps(pay.shareBps)}%`;
}
