import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { buildConnector, type Dispatcher } from "undici";

/** No byte of the request was sent, and none will be. */
export class NotConnected extends Error {
  override readonly name = "NotConnected";
  constructor(readonly code: string) {
    super(code);
  }
}

const IN_TIME = "NOT_CONNECTED_IN_TIME";

type EndingRequest = Dispatcher.RequestOptions & { readonly signal: AbortSignal };

/** Requests that end when their signals do, which undici's own hear only once they are connected. */
export interface Requests {
  /** @param read reads the answer. @throws NotConnected if the signal ends it before anything was sent, and undici's. */
  readonly ask: <Answer>(
    asked: EndingRequest,
    read: (response: Dispatcher.ResponseData) => Answer | Promise<Answer>,
  ) => Promise<Answer>;
  /** Ends its connections once what is in progress has ended, or after so many milliseconds. */
  readonly close: (milliseconds: number) => Promise<void>;
}

/** @param dispatch creates undici's dispatcher over a connector. @param connectMilliseconds that a connection may take. */
export function createRequests(
  dispatch: (connect: buildConnector.connector) => Dispatcher,
  connectMilliseconds: number,
): Requests {
  const underWay = new Set<Promise<unknown>>();
  const connecting = new Set<Socket>();
  const dispatcher = dispatch(connectWithin(connectMilliseconds, connecting));
  return {
    ask: async (asked, read) => {
      const answer = requestUntil(dispatcher, asked).then(read);
      underWay.add(answer);
      try {
        return await answer;
      } finally {
        underWay.delete(answer);
      }
    },
    close: async (milliseconds) => {
      const waited = new AbortController();
      const overdue = sleep(milliseconds, undefined, { signal: waited.signal }).catch(() => undefined);
      await Promise.race([Promise.allSettled(underWay), overdue]);
      waited.abort();
      // undici's `close` would wait for the connections of what was given up, and `destroy` leaves them to their limit.
      for (const socket of connecting) socket.destroy(new NotConnected(IN_TIME));
      await dispatcher.destroy();
    },
  };
}

function requestUntil(dispatcher: Dispatcher, asked: EndingRequest): Promise<Dispatcher.ResponseData> {
  const { signal } = asked;
  let isBegun = false;
  const noting = dispatcher.compose((dispatch) => (options, handler) => {
    const start = handler.onRequestStart?.bind(handler);
    handler.onRequestStart = (...started) => {
      isBegun = true;
      start?.(...started);
    };
    return dispatch(options, handler);
  });
  return new Promise((answer, fail) => {
    // undici sends nothing of a request that was aborted before its connection was made.
    const giveUp = () => {
      if (!isBegun) fail(new NotConnected(IN_TIME));
    };
    if (signal.aborted) {
      giveUp();
      return;
    }
    signal.addEventListener("abort", giveUp, { once: true });
    const settled = () => signal.removeEventListener("abort", giveUp);
    noting.request(asked).finally(settled).then(answer, fail);
  });
}

/** undici's type leaves out what it returns. */
type Connect = (...given: Parameters<buildConnector.connector>) => Socket;

/**
 * A limit of undici's is a second at least, and may come half a second late. What is given up then makes no connection
 * later on.
 */
function connectWithin(milliseconds: number, connecting: Set<Socket>): buildConnector.connector {
  const connect = buildConnector({ timeout: 0 }) as Connect;
  return (options, callback) => {
    const begun = connect(options, (...connected) => {
      clearTimeout(overdue);
      connecting.delete(begun);
      callback(...connected);
    });
    connecting.add(begun);
    const overdue = setTimeout(() => begun.destroy(new NotConnected(IN_TIME)), milliseconds);
  };
}
