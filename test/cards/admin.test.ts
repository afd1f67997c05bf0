import { expect, it } from "vitest";
import { operatorCard } from "../../src/cards/admin.js";
import { en } from "./arrange.js";

it("a stranger's name in an access request is code, so that no address or name in it is a link", () => {
  const name = "https://evil.example/operators @evil_support";
  const { text, entities } = operatorCard({ about: "newcomer", userId: 4200, name }, en);
  const covering = entities.filter(({ offset, length }) => text.slice(offset, offset + length) === name);
  expect(covering.map(({ type }) => type)).toEqual(["code"]);
});
