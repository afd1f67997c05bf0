// `npm run tokens -- ID…`: asks the node for each token and prints a list for TOKENS_FILE. Nothing is guessed: a token that
// the node does not know, or without a readable answer, ends the command with 1 and no list.
import { config as readDotenv } from "dotenv";
import pino from "pino";
import { systemClock } from "../clock.js";
import { variables } from "../config.js";
import { isFault } from "../fault.js";
import { messages } from "../locales/messages.js";
import { sentenceOf } from "../locales/sentence.js";
import { createHttp } from "../services/clients/http.js";
import { readListedToken } from "../services/clients/asset.js";

readDotenv({ quiet: true });
const url = variables.NODE_URL.safeParse(process.env["NODE_URL"]?.trim());
const ids = process.argv.slice(2);
if (!url.success || ids.length === 0) {
  process.stderr.write(url.success ? "Usage: npm run tokens -- KLV KFI …\n" : "NODE_URL is missing or not a URL\n");
  process.exitCode = 78;
} else {
  const http = createHttp({ timeoutSeconds: 10, clock: systemClock, log: pino({ level: "silent" }) });
  try {
    const tokens = [];
    for (const id of ids) tokens.push(await readListedToken({ nodeUrl: url.data, http }, id));
    process.stdout.write(`[\n${tokens.map((token) => `  ${JSON.stringify(token)}`).join(",\n")}\n]\n`);
  } catch (error) {
    if (!isFault(error)) throw error;
    process.stderr.write(`${sentenceOf(error, messages.en)}\n`);
    process.exitCode = 1;
  } finally {
    await http.close();
  }
}
