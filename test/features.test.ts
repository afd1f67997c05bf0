import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandsOf } from "../src/bot/feature.js";
import { messages } from "../src/locales/messages.js";
import { features } from "./support/features.js";

const src = join(import.meta.dirname, "../src");
const names = features.map(({ name }) => name);

/** Files and folders in a folder of `src`, without their ending. */
function inFolder(folder: string): string[] {
  return readdirSync(join(src, folder)).map((name) => name.replace(/\.ts$/, ""));
}

it("every feature has one file of its name, and no file there is of none", () => {
  expect(inFolder("bot/features").toSorted()).toEqual(names.toSorted());
});

it("every file of forms has the name of a feature with forms", () => {
  const asking = features.filter(({ forms = [] }) => forms.length > 0).map(({ name }) => name);
  // What all forms share.
  const shared = ["ask", "interview", "questions", "reply-card"];
  expect(inFolder("conversations").filter((name) => !shared.includes(name) && !asking.includes(name))).toEqual([]);
});

it("everybody's commands are those that help and Telegram's menu list, in every language", () => {
  for (const { help } of Object.values(messages)) {
    expect(Object.keys(help.commands).toSorted()).toEqual(commandsOf(features).toSorted());
  }
});

it("each topic of the outbox belongs to one feature", () => {
  const topics = features.flatMap(({ name, topics = [] }) => topics.map((topic) => `${name} tells ${topic.name}`));
  expect(topics.toSorted()).toEqual([
    "admin tells broadcast",
    "lock tells lock",
    "order tells order",
    "order tells outage",
    "price-alert tells price-alert",
    "settings tells notice",
  ]);
});
