import { expect, it } from "vitest";
import { once } from "../../../src/services/base/once.js";

it("makes it when it is first needed, and once, also if that is undefined", () => {
  let made = 0;
  const nothing = once((): string | undefined => {
    made += 1;
    return undefined;
  });
  expect(made).toBe(0);
  expect([nothing(), nothing()]).toEqual([undefined, undefined]);
  expect(made).toBe(1);
});
