import { expect, it } from "vitest";
import { createCache } from "../../src/store/cache.js";

it("keeps what was used last, as much as fits", () => {
  const cache = createCache<string>(10);
  cache.set("a", "A", 4);
  cache.set("b", "B", 4);
  expect(cache.get("a")).toBe("A");
  cache.set("c", "C", 4);
  expect(["a", "b", "c"].map((key) => cache.get(key))).toEqual(["A", undefined, "C"]);
});

it("counts a value that is set again once", () => {
  const cache = createCache<string>(10);
  for (let times = 0; times < 5; times += 1) cache.set("a", "A", 6);
  cache.set("b", "B", 4);
  expect(["a", "b"].map((key) => cache.get(key))).toEqual(["A", "B"]);
});

it("keeps none that is too large", () => {
  const cache = createCache<string>(10);
  cache.set("a", "A", 11);
  cache.set("c", "C", 10);
  expect(["a", "c"].map((key) => cache.get(key))).toEqual([undefined, "C"]);
});
