import type { BotCommands } from "./bot-commands.js";
import type { CallbackQueries } from "./callback-queries.js";
import type { Clock } from "./clock.js";
import type { Events } from "./events.js";
import type { FileStore } from "./file-store.js";
import type { InlineQueries } from "./inline-queries.js";
import type { Messages } from "./messages.js";
import type { OlderServer } from "./older.js";
import type { People } from "./people.js";
import type { Polling } from "./polling.js";
import type { User } from "./types.js";
import type { UpdateQueue } from "./update-queue.js";
import type { Webhook } from "./webhook.js";

/** Everything that a method of the Bot API works on. */
export interface Server {
  readonly bot: User;
  readonly clock: Clock;
  readonly people: People;
  readonly messages: Messages;
  readonly queue: UpdateQueue;
  readonly polling: Polling;
  readonly webhook: Webhook;
  readonly callbacks: CallbackQueries;
  readonly inline: InlineQueries;
  readonly commands: BotCommands;
  readonly events: Events;
  readonly files: FileStore;
  readonly older: OlderServer;
}

/**
 * A method of the Bot API: parameters in, what goes into `result` out. Each method states the parameters that it reads; their
 * types hold because the request check let them through. `signal` tells that the caller went away.
 */
export type Method<Parameters = unknown> = (
  server: Server,
  parameters: Parameters,
  signal: AbortSignal | undefined,
) => unknown;
