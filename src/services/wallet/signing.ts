import { stringify } from "lossless-json";
import type { WalletConfig } from "../../config.js";
import type { Basics } from "../../loop.js";
import { isSignatureOf } from "../../encoding/transaction.js";
import { isOpenRequest, isRequest, isSigned, isUnderWay, reasonAgainst } from "../intent/intent.js";
import type { Intent, SignedIntent, RequestEnd } from "../intent/intent.js";
import type { Intents } from "../intent/intents.js";
import { Fault } from "../../fault.js";
import { createKeyedQueue } from "../limits/keyed-queue.js";
import type { PeriodicCheck } from "../chain/checks.js";
import type { ChainNode } from "./node.js";

/** What a person agrees to on the page, in their language. */
export interface SigningWords {
  readonly language: string;
  /** The bot's user name at Telegram, where the way back leads. */
  readonly botName: string;
  readonly title: string;
  /** Words of the person's own, by which they know that the page is this bot's. */
  readonly phrase?: string | undefined;
  /** What is paid, and what comes of it at least. */
  readonly figures: readonly (readonly [label: string, value: string])[];
  /** What else has to be read before signing. */
  readonly lines: readonly string[];
  /** Everything else that the card in the chat says. */
  readonly more: readonly string[];
  /** At most what the transaction costs besides, with its token: `4.51 KLV`. */
  readonly networkFee: string;
}

/** What the desk works with. */
interface SigningParts extends Basics, Pick<WalletConfig, "chainId" | "walletApiUrl" | "walletNodeUrl"> {
  readonly node: Pick<ChainNode, "transaction" | "nonce">;
  readonly intents: Pick<Intents, "openWorse" | "requests" | "toSign">;
  /** Asked right before a signature is taken. @throws Fault `trading-paused`. */
  readonly assertOpen: () => Promise<void>;
  readonly chainCheck: Pick<PeriodicCheck, "assertMatch">;
  /** Shows a new card after one whose price no longer holds. */
  readonly presentWorse: (before: Intent, fresh: Intent) => Promise<void>;
  /** What a person agrees to, and what became of it. */
  readonly describe: (intent: Intent) => Promise<SigningWords & { readonly ending: string }>;
}

/** What the desk cannot know: words and cards. */
export type SigningView = Pick<SigningParts, "describe" | "presentWorse">;

/**
 * What the signing page may ask. A request is named by its token alone, 32 random bytes in base64url: anyone who has it may
 * look, decline, or bring a signature, and nothing else. `unknown`: nobody knows this token (any more).
 */
export type SigningRequests = ReturnType<typeof createSigningRequests>;
type Request = Awaited<ReturnType<SigningRequests["request"]>>;
/** A request that waits for its signature. */
export type SigningRequest = Extract<Request, { readonly kind: "open" }>;
/** It takes no signature any more: signed, declined, cancelled, expired or replaced. */
export type SigningClosed = Extract<Request, { readonly kind: "closed" }>;

export function createSigningRequests(parts: SigningParts) {
  const { intents, clock, log } = parts;
  /** By token: a second signature waits for what becomes of the first. */
  const checks = createKeyedQueue();

  const closed = async (intent: Intent) => {
    const { language, botName, ending } = await parts.describe(intent);
    // What is not over yet is still up to the chain.
    return { kind: "closed" as const, language, botName, sentence: ending, isOver: !isUnderWay(intent.state) };
  };
  /** Does something with the open request of a token, or says what became of it. */
  const withOpen = async <Result>(token: string, act: (request: SignedIntent) => Promise<Result>) => {
    const intent = await intents.toSign(token);
    if (intent === undefined) return { kind: "unknown" } as const;
    return isOpenRequest(intent, clock.now()) ? act(intent) : closed(intent);
  };

  return {
    /** What is to be signed. Changes nothing, however often it is asked: Telegram fetches previews of links. */
    request: (token: string) =>
      withOpen(token, async (request) => {
        const { transaction, terms } = request;
        const { ending: _, ...shown } = await parts.describe(request);
        return {
          kind: "open" as const,
          ...shown,
          /** Whose wallet has to sign. */
          address: terms.payout,
          chainId: parts.chainId,
          /** For the wallet; these are public and without credentials. */
          provider: { node: parts.walletNodeUrl, api: parts.walletApiUrl },
          secondsLeft: Math.max(0, Math.floor((transaction.signUntil - clock.now()) / 1000)),
          /** What the wallet has to sign, 64 hex digits. */
          hash: transaction.hash,
          /**
           * Unsigned, in the node's JSON form, for the wallet. Its numbers have 53 bits, which suffices: fees have a limit, and no account
           * ever counts as far.
           */
          transaction: JSON.parse(stringify({ RawData: transaction.raw }) ?? "") as Readonly<Record<string, unknown>>,
        };
      }),
    /**
     * Takes the signature of the transaction that `request` gave: 64 bytes in hex. `accepted` once the call is recorded as
     * sent; of several posts at once, one is. After `wrong-signature` the request stays open.
     */
    postSignature: (token: string, signature: string) => {
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
    /** The person said no: the request ends, and nothing is sent. */
    decline: (token: string) =>
      withOpen(token, async (request) => {
        const end = { state: "FAILED", code: "signing-declined" } as const;
        const declined = (await intents.requests.close(request.owner, request.id, end)) ?? request;
        // A signature may have come first.
        return isRequest(declined) ? ({ kind: "declined" } as const) : closed(declined);
      }),
  };
}

/**
 * Writes an open request down as sent with a signature that was checked, unless something speaks against it.
 * @returns the request as it is then, where it was not sent with this signature.
 */
async function takeSignature(p: SigningParts, request: SignedIntent, signature: string): Promise<Intent | "accepted"> {
  const { owner, id } = request;
  const found = await p.node.transaction(request);
  if (found !== undefined) {
    // The wallet has sent it, so nothing can speak against it any more, and a copy that is refused would say nothing.
    const sent = await p.intents.requests.sentByWallet(owner, id, found.signature);
    return sent?.state === "SENT" ? "accepted" : (sent ?? request);
  }
  const refused = (error: unknown) => ({ state: "FAILED", ...reasonAgainst(error) }) as const;
  const end = await objection(p, request).catch(refused);
  if (end !== undefined) return (await p.intents.requests.close(owner, id, end)) ?? request;
  const sent = (await p.intents.requests.sign(owner, id, signature)) ?? request;
  if (!isSigned(sent) || sent.state !== "SENT" || sent.transaction.signature !== signature) return sent;
  return "accepted";
}

/** What speaks against sending it now; undefined when nothing does. @throws Fault where that is one. */
async function objection(p: SigningParts, request: SignedIntent): Promise<RequestEnd | undefined> {
  const { nonce, txPending } = await p.node.nonce(request.terms.payout);
  if (nonce !== request.transaction.nonce) throw new Fault("nonce-used", {});
  if (txPending > 0n) throw new Fault("wallet-busy", { paid: "" });
  const worse = await p.intents.requests.recheck(request);
  await Promise.all([p.assertOpen(), p.chainCheck.assertMatch()]);
  if (worse === undefined) return undefined;
  const fresh = await p.intents.openWorse(request, worse);
  // The chat is not waited for.
  p.presentWorse(request, fresh).catch((err: unknown) => p.log.warn({ intent: fresh.id, err }, "Card not shown"));
  return { state: "SUPERSEDED" };
}
