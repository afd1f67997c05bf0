import { describe, expect, it } from "vitest";
import { NewerVersion, overDefaults } from "../../src/store/defaults.js";

interface Thing {
  readonly version: 2;
  readonly count: number;
  readonly names: readonly string[];
  readonly byName: Readonly<Record<string, bigint>>;
  readonly note?: string;
}

const fresh: Thing = { version: 2, count: 7, names: [], byName: {} };

describe("a stored document over its defaults", () => {
  it("is taken as it is when whole", () => {
    const stored: Thing = { version: 2, count: 1, names: ["a"], byName: { a: 1n }, note: "n" };
    expect(overDefaults(fresh, stored)).toEqual(stored);
  });

  it("has defaults for fields added since, and keeps those that a later program added", () => {
    expect(overDefaults(fresh, { version: 2, count: 1, added: true })).toEqual({ ...fresh, count: 1, added: true });
  });

  it.each([
    [null, "null where a document should be"],
    [undefined, "undefined where"],
    ["text", "string where"],
    [[{ version: 2 }], "array where"],
    [{}, "version undefined, not 2"],
    [{ version: 1 }, "version 1, not 2"],
    [{ version: "2" }, "version is string, not number"],
    [{ version: 2, count: "1" }, "count is string, not number"],
    [{ version: 2, count: null }, "count is null, not number"],
    [{ version: 2, names: {} }, "names is object, not array"],
    [{ version: 2, byName: [] }, "byName is array, not object"],
  ])("refuses %j", (stored, reason) => {
    expect(() => overDefaults(fresh, stored)).toThrow(reason);
  });

  it("leaves alone what a later program wrote", () => {
    expect(() => overDefaults(fresh, { version: 3 })).toThrow(NewerVersion);
  });
});
