import { stringify } from "lossless-json";
import type { WalletConfig } from "../../config.js";
import type { Basics } from "../../loop.js";
import type { Address } from "../../encoding/address.js";
import { isSignatureOf } from "../../encoding/transaction.js";
import { reasonAgainst } from "../intent/intent.js";
import { isOpenRequest, isRequest, isUnderWay, signatureOf } from "../intent/machine.js";
import type { Intent, SignedIntent, RequestEnd } from "../intent/intent.js";
import type { Intents } from "../intent/intent-service.js";
import { Fault } from "../../fault.js";
import { createKeyedQueue } from "../base/keyed-queue.js";
import type { PeriodicCheck } from "../chain/checks.js";
import type { ChainNode } from "./chain-node.js";

/** What the user agrees to on the signing page, in their language. */
export interface SigningWords {
  readonly language: string;
  /** The bot's Telegram username, for the link back. */
  readonly botName: string;
  readonly title: string;
  /** The user's own phrase, by which they recognise this bot's page. */
  readonly phrase?: string | undefined;
  /** What is paid, and the minimum received. */
  readonly figures: readonly (readonly [label: string, value: string])[];
  /** Other things to read before signing. */
  readonly lines: readonly string[];
  /** The rest of the card in the chat. */
  readonly more: readonly string[];
  /** The maximum network fee, with its token: `4.51 KLV`. */
  readonly networkFee: string;
}

/** What became of a request, in the user's language. */
export interface SigningEnding {
  readonly heading: string;
  /** What it was about. */
  readonly about: string;
  readonly sentence: string;
  /** What it paid and brought, as far as that is known. */
  readonly lines: readonly string[];
}

interface SigningParts extends Basics, Pick<WalletConfig, "chainId" | "walletApiUrl" | "walletNodeUrl"> {
  readonly node: Pick<ChainNode, "transaction" | "nonce">;
  readonly intents: Pick<Intents, "openWorse" | "requests" | "toSign">;
  /** Called right before a signature is accepted. @throws Fault `trading-paused`. */
  readonly assertOpen: () => Promise<void>;
  readonly chainCheck: Pick<PeriodicCheck, "assertMatch">;
  /** Shows a new card for one whose price no longer holds. */
  readonly presentWorse: (before: Intent, fresh: Intent) => Promise<void>;
  /** What the user agrees to, and how it ended. */
  readonly describe: (intent: Intent) => Promise<SigningWords & { readonly ending: SigningEnding }>;
}

/** What the bot has to supply: texts and cards. */
export type SigningView = Pick<SigningParts, "describe" | "presentWorse">;

/** A request that waits for its signature. */
export interface SigningRequest extends SigningWords {
  readonly kind: "open";
  /** The account that has to sign. */
  readonly address: Address;
  readonly chainId: string;
  /** For the wallet: public URLs, without credentials. */
  readonly provider: { readonly node: string; readonly api: string };
  /** Whole seconds, rounded down. */
  readonly secondsLeft: number;
  /** What the wallet has to sign: 64 hex digits. */
  readonly hash: string;
  /**
   * Unsigned, in the node's JSON form, for the wallet. 53 bits are enough for its numbers: fees are limited, and no
   * account's nonce gets that far.
   */
  readonly transaction: Readonly<Record<string, unknown>>;
}

/** It no longer accepts a signature: signed, declined, cancelled, expired or replaced. */
export interface SigningClosed extends SigningEnding, Pick<SigningWords, "botName" | "language"> {
  readonly kind: "closed";
  /** Until it is over, the chain decides. */
  readonly isOver: boolean;
}

/** There is no such token (any more). */
type UnknownToken = { readonly kind: "unknown" };

/**
 * The API of the signing page. A request is identified by its token alone, 32 random bytes in base64url: anyone who has
 * it can view, decline or sign, and nothing else. All functions throw Fault `store-…`.
 */
export interface SigningRequests {
  /** What is to be signed. Changes nothing, however often it is called: Telegram fetches link previews. */
  readonly request: (token: string) => Promise<SigningRequest | SigningClosed | UnknownToken>;
  /**
   * Accepts a signature for the transaction from `request`: 64 bytes in hex. `accepted`: the call is recorded as
   * SENT, for one of several concurrent posts only. After `wrong-signature` the request stays open.
   * @throws Fault `service-…` and `answer-unreadable` of the node, too: the request stays open.
   */
  readonly postSignature: (
    token: string,
    signature: string,
  ) => Promise<{ readonly kind: "accepted" | "wrong-signature" } | SigningClosed | UnknownToken>;
  /** The user declined: the request ends, and nothing is sent. */
  readonly decline: (token: string) => Promise<{ readonly kind: "declined" } | SigningClosed | UnknownToken>;
}

export function createSigningRequests(parts: SigningParts): SigningRequests {
  const { intents, clock, log } = parts;
  /** By token: a second signature waits until the first has been handled. */
  const checks = createKeyedQueue();

  const closed = async (intent: Intent): Promise<SigningClosed> => {
    const { language, botName, ending } = await parts.describe(intent);
    return { kind: "closed", language, botName, ...ending, isOver: !isUnderWay(intent.state) };
  };
  /** Calls `act` if the token's request is open, otherwise says how it ended. */
  const withOpen = async <Result>(token: string, act: (request: SignedIntent) => Promise<Result>) => {
    const intent = await intents.toSign(token);
    if (intent === undefined) return { kind: "unknown" } as const;
    return isOpenRequest(intent, clock.now()) ? act(intent) : closed(intent);
  };

  return {
    request: (token) =>
      withOpen(token, async (request): Promise<SigningRequest> => {
        const { transaction, terms } = request;
        const { ending: _, ...shown } = await parts.describe(request);
        return {
          kind: "open",
          ...shown,
          address: terms.payout,
          chainId: parts.chainId,
          provider: { node: parts.walletNodeUrl, api: parts.walletApiUrl },
          secondsLeft: Math.max(0, Math.floor((transaction.signUntil - clock.now()) / 1000)),
          hash: transaction.hash,
          transaction: JSON.parse(stringify({ RawData: transaction.raw }) ?? "") as Readonly<Record<string, unknown>>,
        };
      }),
    postSignature: (token, signature) => {
      const take = async (request: SignedIntent) => {
        if (!isSignatureOf(request.terms.payout, request.transaction.hash, signature)) {
          return { kind: "wrong-signature" } as const;
        }
        const taken = await takeSignature(parts, request, signature).catch((err: unknown) => {
          log.warn({ intent: request.id, err }, "Signature not accepted yet");
          throw err;
        });
        return taken === "accepted" ? ({ kind: "accepted" } as const) : closed(taken);
      };
      return checks.take(token, () => withOpen(token, take));
    },
    decline: (token) =>
      withOpen(token, async (request) => {
        const end = { code: "signing-declined" } as const;
        const declined = (await intents.requests.close(request.owner, request.id, end)) ?? request;
        // A signature may have come first.
        return isRequest(declined) ? ({ kind: "declined" } as const) : closed(declined);
      }),
  };
}

/**
 * Records an open request as SENT with a verified signature, unless there is an objection.
 * @returns the request afterwards if it was not sent with this signature.
 */
async function takeSignature(p: SigningParts, request: SignedIntent, signature: string): Promise<Intent | "accepted"> {
  const { owner, id } = request;
  const found = await p.node.transaction(request);
  if (found !== undefined) {
    // The wallet has broadcast it, so objections come too late, and the refusal of a second copy would mean nothing.
    const sent = await p.intents.requests.sentByWallet(owner, id, found.signature);
    return sent?.state === "SENT" ? "accepted" : (sent ?? request);
  }
  const end = await objection(p, request).catch(reasonAgainst);
  if (end !== undefined) return (await p.intents.requests.close(owner, id, end)) ?? request;
  const sent = (await p.intents.requests.sign(owner, id, signature)) ?? request;
  if (sent.state !== "SENT" || signatureOf(sent) !== signature) return sent;
  return "accepted";
}

/** The reason not to send it now; undefined if there is none. @throws Fault if that is the reason. */
async function objection(p: SigningParts, request: SignedIntent): Promise<RequestEnd | undefined> {
  const { nonce, txPending } = await p.node.nonce(request.terms.payout);
  if (nonce !== request.transaction.nonce) throw new Fault("nonce-used", {});
  if (txPending > 0n) throw new Fault("wallet-busy", { paid: "" });
  const worse = await p.intents.requests.recheck(request);
  await Promise.all([p.assertOpen(), p.chainCheck.assertMatch()]);
  if (worse === undefined) return undefined;
  const fresh = await p.intents.openWorse(request, worse);
  // Doesn't wait for the chat.
  p.presentWorse(request, fresh).catch((err: unknown) => p.log.warn({ intent: fresh.id, err }, "Card not shown"));
  return "SUPERSEDED";
}
