import { expect, it } from "vitest";
import { commandsOf } from "../../src/bot/feature.js";
import { nearestCommand } from "../../src/bot/unknown.js";
import { features } from "../support/features.js";

const commands = commandsOf(features);

it.each([
  ["swap", "swap"],
  ["swp", "swap"],
  ["qoute", "quote"],
  ["portofolio", "portfolio"],
  ["port", "portfolio"],
  ["alrt", "alert"],
  // Two begin like it, or two are as near.
  ["al", undefined],
  ["loc", "lock"],
  ["ale", undefined],
  ["x", undefined],
  ["", undefined],
  ["everything", undefined],
  // What is for operators doesn't exist.
  ["admin", undefined],
  ["broadcas", undefined],
])("/%s means %s", (typed, command) => {
  expect(nearestCommand(typed, commands)).toBe(command);
});

it("every form's id begins with its command, which continuing it names", () => {
  const ids = features.flatMap(({ forms = [] }) => forms).map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(10);
  const typed = [...commands, ...features.flatMap(({ unlisted = {} }) => Object.keys(unlisted))];
  for (const id of ids) expect(typed).toContain(/^[a-z]+/.exec(id)?.[0]);
});

it("offers nothing if two commands are equally near", () => {
  expect(nearestCommand("order", ["orders", "order"])).toBe("order");
  expect(nearestCommand("ordes", ["orders", "order"])).toBeUndefined();
});
