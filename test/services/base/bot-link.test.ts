import { describe, expect, it } from "vitest";
import { commandBehind, linkPayload, type LinkedWords } from "../../../src/services/base/bot-link.js";
import { fc, property } from "../../support/property.js";

const linkable = new Map<string, LinkedWords>([
  ["quote", "any"],
  ["chart", "any"],
  ["order", "names"],
  ["alert", "names"],
]);
const order = "5b1f0a52-0d0e-4c39-9a3c-2f6f1f0e7a11";

describe("a link's payload", () => {
  it.each([
    ["quote 100 KLV KFI", "quote_100_KLV_KFI"],
    ["quote 0.000001 DVK-34ZH KLV", "quote_0p000001_DVK-34ZH_KLV"],
    ["quote 1.5 1234-5678 KLV", "quote_1p5_1234-5678_KLV"],
    ["chart KFI KLV", "chart_KFI_KLV"],
    ["alert KFI KLV", "alert_KFI_KLV"],
    [`order ${order}`, `order_${order}`],
  ])("for %s is %s, and leads back to it", (command, payload) => {
    expect(linkPayload(command)).toBe(payload);
    const behind = commandBehind(payload, linkable)!;
    expect(`${behind.command} ${behind.rest}`).toBe(command);
  });

  it("leads back to an amount in plain form, which no language reads as another one", () => {
    expect(commandBehind("quote_1p125_KLV_KFI", linkable)).toEqual({ command: "quote", rest: "1.125 KLV KFI" });
  });

  it.each(["quote 50% KLV KFI", "unlock LKTOK-1A2B/7", `quote 1 ${"T".repeat(60)} KLV`, "quote 1 é KLV"])(
    "can't carry %s",
    (command) => {
      expect(linkPayload(command)).toBeUndefined();
    },
  );

  const digits = fc.stringMatching(/^(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{0,8}[1-9])?$/);
  const id = fc.stringMatching(/^[A-Z0-9]{3,10}(?:-[A-Z0-9]{4})?$/);
  property("leads back to every quote", [digits, id, id], (amount, from, to) => {
    const behind = commandBehind(linkPayload(`quote ${amount} ${from} ${to}`)!, linkable);
    expect(behind).toEqual({ command: "quote", rest: `${amount} ${from} ${to}` });
  });
});

describe("a payload that the bot didn't make", () => {
  it.each([
    "",
    "inline",
    "quote",
    "quote_",
    "_quote_1",
    "quote__KLV",
    "swap_100_KLV_KFI",
    "lock_1_KLV_30d",
    "freeze_now",
    "forget_now",
    "wallet_klv1abc",
    "admin_overview",
    "alert_KFI_KLV_120",
    "alert_KFI_KLV_1p5",
    "quote_x",
    "quote_100_send-me-your-seed_KLV",
    "QUOTE_100_KLV_KFI",
    "quote_100_KLV_KFI ",
    "quote_100_KLV\nKFI",
    `order_${"a".repeat(60)}`,
    "__proto___x",
  ])("opens nothing: %j", (payload) => {
    expect(commandBehind(payload, linkable)).toBeUndefined();
  });

  property("opens only commands that show something", [fc.string({ unit: "binary", maxLength: 80 })], (payload) => {
    const { command = "quote" } = commandBehind(payload, linkable) ?? {};
    expect(["quote", "chart", "order", "alert"]).toContain(command);
  });
});
