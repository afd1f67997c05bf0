import type { Logger } from "pino";
import { Fault } from "../../fault.js";
import type { Recheck } from "../intent/kind.js";
import { reasonAgainst } from "../intent/requests.js";
import { isSigned, type Intent, type RequestEnd, type SignedIntent } from "../intent/intent.js";
import type { Intents } from "../intent/intents.js";
import type { StandingCheck } from "../chain/standing-check.js";
import type { Follower } from "./follow.js";
import type { ChainNode } from "./node.js";

/** What taking a signature works with. */
export interface TakeParts {
  readonly node: ChainNode;
  readonly intents: Pick<Intents, "openWorse" | "requests">;
  readonly follower: Pick<Follower, "follow">;
  /** Asked right before a signature is taken. @throws Fault `trading-paused`. */
  readonly assertOpen: () => Promise<void>;
  readonly chainCheck: Pick<StandingCheck, "assertMatch">;
  /** Whether what the card shows can still be had. @throws Fault */
  readonly recheck: (intent: Intent) => Promise<Recheck>;
  /** Shows a new card after one whose price no longer holds. */
  readonly presentWorse: (before: Intent, fresh: Intent) => Promise<void>;
  readonly log: Logger;
}

/**
 * Writes an open request down as sent with a signature that was checked, unless something speaks against it.
 * @returns the request as it is then, where it was not sent with this signature.
 */
export async function takeSignature(
  p: TakeParts,
  request: SignedIntent,
  signature: string,
): Promise<Intent | "accepted"> {
  const { owner, id } = request;
  const found = await p.node.transaction(request);
  if (found !== undefined) {
    // The wallet has sent it, so nothing can speak against it any more, and a copy that is refused would say nothing.
    const sent = await p.intents.requests.sentByWallet(owner, id, found.signature);
    p.follower.follow(request);
    return sent?.state === "SENT" ? "accepted" : (sent ?? request);
  }
  const end = await objection(p, request).catch((error: unknown) => ({
    state: "FAILED" as const,
    ...reasonAgainst(error),
  }));
  if (end !== undefined) return (await p.intents.requests.close(owner, id, end)) ?? request;
  const sent = (await p.intents.requests.sign(owner, id, signature)) ?? request;
  if (!isSigned(sent) || sent.state !== "SENT" || sent.transaction.signature !== signature) return sent;
  p.follower.follow(sent, true);
  return "accepted";
}

/** What speaks against sending it now; undefined when nothing does. @throws Fault where that is one. */
async function objection(p: TakeParts, request: SignedIntent): Promise<RequestEnd | undefined> {
  const { nonce, pending } = await p.node.nonce(request.terms.payout);
  if (nonce !== request.transaction.nonce) throw new Fault("nonce-used", {});
  if (pending > 0n) throw new Fault("wallet-busy", { paid: "" });
  const checked = await p.recheck(request);
  await Promise.all([p.assertOpen(), p.chainCheck.assertMatch()]);
  if (checked.kind === "holds") return undefined;
  const fresh = await p.intents.openWorse(request, checked.draft);
  // The chat is not waited for.
  p.presentWorse(request, fresh).catch((err: unknown) => {
    p.log.warn({ intent: fresh.id, err }, "A card could not be shown");
  });
  return { state: "SUPERSEDED" };
}
