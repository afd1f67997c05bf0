import type { Context, MiddlewareHandler } from "hono";
import { createSignal } from "./signal.js";
import type { FaultyService, ServiceEnv, ServiceFault } from "./faults.js";

/** A request to one of the sandbox's services, or of a program to the bot, and its answer. */
export interface WireEntry {
  readonly id: number;
  /** When the request arrived, in milliseconds since 1970. */
  readonly at: number;
  readonly service: FaultyService | "programs";
  readonly method: string;
  readonly path: string;
  readonly requestBody: string;
  /** 0 if the connection ended without an answer. */
  readonly status: number;
  readonly responseBody: string;
  readonly milliseconds: number;
  readonly fault?: ServiceFault;
}

const CAPACITY = 500;
/** Maximum bytes to record of a form: enough to see its fields, without the pictures that would fill the memory. */
const MAX_OF_A_FORM = 20_000;

export type WireLog = ReturnType<typeof createWireLog>;

/** All requests and answers, for the inspector and for tests of exact bodies. */
export function createWireLog(clock: { readonly now: () => number }) {
  const entries: WireEntry[] = [];
  const added = createSignal<WireEntry>();
  let lastId = 0;

  return {
    /** Mount it before the faults' middleware, so that it records what they do. */
    middleware:
      (service: WireEntry["service"]): MiddlewareHandler<ServiceEnv> =>
      async (context, next) => {
        const at = clock.now();
        // As bytes, since files need not be text, and the first read fixes the type that later reads get.
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
    /** Calls the listener with each complete entry. */
    subscribe: added.subscribe,
  };
}

/** Reads the answer and replaces it with a copy: a clone would tee the stream, which doubles the cost of a request. */
async function readBody(context: Context<ServiceEnv>): Promise<string> {
  const { status, headers } = context.res;
  const body = await context.res.text();
  // Otherwise, Hono would merge in the headers of the replaced answer and create a stream to do so.
  context.res = undefined;
  context.res = new Response(body, { status, headers });
  return body;
}
