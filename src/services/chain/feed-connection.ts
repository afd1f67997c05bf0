import type { Clock } from "../../clock.js";
import { THREE_SLOTS_MS } from "./block-trail.js";
import { createFeedConversation, type FeedConversation } from "./feed-conversation.js";
import { readFeedFrame, type FeedBlock, type FeedTouch } from "./feed-frame.js";
import type { openFeedSocket } from "./feed-socket.js";

/** Why a connection was ended here; otherwise the code with which it was closed. */
export type FeedEnding = "no block" | "no answer" | "flood" | "new addresses" | "stopped" | number;

interface FeedConnectionParts {
  readonly url: string;
  readonly clock: Clock;
  readonly open: typeof openFeedSocket;
  readonly addresses: () => Iterable<string>;
  /** The connection has opened, so that more can be asked for, until it ends. */
  readonly onOpen: (talk: FeedConversation) => void;
  readonly onRefused: (words: string) => void;
  readonly onFrame: () => void;
  /** @returns whether it shows that the node is alive. */
  readonly onBlock: (block: FeedBlock) => boolean;
  readonly onTouch: (touch: FeedTouch) => void;
}

/** The oldest nodes take new addresses only with a new connection, which costs a look at everything. */
const REOPEN_MS = 30_000;

/** Connects to a feed, and hears it until it ends or is dead. Resolves with the reason. */
export function hearFeed(parts: FeedConnectionParts, signal: AbortSignal): Promise<FeedEnding> {
  const { url, clock, open, addresses, onOpen, onRefused, onFrame, onBlock, onTouch } = parts;
  return new Promise((resolve) => {
    const openedAt = clock.monotonic();
    const isFlood = createFloodGuard(clock);
    let talk: FeedConversation | undefined;
    let isOver = false;
    let cancelReopening = (): void => undefined;
    const awaitBlock = () => clock.timer(THREE_SLOTS_MS, () => end("no block"));
    let cancelDeadline = awaitBlock();

    const hear = (text: string): void => {
      if (isOver) return;
      onFrame();
      if (isFlood(text)) {
        end("flood");
        return;
      }
      const frame = readFeedFrame(text);
      if (frame?.kind === "touched") onTouch(frame);
      if (frame?.kind === "answer") talk?.hearAnswer(frame);
      if (frame?.kind !== "block") return;
      if (frame.isOldest) talk?.hearOldest();
      if (!onBlock(frame.block)) return;
      cancelDeadline();
      cancelDeadline = awaitBlock();
      if (talk?.isStuck() !== true) return;
      cancelReopening();
      cancelReopening = clock.timer(Math.max(0, openedAt + REOPEN_MS - clock.monotonic()), () => end("new addresses"));
    };
    const socket = open(url, {
      onOpen: () => {
        if (isOver) return;
        const { send } = socket;
        const onSilence = () => end("no answer");
        talk = createFeedConversation({ clock, addresses: addresses(), send, onSilence, onRefused });
        onOpen(talk);
      },
      onText: hear,
      onEnd: (code) => end(code),
    });
    const stop = (): void => end("stopped");
    signal.addEventListener("abort", stop);

    function end(reason: FeedEnding): void {
      if (isOver) return;
      isOver = true;
      cancelDeadline();
      cancelReopening();
      talk?.end();
      signal.removeEventListener("abort", stop);
      socket.end();
      resolve(reason);
    }
  });
}

/** A node queues 500 messages for each client and drops the rest, so that more at once, or steadily, is a flood. */
const FLOOD = { atOnce: 5000, perSecond: 1000 };
/** Longer frames count for more. */
const CHARACTERS_OF_ONE = 4096;

function createFloodGuard(clock: Pick<Clock, "monotonic">): (text: string) => boolean {
  let room = FLOOD.atOnce;
  let filledAt = clock.monotonic();
  return (text) => {
    const now = clock.monotonic();
    room = Math.min(FLOOD.atOnce, room + ((now - filledAt) / 1000) * FLOOD.perSecond);
    filledAt = now;
    room -= 1 + text.length / CHARACTERS_OF_ONE;
    return room < 0;
  };
}
