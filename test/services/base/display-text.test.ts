import { describe, expect, it } from "vitest";
import { plainText, replaceInvisible } from "../../../src/services/base/display-text.js";

describe("plainText", () => {
  it("keeps ordinary text of any script", () => {
    expect(plainText("Slippage exceeded", 40)).toBe("Slippage exceeded");
    expect(plainText("Преço 価格 🙂", 40)).toBe("Преço 価格 🙂");
  });

  it("removes invisible characters, and makes one line", () => {
    expect(plainText("a\u0000b\nc\u202Ed\u200Be\u2028f\uFEFFg  \t h", 40)).toBe("a b c d e f g h");
    expect(plainText("\u001b[31mred", 40)).toBe("[31mred");
    expect(plainText("\n\u2066 \u2069", 40)).toBe("");
  });

  it.each(
    Array.from(
      "\u00AD\u034F\u061C\u115F\u1160\u17B4\u180E\u200B\u200D\u200E\u202A\u202E\u2060\u2066\u2800\u3164\uFE0F\uFEFF\uFFA0\u{E0041}",
    ),
  )("removes %j", (invisible) => {
    expect(plainText(`K${invisible}LV`, 40)).toBe("K LV");
    expect(replaceInvisible(`K${invisible}LV`)).toBe(`K${" ".repeat(invisible.length)}LV`);
  });

  it("keeps lines and emoji if only invisible characters are replaced", () => {
    expect(replaceInvisible("⚠️ one\n✖️ two")).toBe("⚠️ one\n✖️ two");
  });

  it("cuts at whole characters", () => {
    expect(plainText("12345", 5)).toBe("12345");
    expect(plainText("123456", 5)).toBe("1234…");
    expect(plainText("🙂🙂🙂🙂", 3)).toBe("🙂🙂…");
    expect(plainText("x".repeat(5_000_000), 300)).toHaveLength(300);
  });
});
