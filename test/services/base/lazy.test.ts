import { expect, it } from "vitest";
import { lazy } from "../../../src/services/base/lazy.js";

it("makes it when it is first needed, and lazy, also if that is undefined", () => {
  let made = 0;
  const nothing = lazy((): string | undefined => {
    made += 1;
    return undefined;
  });
  expect(made).toBe(0);
  expect([nothing(), nothing()]).toEqual([undefined, undefined]);
  expect(made).toBe(1);
});
