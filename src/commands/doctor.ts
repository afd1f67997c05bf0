// `npm run doctor` says what is wrong around the bot; `npm run doctor -- --as klv1…` runs a first trial without money.
// Exits with 0, 1 if the bot can't work or the trial failed, 64 for wrong usage, or 78 if the configuration has faults.
import { parseArgs } from "node:util";
import { config as readDotenv } from "dotenv";
import { readConfig } from "../config.js";
import { unknownSentence, unknownVariables } from "../unknown-variables.js";
import { examine } from "./doctor/examine.js";
import { tryAs } from "./doctor/trial.js";

const { parsed: file = {} } = readDotenv({ quiet: true });
const as = accountIn(process.argv.slice(2));

function accountIn(args: string[]): string | undefined {
  try {
    return parseArgs({ args, options: { as: { type: "string" } } }).values.as;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\nUsage: npm run doctor [-- --as klv1…]\n`);
    process.exit(64);
  }
}

const parsedConfig = readConfig(process.env);
const unknownNames = unknownVariables(file, process.env);
if (parsedConfig.ok) {
  const found =
    as === undefined ? await examine(parsedConfig.config, unknownNames) : await tryAs(parsedConfig.config, as);
  for (const { subject, verdict, text } of found) {
    const line = `${verdict.padEnd(5)} ${subject}: ${text}`;
    const cells = `${verdict.padEnd(6)} | ${subject.padEnd(31)} | ${text}`;
    process.stdout.write(`${as === undefined ? line : cells}\n`);
  }
  process.exitCode = found.some(({ verdict }) => verdict === "fault" || verdict === "failed") ? 1 : 0;
} else {
  const faults = [...parsedConfig.faults, ...unknownNames.map(unknownSentence)];
  process.stdout.write(faults.map((fault) => `fault configuration: ${fault}\n`).join(""));
  process.stdout.write("Set them in .env; docs/deployment.md says where each comes from.\n");
  process.exitCode = 78;
}
