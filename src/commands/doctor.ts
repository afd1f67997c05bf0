// `npm run doctor`: what is wrong around the bot, in sentences. Ends with 0, or 1 where the bot can't work, or 78 when the
// configuration itself has faults.
import { config as readDotenv } from "dotenv";
import { readConfig } from "../config.js";
import { examine } from "../doctor.js";

readDotenv({ quiet: true });
const read = readConfig(process.env);
if (read.ok) {
  const findings = await examine(read.config);
  for (const { subject, verdict, text } of findings) process.stdout.write(`${verdict.padEnd(5)} ${subject}: ${text}\n`);
  process.exitCode = findings.some(({ verdict }) => verdict === "fault") ? 1 : 0;
} else {
  process.stdout.write(read.faults.map((fault) => `fault configuration: ${fault}\n`).join(""));
  process.exitCode = 78;
}
