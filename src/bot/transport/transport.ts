import { GrammyError, type Api } from "grammy";

/** How updates reach the bot: by long polling or by webhook. */
export interface Transport {
  /** Ends when the transport was stopped. @throws Fault `service-unauthorized` when Telegram refuses the token. */
  readonly done: Promise<void>;
  /** Whether Telegram is known to be in reach. */
  readonly healthy: () => boolean;
  /** Takes no more updates, waits at most so long for those under way, and never throws. */
  readonly stop: (deadlineMilliseconds: number) => Promise<void>;
}

/** The kinds of update that this bot asks Telegram for. */
export const allowedUpdates = ["message", "callback_query", "my_chat_member"] as const;

/** Telegram answers no polls while a webhook is set. A Bot API server of another make may know none. */
export async function deleteWebhook(api: Api): Promise<void> {
  await api.deleteWebhook().catch((error: unknown) => {
    // To a token that is wrong, getMe answers the same.
    if (!(error instanceof GrammyError) || error.error_code !== 404) throw error;
  });
}
