import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import { toJson } from "./json.js";

/** An event in the sandbox, as the page receives it. */
export type SandboxEvent = Readonly<{ type: string }>;
/** Subscribes a listener; the returned function ends the subscription. */
export type EventSourceOf<Event> = (listener: (event: Event) => void) => () => void;

/** How long a browser waits before it reconnects. */
const RECONNECT_MS = 1000;

/**
 * A stream of server-sent events until the client disconnects. Earlier events are not repeated: the page reads the
 * whole state after each connection.
 */
export function eventStream(context: Context, sources: readonly EventSourceOf<SandboxEvent>[]): Response {
  return streamSSE(context, async (stream) => {
    let last: Promise<unknown> = stream.writeSSE({ event: "ready", data: "", retry: RECONNECT_MS });
    // Sequential writes keep the events in order.
    const send = (event: SandboxEvent) => {
      last = last.then(() => stream.writeSSE({ data: toJson(event) }));
    };
    const ends = sources.map((source) => source(send));
    await new Promise<void>((resolve) => stream.onAbort(resolve));
    for (const end of ends) end();
  });
}
