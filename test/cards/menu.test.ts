import { describe, expect, it } from "vitest";
import { commandsOf } from "../../src/bot/feature.js";
import { settingsCard } from "../../src/cards/settings.js";
import { commandsOffered, menuCard, menuCommands, menuRows } from "../../src/cards/menu.js";
import { readButton } from "../../src/cards/buttons.js";
import { messages } from "../../src/locales/messages.js";
import { people } from "../support/documents.js";
import { features } from "../support/features.js";
import { en } from "./arrange.js";

const slippages = { defaultSlippageBps: 100, maxSlippageBps: 1500 };
const person = people.create("1001");
const parts = Object.keys(menuCommands) as (keyof typeof menuCommands)[];
const shown = parts.map((part) => menuCard(part, {}, ["KLV", "KFI"], person, slippages, en));
const tapped = [...shown, settingsCard(person, slippages)].flatMap(({ keyboard = [] }) =>
  keyboard.flat().map((button) => readButton("callback_data" in button ? button.callback_data : "")),
);

/** Commands that are the menu itself, or end something. */
const itself = ["start", "help", "cancel", "settings"];

describe("the menu", () => {
  it("has each part and the settings a tap away, and every command of every feature in one of them", () => {
    const ways = menuRows(messages.en).flat();
    expect(ways).toHaveLength(parts.length + 1);
    const led = new Set(tapped.map((tap) => (tap?.verb === "do" ? tap.text : "")));
    // A button freezes, after a question.
    const isAsked = tapped.some((tap) => tap?.verb === "fz");
    const missing = commandsOf(features).filter((command) => !led.has(command) && !itself.includes(command));
    expect([missing, isAsked]).toEqual([["freeze"], true]);
  });

  it("has something of every feature for users", () => {
    const verbs = new Set(tapped.map((tap) => tap?.verb));
    const led = new Set(tapped.map((tap) => tap?.text));
    const isLed = (feature: (typeof features)[number]) =>
      [...Object.keys(feature.commands ?? {}), ...Object.keys(feature.unlisted ?? {})].some((name) => led.has(name)) ||
      (feature.buttons !== undefined && ("token" in feature.buttons ? verbs.has("t") : "home" in feature.buttons));
    const left = features.filter((feature) => feature.isFor === undefined && !isLed(feature));
    // What arrives is chosen under the balance, and settings are a part of their own.
    expect(left.map(({ buttons = {} }) => Object.keys(buttons)[0])).toEqual(["arrivals", "setting"]);
  });

  it("lists at most fourteen commands in Telegram, each of them a feature's", () => {
    for (const where of ["private", "groups"] as const) {
      const named = commandsOffered(messages.en, where).map(({ command }) => command);
      expect(named.length).toBeLessThanOrEqual(14);
      expect(commandsOf(features)).toEqual(expect.arrayContaining(named));
    }
  });
});
