import type { Socket } from "node:net";
import { Agent, buildConnector, WebSocket } from "undici";
import { splitCredentials } from "../../encoding/credentials.js";

/** A connection to a feed. */
export interface FeedSocket {
  readonly send: (text: string) => void;
  /** Ends it at once, without waiting for the other side, which may not answer. */
  readonly end: () => void;
}

interface FeedListener {
  readonly onOpen: () => void;
  readonly onText: (text: string) => void;
  /** Called once, also if it never opened. The code is WebSocket's; 1006 without a close frame, or without an answer. */
  readonly onEnd: (code: number) => void;
}

/** A block's header lists the hashes of its transactions; longer frames end the connection. */
const MAX_FRAME_BYTES = 1024 * 1024;
const CONNECTED_WITHIN_MS = 5000;

/** Connects to `ws://…` or `wss://…`; user and password are sent in a header. Pings are answered. */
export function openFeedSocket(address: string, { onOpen, onText, onEnd }: FeedListener): FeedSocket {
  const { url, authorization } = splitCredentials(address);
  let socket: Socket | undefined;
  const connect = buildConnector({ timeout: CONNECTED_WITHIN_MS });
  const dispatcher = new Agent({
    webSocket: { maxPayloadSize: MAX_FRAME_BYTES },
    connect: (options, done) =>
      connect(options, (...result) => {
        socket = result[1] ?? undefined;
        done(...result);
      }),
  });
  const webSocket = new WebSocket(url, {
    dispatcher,
    ...(authorization !== undefined && { headers: { authorization } }),
  });
  webSocket.addEventListener("open", onOpen);
  webSocket.addEventListener("message", ({ data }) => {
    // Nodes send text only.
    if (typeof data === "string") onText(data);
  });
  webSocket.addEventListener("close", ({ code }) => onEnd(code));
  return {
    send: (text) => webSocket.send(text),
    end: () => {
      webSocket.close();
      // A closing handshake may never end, and until it does all that comes would be read.
      socket?.destroy();
    },
  };
}
