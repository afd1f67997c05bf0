import { BotError, GrammyError, HttpError } from "grammy";
import { pino, stdSerializers, type DestinationStream, type LevelWithSilent, type Logger } from "pino";
import { describeError } from "./services/telegram/telegram-errors.js";

const REPLACEMENT = "[secret]";
/** A shorter string occurs in any line by chance; replacing it would only make the log unreadable. */
const SHORTEST_SECRET = 4;

/** Logs one JSON line per event. @param hide replaces secrets in a line. @param to defaults to standard output. */
export function createLog(level: LevelWithSilent, hide: (text: string) => string, to?: DestinationStream): Logger {
  const destination = to ?? standardOutput((lines) => log.warn({ lines }, "Log lines dropped"));
  const hidden = { write: (line: string) => destination.write(hide(line)) };
  const log: Logger = pino({ level, serializers: { err: errorFields } }, hidden);
  return log;
}

/** Telegram errors hold payloads and URLs with the token, and grammY's BotError the whole update: neither is logged. */
function errorFields(logged: Error): object {
  if (logged instanceof BotError) return errorFields(logged.error as Error);
  const isOfTelegram = logged instanceof GrammyError || logged instanceof HttpError;
  return isOfTelegram ? { type: logged.name, message: describeError(logged) } : stdSerializers.err(logged);
}

/** Maximum number of characters that wait while the disk is full; beyond that, lines are dropped. */
const MAX_WAITING_CHARACTERS = 1_000_000;

/** Never ends the program: what can't be written waits or is dropped. Synchronous, for the lines before a crash. */
function standardOutput(dropped: (lines: number) => void): DestinationStream {
  const output = pino.destination({ dest: 1, sync: true, maxLength: MAX_WAITING_CHARACTERS });
  let lines = 0;
  output.on("drop", () => (lines += 1));
  // Without a listener, the error would be thrown into the code that logs.
  output.on("error", () => undefined);
  output.on("drain", () => {
    if (lines === 0) return;
    const before = lines;
    lines = 0;
    dropped(before);
  });
  return output;
}

/** Returns a function that replaces secrets in text, including their URL-encoded and JSON-quoted forms. */
export function hideSecrets(secrets: readonly string[]): (text: string) => string {
  const forms = new Set(secrets.filter((secret) => secret.length >= SHORTEST_SECRET).flatMap(formsOf));
  if (forms.size === 0) return (text) => text;
  // Longest first: one secret can contain another.
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
  // Quoted once as a field of the line, twice if the field itself holds JSON.
  return plain.flatMap((form) => [form, quoted(form), quoted(quoted(form))]);
}
