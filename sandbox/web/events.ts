import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import { toJson } from "./json.js";

/** Something that happened in the sandbox, as the page is told. */
export type SandboxEvent = Readonly<{ type: string }>;
/** Is told events until the returned function is called. */
export type EventSourceOf<Event> = (listener: (event: Event) => void) => () => void;

/** How long a browser waits before it connects again. */
const RECONNECT_MS = 1000;

/**
 * A stream of server-sent events that lasts until the client goes away. Events that happened before are not repeated: the
 * page reads the whole state after each connection.
 */
export function eventStream(context: Context, sources: readonly EventSourceOf<SandboxEvent>[]): Response {
  return streamSSE(context, async (stream) => {
    let last: Promise<unknown> = stream.writeSSE({ event: "ready", data: "", retry: RECONNECT_MS });
    // One write after the other keeps the order in which things happened.
    const send = (event: SandboxEvent) => {
      last = last.then(() => stream.writeSSE({ data: toJson(event) }));
    };
    const ends = sources.map((source) => source(send));
    await new Promise<void>((resolve) => stream.onAbort(resolve));
    for (const end of ends) end();
  });
}
