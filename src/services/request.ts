import { formatAmount, type Amount } from "../encoding/amount.js";
import { formatAssetId, type AssetId } from "../encoding/asset.js";
import { formatBps } from "../encoding/percent.js";
import type { Token } from "../encoding/token.js";
import { formatUntil, type Until } from "../encoding/until.js";

/** A share is in basis points of what the person holds. */
export type Pay = Amount | { readonly shareBps: bigint };

export interface SwapRequest<Paid = Pay> {
  readonly kind: "swap";
  readonly pay: Paid;
  readonly from: Token;
  readonly to: Token;
}

export interface Stop {
  readonly token: Token;
  readonly exactly?: Amount;
}

/** With one stop the bot looks for the route itself. */
export interface MultihopRequest<Paid = Pay> {
  readonly kind: "multihop";
  /** For an exact output: at most. */
  readonly pay: Paid;
  readonly from: Token;
  /** At least one; the last is what the person wants. */
  readonly stops: readonly Stop[];
}

export interface LockRequest<Paid = Pay> {
  readonly kind: "lock";
  readonly pay: Paid;
  readonly token: Token;
  readonly until: Until;
  readonly launchId?: string;
}

export interface UnlockRequest<Paid = Pay> {
  readonly kind: "unlock";
  readonly locked: AssetId;
  readonly pay?: Paid;
}

/** The steps of a launch, in their order (interface, "Pair launch sequence"; the local roles are a step of their own). */
export const launchSteps = ["create-pair", "issue-lp", "set-roles", "add-liquidity", "lock", "enable"] as const;
export type LaunchStep = (typeof launchSteps)[number];
/** The steps of which each is one call of its own; the lock is a lock like any other. */
export type CallStep = Exclude<LaunchStep, "lock">;

export interface StepRequest {
  readonly kind: "launch";
  readonly launchId: string;
  readonly step: CallStep;
}

export type Request<Paid = Pay> =
  | SwapRequest<Paid>
  | MultihopRequest<Paid>
  | LockRequest<Paid>
  | UnlockRequest<Paid>
  | StepRequest;

export type RequestOf<Kind extends Request["kind"], Paid = Pay> = Extract<Request<Paid>, { kind: Kind }>;

export function launchIdOf(request: Request): string | undefined {
  return "launchId" in request ? request.launchId : undefined;
}

/** Undefined for a step of a launch, which no line can say. */
export function ownRequest(request: Request): TypedRequest | undefined {
  return request.kind === "launch" || launchIdOf(request) !== undefined ? undefined : request;
}

export function otherWay(request: Request): Request | undefined {
  const { kind } = request;
  if (kind === "swap")
    return { kind: "multihop", pay: request.pay, from: request.from, stops: [{ token: request.to }] };
  const last = kind === "multihop" ? request.stops.at(-1) : undefined;
  if (kind !== "multihop" || last === undefined) return undefined;
  return { kind: "swap", pay: request.pay, from: request.from, to: last.token };
}

export type TypedRequest = Exclude<Request, StepRequest>;

export function commandOf(request: TypedRequest): string {
  return `${request.kind} ${lineOf(request)}`;
}

export function lineOf(request: TypedRequest, paid = request.pay && payText(request.pay)): string {
  return wordsOf(request, paid)
    .filter((word) => word !== undefined)
    .join(" ");
}

function wordsOf(request: TypedRequest, paid: string | undefined): readonly (string | undefined)[] {
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

function payText(pay: Pay): string {
  if ("units" in pay) return formatAmount(pay);
  return pay.shareBps === 10_000n ? "max" : `${formatBps(pay.shareBps)}%`;
}

function stopText({ token, exactly }: Stop): string {
  return exactly === undefined ? token.id : `${token.id}=${formatAmount(exactly)}`;
}
