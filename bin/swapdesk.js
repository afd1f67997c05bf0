#!/usr/bin/env node
// `swapdesk` starts the bot; `swapdesk sandbox`, `doctor`, `store` and `tokens` are the npm scripts of the same names.
const programs = {
  bot: "../dist/main.js",
  sandbox: "../dist/sandbox/main.js",
  doctor: "../dist/commands/doctor.js",
  store: "../dist/commands/store.js",
  tokens: "../dist/commands/tokens.js",
};
const [name = "bot"] = process.argv.splice(2, 1);
if (Object.hasOwn(programs, name)) {
  await import(programs[name]);
} else {
  process.stderr.write(`Usage: swapdesk [${Object.keys(programs).join("|")}] …\n`);
  process.exitCode = 64;
}
