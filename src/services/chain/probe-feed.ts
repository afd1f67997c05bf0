import { within, type Clock } from "../../clock.js";
import { THREE_SLOTS_MS } from "./block-trail.js";
import { readFeedFrame, type FeedBlock } from "./feed-frame.js";
import type { FeedSocket, openFeedSocket } from "./feed-socket.js";

/**
 * What a node's feed turned out to be. Its forms in the order in which nodes had them: A writes base64 and reads nothing
 * after the handshake, B answers requests, C has limits, D also tells of logs.
 */
export interface FeedProbe {
  readonly form: "A" | "B" | "C" | "D" | undefined;
  readonly block: FeedBlock | undefined;
  /** The code with which the connection was closed, if it was. */
  readonly closed: number | undefined;
  /** The node's words, if it refused the handshake. */
  readonly refusal: string | undefined;
}

const SHORT_MS = 2000;
const handshake = { addresses: [], subcribed_types: ["blocks"], subscribed_types: ["blocks"] };

/** Connects once or twice, asks for no address, and waits for a block for three slots. */
export async function probeFeed(url: string, clock: Clock): Promise<FeedProbe> {
  const { openFeedSocket: open } = await import("./feed-socket.js");
  const first = talkTo(open, url, handshake);
  try {
    void first.ask("blocks");
    const block = await within(clock, THREE_SLOTS_MS, first.block);
    if (block === undefined) return { form: undefined, block, ...first.ended() };
    const found = { block: block.block, ...first.ended() };
    if (block.isOldest) return { form: "A", ...found };
    if ((await within(clock, SHORT_MS, first.answer)) === undefined) return { form: undefined, ...found };
    const hasLogs = (await within(clock, SHORT_MS, first.ask("logs"))) === "";
    return { form: hasLogs ? "D" : (await refusesNothing(open, url, clock)) ? "C" : "B", ...found };
  } finally {
    first.end();
  }
}

/** Whether a handshake without types is refused, as from C on, and not met with silence. */
async function refusesNothing(open: typeof openFeedSocket, url: string, clock: Clock): Promise<boolean> {
  const second = talkTo(open, url, { addresses: [], subscribed_types: [] });
  const answer = await within(clock, SHORT_MS, second.answer);
  second.end();
  return answer !== undefined && answer !== "";
}

/** A connection that resolves with the first block, and the first answer: the words of a refusal, otherwise none. */
function talkTo(open: typeof openFeedSocket, url: string, greeting: object) {
  let [asked, isOpen] = [0, false];
  const waiting: string[] = [JSON.stringify(greeting)];
  const answers = new Map<string, (refusal: string) => void>();
  let onBlock = (_: { readonly block: FeedBlock; readonly isOldest: boolean } | undefined): void => undefined;
  let onAnswer = (_: string): void => undefined;
  let [closed, refusal]: [number | undefined, string | undefined] = [undefined, undefined];
  const block = new Promise<Parameters<typeof onBlock>[0]>((resolve) => (onBlock = resolve));
  const answer = new Promise<string>((resolve) => (onAnswer = resolve));
  const socket: FeedSocket = open(url, {
    onOpen: () => {
      isOpen = true;
      waiting.forEach((text) => socket.send(text));
    },
    onText: (text) => {
      const frame = readFeedFrame(text);
      if (frame?.kind === "block") onBlock(frame);
      if (frame?.kind !== "answer") return;
      if (frame.id === "") refusal = frame.error;
      onAnswer(frame.error ?? "");
      answers.get(frame.id)?.(frame.error ?? "");
    },
    onEnd: (code) => {
      closed = code;
      onBlock(undefined);
    },
  });
  return {
    block,
    answer,
    /** Subscribes to a type. Resolves with the words of a refusal, empty if it was accepted. */
    ask: (type: string): Promise<string> =>
      new Promise((resolve) => {
        asked += 1;
        answers.set(String(asked), resolve);
        const text = JSON.stringify({
          id: String(asked),
          method: "subscribe",
          params: { types: [type], addresses: [] },
        });
        if (isOpen) socket.send(text);
        else waiting.push(text);
      }),
    ended: () => ({ closed, refusal }),
    end: socket.end,
  };
}
