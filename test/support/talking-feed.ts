import { pino } from "pino";
import { createNodeFeed } from "../../src/services/chain/node-feed.js";
import type { openFeedSocket } from "../../src/services/chain/feed-socket.js";
import type { VirtualClock } from "./virtual-clock.js";

/** A bot's feed on a virtual clock, and a node that says of each block what it is told to. */
export function talkingFeed(clock: VirtualClock, options: { readonly answers?: boolean } = {}) {
  const { answers = true } = options;
  let hear = (_: string): void => undefined;
  let end = (_: number): void => undefined;
  const say = (message: object): void => hear(JSON.stringify(message));
  const answer = (text: string): void => {
    const { id } = JSON.parse(text) as { readonly id?: string };
    if (id !== undefined) setImmediate(() => say({ id, data: "subscribed" }));
  };
  const open: typeof openFeedSocket = (_, { onOpen, onText, onEnd }) => {
    hear = answers ? onText : hear;
    end = onEnd;
    setImmediate(() => (answers ? onOpen() : onEnd(1006)));
    return { send: answer, end: () => undefined };
  };
  const log = pino({ level: "silent" });
  const feed = createNodeFeed({ url: "ws://node", clock, log, random: () => 0, open });
  const touch = (address: string, blockNum: number, hash?: string): void =>
    say({ type: "user_transactions", address, hash: "", data: { hash, blockNum } });
  return {
    feed,
    touch,
    /** The connection is cut; the bot connects again. */
    cut: (): void => end(1006),
    block: (nonce: number, touched: readonly string[] = []): void => {
      const data = { nonce, hash: `h${nonce}`, parentHash: `h${nonce - 1}`, timestamp: clock.now() };
      say({ type: "blocks", address: "", hash: "", data });
      for (const address of touched) touch(address, nonce);
    },
  };
}
