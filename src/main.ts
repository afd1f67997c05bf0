import { config as readDotenv } from "dotenv";
import { startApp } from "./app.js";
import { readConfig } from "./config.js";
import { isFault } from "./fault.js";
import { messages } from "./locales/messages.js";
import { sentenceOf } from "./locales/sentence.js";

/** sysexits.h: the configuration is wrong. */
const EX_CONFIG = 78;

readDotenv({ quiet: true });
process.exitCode = await run();

async function run(): Promise<number> {
  const read = readConfig(process.env);
  if (!read.ok) {
    process.stderr.write(`The configuration has faults:\n${read.faults.map((fault) => `  ${fault}\n`).join("")}`);
    return EX_CONFIG;
  }
  try {
    const app = await startApp(read.config);
    const stop = () => void app.stop();
    process.once("SIGINT", stop);
    process.once("SIGTERM", stop);
    await app.done;
    return 0;
  } catch (error) {
    if (!isFault(error)) throw error;
    process.stderr.write(`${sentenceOf(error, messages.en)}\n(${error.message})\n`);
    return error.code === "token-list-invalid" ? EX_CONFIG : 1;
  }
}
