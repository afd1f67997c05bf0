import type { Conversation } from "@grammyjs/conversations";
import { type Context, GrammyError, HttpError, type MiddlewareFn, type Transformer } from "grammy";
import { describeError } from "../../services/telegram-errors.js";

type Answer = Awaited<ReturnType<Transformer>>;

/** What became of a call, as plain data: the dialog's log keeps nothing else. */
type Outcome =
  | { readonly kind: "answered"; readonly answer: Answer }
  | { readonly kind: "network"; readonly message: string }
  | { readonly kind: "thrown"; readonly message: string };

/**
 * Sends the calls of a dialog through the `ctx.api` outside of it, and keeps their outcome in the dialog's log.
 *
 * By itself the plugin makes a fresh Api inside a dialog: it lacks the transformers, transformers installed on it wait
 * again at every replay, and an error that is no HttpError leaves the update unfinished forever
 * (github.com/grammyjs/conversations, issue 155).
 */
export function dialogApi<Outer extends Context, Inner extends Context>(
  conversation: Conversation<Outer, Inner>,
): MiddlewareFn<Inner> {
  // `external` refuses to run side by side with itself, so calls made side by side queue.
  let last: Promise<unknown> = Promise.resolve();
  return async (ctx, next) => {
    ctx.api.config.use(async (_previous, method, payload, signal) => {
      const call = last.then(() =>
        conversation.external((outer) => carryOut(async () => await outer.api.raw[method](payload as never, signal))),
      );
      last = call.catch(() => undefined);
      const outcome = await call;
      if (outcome.kind === "network") throw new HttpError(outcome.message, new Error(outcome.message));
      if (outcome.kind === "thrown") throw new Error(outcome.message);
      return outcome.answer as never;
    });
    await next();
  };
}

async function carryOut(call: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { kind: "answered", answer: { ok: true, result: (await call()) as never } };
  } catch (error) {
    if (error instanceof GrammyError) {
      const { error_code, description, parameters } = error;
      return { kind: "answered", answer: { ok: false, error_code, description, parameters } };
    }
    return { kind: error instanceof HttpError ? "network" : "thrown", message: describeError(error) };
  }
}
