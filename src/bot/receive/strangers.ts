import type { IncomingMessage, RequestListener } from "node:http";
import type { Clock } from "../../clock.js";
import { linkSecretIn } from "./proposal-routes.js";

interface StrangerParts {
  readonly clock: Clock;
  /** Undefined as long as that isn't known. */
  readonly isKnown: (secret: string) => boolean | undefined;
  readonly onRefused: () => void;
  readonly handle: RequestListener;
}

/** So many are answered a second, and others wait for it: who posts without end gets no more of the processor. */
const PER_SECOND = 50;
const MAX_STRANGER_MS = 1_000;

const UNKNOWN = '{"error":"unknown"}';
const HEADERS = {
  "content-type": "application/json",
  "content-length": UNKNOWN.length,
  "cache-control": "no-store",
} as const;

/** Refuses what strangers propose before anything is made of a request: a flood of it costs others next to nothing. */
export function withoutStrangers({ clock, isKnown, onRefused, handle }: StrangerParts): RequestListener {
  let next = Number.NEGATIVE_INFINITY;
  return (request, response) => {
    if (!isProposal(request) || isKnown(secretOf(request) ?? "") !== false) {
      handle(request, response);
      return;
    }
    onRefused();
    const now = clock.monotonic();
    next = Math.min(Math.max(next, now) + 1_000 / PER_SECOND, now + MAX_STRANGER_MS);
    clock.timer(next - now, () => response.writeHead(404, HEADERS).end(UNKNOWN));
  };
}

const isProposal = ({ url = "" }: IncomingMessage): boolean => /^\/propose(?:[/?]|$)/.test(url);

function secretOf({ method, url = "", headers }: IncomingMessage): string | undefined {
  const [, first, second] = /^\/propose(?:\/([^/?]*))?(?:\/([^/?]*))?/.exec(url) ?? [];
  // A path of one part is a link's if something is posted, and a proposal's if it is asked about.
  const inPath = method === "POST" || second !== undefined ? first : undefined;
  return linkSecretIn(inPath, headers.authorization);
}
