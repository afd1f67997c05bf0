import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandsOf, everyCommandOf, type Feature, linkableIn } from "../../src/bot/feature.js";
import { menuCommands } from "../../src/cards/menu.js";
import { messages } from "../../src/locales/messages.js";
import { featureIn, features } from "../support/features.js";

const src = join(import.meta.dirname, "../../src");

/** Files and folders in a folder of `src`, without their extensions. */
function inFolder(folder: string): string[] {
  return readdirSync(join(src, folder)).map((name) => name.replace(/\.ts$/, ""));
}

const files = inFolder("bot/features");
const made = await Promise.all(files.map(async (file) => ({ file, ...(await featureIn(file)) })));

it("the list has every file's feature, and no other", () => {
  const known = ({ commands = {}, buttons = {}, forms = [], topics = [] }: Feature) =>
    [Object.keys(commands), Object.keys(buttons), forms.map(({ id }) => id), topics.map(({ name }) => name)]
      .map((names) => names.join())
      .join("; ");
  expect(made.map(known).toSorted()).toEqual(features.map(known).toSorted());
  expect(new Set(made.map(known)).size).toBe(files.length);
});

it("every file of forms is named after a feature with forms", () => {
  const asking = made.filter(({ forms = [] }) => forms.length > 0).map(({ file }) => file);
  // Shared by all forms; and regular purchases and exits, whose questions aren't those of other orders here.
  const shared = ["answered-question", "dca", "exit", "interview", "question-cards", "questions"];
  expect(inFolder("conversations").filter((name) => !shared.includes(name) && !asking.includes(name))).toEqual([]);
});

it("what the help and Telegram's list name are commands of users", () => {
  const named = [...Object.values(menuCommands).flat(), ...Object.keys(messages.en.help.commands)];
  expect(everyCommandOf(features)).toEqual(expect.arrayContaining(named));
});

it("each of the outbox's topics belongs to one feature", () => {
  const topics = made.flatMap(({ file, topics = [] }) => topics.map((topic) => `${file} tells ${topic.name}`));
  expect(topics.toSorted()).toEqual([
    "admin tells broadcast",
    "arrivals tells arrivals",
    "big-trades tells big-trades",
    "lock tells lock",
    "new-pairs tells new-pairs",
    "order tells order",
    "order tells outage",
    "price-alert tells price-alert",
    "price-alert tells price-missing",
    "settings tells notice",
    "signals tells proposal",
    "standing tells offer",
    "standing tells standing",
    "week tells week",
  ]);
});

it("a link runs only commands that show something, and sets no price of an alert", () => {
  const linkable = { alert: "names", chart: "any", order: "names", quote: "any" };
  expect(Object.fromEntries(linkableIn(features))).toEqual(linkable);
  for (const command of linkableIn(features).keys()) expect(commandsOf(features)).toContain(command);
});
