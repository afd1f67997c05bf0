// `npm run doctor`: what is wrong around the bot, in sentences; `npm run doctor -- --as klv1…`: a first trial without money.
// Ends with 0, or 1 where the bot can't work, or 78 when the configuration itself has faults.
import { parseArgs } from "node:util";
import { config as readDotenv } from "dotenv";
import { readConfig, type Config } from "../config.js";
import { examine, type Finding } from "./doctor/examine.js";
import { tryAs, type Attempt } from "./doctor/trial.js";

readDotenv({ quiet: true });
const as = accountIn(process.argv.slice(2));

function accountIn(args: string[]): string | undefined {
  try {
    return parseArgs({ args, options: { as: { type: "string" } } }).values.as;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\nUsage: npm run doctor [-- --as klv1…]\n`);
    process.exit(64);
  }
}

async function linesFor(config: Config): Promise<readonly { readonly isFault: boolean; readonly line: string }[]> {
  const shown = ({ subject, verdict, text }: Finding) => `${verdict.padEnd(5)} ${subject}: ${text}`;
  const tried = ({ subject, verdict, text }: Attempt) => `${verdict.padEnd(6)} | ${subject.padEnd(31)} | ${text}`;
  return as === undefined
    ? (await examine(config)).map((each) => ({ isFault: each.verdict === "fault", line: shown(each) }))
    : (await tryAs(config, as)).map((each) => ({ isFault: each.verdict === "failed", line: tried(each) }));
}

const read = readConfig(process.env);
if (read.ok) {
  const lines = await linesFor(read.config);
  process.stdout.write(lines.map(({ line }) => `${line}\n`).join(""));
  process.exitCode = lines.some(({ isFault }) => isFault) ? 1 : 0;
} else {
  process.stdout.write(read.faults.map((fault) => `fault configuration: ${fault}\n`).join(""));
  process.exitCode = 78;
}
