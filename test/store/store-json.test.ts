import { describe, expect, it } from "vitest";
import { fromJson, toJson } from "../../src/store/store.js";
import { anyText, fc, property } from "../support/property.js";

const key = fc.oneof(fc.string(), fc.constantFrom("$bigint", "$$bigint", "$$$bigint", "bigint", "$", "__proto__"));
const leaf = [
  fc.bigInt(),
  anyText,
  fc.boolean(),
  fc.constant(null),
  // JSON has no negative zero.
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number)),
];
const document = fc.object({ key, values: leaf, withNullPrototype: false, maxDepth: 4 });

describe("JSON of stored documents", () => {
  property(
    "comes back as it was, also where it holds keys that look like our own",
    [fc.oneof(document, fc.array(document), ...leaf)],
    (value) => {
      expect(fromJson(toJson(value))).toStrictEqual(value);
    },
    { numRuns: 500 },
  );

  it("writes bigints of any size as decimal text, without white space", () => {
    expect(toJson({ units: 123n, list: [-(2n ** 80n)] })).toBe(
      '{"units":{"$bigint":"123"},"list":[{"$bigint":"-1208925819614629174706176"}]}',
    );
  });

  it("distinguishes a document's own $bigint from the encoding's", () => {
    expect(toJson({ $bigint: "1", $$bigint: 2n })).toBe('{"$$bigint":"1","$$$bigint":{"$bigint":"2"}}');
    expect(fromJson('{"$$bigint":"1"}')).toEqual({ $bigint: "1" });
  });

  it.each([
    '{"$bigint":1}',
    '{"$bigint":""}',
    '{"$bigint":" 1"}',
    '{"$bigint":"0x10"}',
    '{"$bigint":"1","more":2}',
    '{"$bigint":{"$bigint":"1"}}',
    '{"a":1',
    "",
  ])("refuses %s", (text) => {
    expect(() => fromJson(text)).toThrow(SyntaxError);
  });

  it.each([undefined, () => 1, Symbol("s")])("refuses to write what JSON drops: %s", (value) => {
    expect(() => toJson(value)).toThrow(TypeError);
  });
});
