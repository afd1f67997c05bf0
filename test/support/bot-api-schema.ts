import { requestSchema } from "../../sandbox/telegram/schema-source.js";

/** Generates the schema of the sandbox's Bot API once, so that workers don't each do it. */
export async function setup(): Promise<void> {
  await requestSchema();
}
