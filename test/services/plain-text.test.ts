import { describe, expect, it } from "vitest";
import { plainText } from "../../src/services/plain-text.js";

describe("plainText", () => {
  it("keeps ordinary text of any script", () => {
    expect(plainText("Slippage exceeded", 40)).toBe("Slippage exceeded");
    expect(plainText("Преço 価格 🙂", 40)).toBe("Преço 価格 🙂");
  });

  it("takes out what cannot be seen, and makes one line", () => {
    expect(plainText("a\u0000b\nc\u202Ed\u200Be\u2028f\uFEFFg  \t h", 40)).toBe("a b c d e f g h");
    expect(plainText("\u001b[31mred", 40)).toBe("[31mred");
    expect(plainText("\n\u2066 \u2069", 40)).toBe("");
  });

  it("cuts by whole characters", () => {
    expect(plainText("12345", 5)).toBe("12345");
    expect(plainText("123456", 5)).toBe("1234…");
    expect(plainText("🙂🙂🙂🙂", 3)).toBe("🙂🙂…");
    expect(plainText("x".repeat(5_000_000), 300)).toHaveLength(300);
  });
});
