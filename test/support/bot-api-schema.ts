import { requestSchema } from "../../sandbox/telegram/schema-source.js";

/** Makes the schema of the sandbox's Bot API once, before every worker would. */
export async function setup(): Promise<void> {
  await requestSchema();
}
