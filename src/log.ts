import { BotError, GrammyError, HttpError } from "grammy";
import { pino, stdSerializers, type DestinationStream, type LevelWithSilent, type Logger } from "pino";
import { describeError } from "./services/clients/telegram-errors.js";

const REPLACEMENT = "[secret]";
/** A shorter text occurs in any line by chance; replacing it would only make the log unreadable. */
const SHORTEST_SECRET = 4;

/** One JSON line per event on standard output. @param hide takes secrets out of each as a whole. */
export function createLog(level: LevelWithSilent, hide: (text: string) => string, to?: DestinationStream): Logger {
  const destination = to ?? standardOutput((lines) => log.warn({ lines }, "Log lines dropped"));
  const hidden = { write: (line: string) => destination.write(hide(line)) };
  const log: Logger = pino({ level, serializers: { err: errorFields } }, hidden);
  return log;
}

/** Telegram's errors hold payloads and addresses with the token, and grammY's the whole update: only their words are written. */
function errorFields(logged: Error): object {
  if (logged instanceof BotError) return errorFields(logged.error as Error);
  const isOfTelegram = logged instanceof GrammyError || logged instanceof HttpError;
  return isOfTelegram ? { type: logged.name, message: describeError(logged) } : stdSerializers.err(logged);
}

/** At most this many characters wait for a full disk to be emptied; beyond that, lines are dropped. */
const MAX_WAITING = 1_000_000;

/** Never ends the program: what can't be written waits, and is dropped when it becomes too much. Synchronous, for the lines before a crash. */
function standardOutput(dropped: (lines: number) => void): DestinationStream {
  const output = pino.destination({ dest: 1, sync: true, maxLength: MAX_WAITING });
  let lines = 0;
  output.on("drop", () => (lines += 1));
  // Without a listener it would be thrown at the code that logs.
  output.on("error", () => undefined);
  output.on("drain", () => {
    if (lines === 0) return;
    const before = lines;
    lines = 0;
    dropped(before);
  });
  return output;
}

/** A function that replaces each of the secrets in a text, also where it was written for a URL or inside JSON. */
export function hideSecrets(secrets: readonly string[]): (text: string) => string {
  const forms = new Set(secrets.filter((secret) => secret.length >= SHORTEST_SECRET).flatMap(formsOf));
  if (forms.size === 0) return (text) => text;
  // The longest first: a secret can be a part of another.
  const pattern = [...forms]
    .sort((left, right) => right.length - left.length)
    .map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
  const search = new RegExp(pattern.join("|"), "gi");
  return (text) => text.replace(search, REPLACEMENT);
}

function formsOf(secret: string): string[] {
  const quoted = (text: string) => JSON.stringify(text).slice(1, -1);
  const encoded = encodeURIComponent(secret);
  const plain = [secret, encoded, encodeURI(secret), encoded.replaceAll("%20", "+")];
  // Quoted once as a field of the line, twice when a field holds JSON itself.
  return plain.flatMap((form) => [form, quoted(form), quoted(quoted(form))]);
}
