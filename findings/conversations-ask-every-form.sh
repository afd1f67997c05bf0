#!/usr/bin/env bash
# The guess: a dialog that nobody has open costs an update nothing.
# What is so: each createConversation of @grammyjs/conversations takes part in every update, open or not: it registers
# itself anew, with its functions and objects, and the storage is read first, also for a message in which nothing can be
# open. With ten dialogs registered an update makes several times the promises that it makes without.
# Why it matters here: ten dialogs took 23 kB of memory of every /help. src/bot/dialogs.ts therefore lets the
# plugin run only where a dialog is open or begins.
# Versions: @grammyjs/conversations 2.1.1, grammy 1.46.0. Date: 2026-11-27.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund @grammyjs/conversations@2.1.1 grammy@1.46.0 >/dev/null

cat >ask.cjs <<'JS'
const { createHook } = require("node:async_hooks");
const { Bot } = require("grammy");
const { conversations, createConversation } = require("@grammyjs/conversations");
let promises = 0;
let reads = 0;
const hook = createHook({ init: (_id, type) => void (type === "PROMISE" && promises++) });
const stored = new Map();
const adapter = { read: (key) => (reads++, stored.get(key)), write: (key, value) => void stored.set(key, value), delete: (key) => void stored.delete(key) };
async function count(forms) {
  const me = { id: 1, is_bot: true, first_name: "bot", username: "a_bot" };
  const bot = new Bot("1:none", { botInfo: me });
  if (forms) bot.use(conversations({ storage: { type: "key", adapter } }));
  for (let at = 0; at < forms; at++) bot.use(createConversation(async () => {}, `form${at}`));
  let handled = 0;
  bot.on("message", () => void handled++);
  const person = { id: 7, is_bot: false, first_name: "A" };
  const message = { message_id: 1, date: 1, chat: { id: 7, type: "private", first_name: "A" }, from: person, text: "hello" };
  await bot.handleUpdate({ update_id: 1, message });
  promises = reads = 0;
  hook.enable();
  await bot.handleUpdate({ update_id: 2, message });
  hook.disable();
  if (handled !== 2) throw new Error("not handled");
  return { promises, reads };
}
(async () => {
  const [none, one, ten] = [await count(0), await count(1), await count(10)];
  console.log(`conversations ${require("@grammyjs/conversations/package.json").version}, promises and reads of storage for a message, no dialog open`);
  console.log(`  no dialogs: ${none.promises}, ${none.reads}; one: ${one.promises}, ${one.reads}; ten: ${ten.promises}, ${ten.reads}`);
  if (!(ten.promises > 3 * none.promises && ten.promises - one.promises >= 9 * 5 && ten.reads === 1 && none.reads === 0)) process.exit(1);
})();
JS
node ask.cjs
echo "Every registered dialog takes part in every update."
