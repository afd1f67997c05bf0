import type { Context, MiddlewareHandler } from "hono";
import { createSignal } from "./signal.js";
import type { FaultyService, ServiceEnv, ServiceFault } from "./faults.js";

/** One request to a service of the sandbox and what it answered. */
export interface WireEntry {
  readonly id: number;
  /** When the request came, in milliseconds since 1970. */
  readonly at: number;
  readonly service: FaultyService;
  readonly method: string;
  readonly path: string;
  readonly requestBody: string;
  /** 0 when the connection ended without an answer. */
  readonly status: number;
  readonly responseBody: string;
  readonly milliseconds: number;
  readonly fault?: ServiceFault;
}

const CAPACITY = 500;
/** Enough to see its fields; a picture in it would fill the log's memory. */
const MAX_OF_A_FORM = 20_000;

export type WireLog = ReturnType<typeof createWireLog>;

/** Everything on the wire, for the inspector and for tests that look at exact bodies. */
export function createWireLog(clock: { readonly now: () => number }) {
  const entries: WireEntry[] = [];
  const added = createSignal<WireEntry>();
  let lastId = 0;

  return {
    /** Goes before the faults' middleware, so that what they do is recorded too. */
    middleware:
      (service: FaultyService): MiddlewareHandler<ServiceEnv> =>
      async (context, next) => {
        const at = clock.now();
        // As bytes, since a file need not be text: what is read first decides what all others read.
        const bytes = Buffer.from(await context.req.arrayBuffer());
        const isForm = context.req.header("content-type")?.startsWith("multipart/") === true;
        const requestBody = bytes.toString("utf8", 0, isForm ? MAX_OF_A_FORM : bytes.length);
        await next();
        // A fault, or the client itself, may have ended the connection.
        const answered = !context.env.outgoing.destroyed;
        const fault = context.get("fault") as ServiceFault | undefined;
        const responseBody = answered ? await readBody(context) : "";
        const entry: WireEntry = {
          id: (lastId += 1),
          at,
          service,
          method: context.req.method,
          path: context.req.path,
          requestBody,
          status: answered ? context.res.status : 0,
          responseBody,
          milliseconds: clock.now() - at,
          ...(fault !== undefined && { fault }),
        };
        entries.push(entry);
        if (entries.length > CAPACITY) entries.shift();
        added.tell(entry);
      },
    /** The last entries, oldest first. */
    entries: (): readonly WireEntry[] => entries,
    /** Is told each entry once it is complete. */
    subscribe: added.subscribe,
  };
}

/** Reads an answer and puts one like it in its place: a clone would make two streams of each, which doubles what a request costs. */
async function readBody(context: Context<ServiceEnv>): Promise<string> {
  const { status, headers } = context.res;
  const body = await context.res.text();
  // Hono would add the headers of the answer that is replaced, and make a stream for that.
  context.res = undefined;
  context.res = new Response(body, { status, headers });
  return body;
}
