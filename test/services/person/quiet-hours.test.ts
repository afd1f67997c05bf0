import { describe, expect, it } from "vitest";
import { modeFor, readQuietHours } from "../../../src/services/person/quiet-hours.js";

const at = (time: string): number => Date.parse(`2026-11-20T${time}:00Z`);

describe("quiet hours", () => {
  it.each([
    ["22:00", "07:00", "UTC", "21:59", "on"],
    ["22:00", "07:00", "UTC", "22:00", "silent"],
    ["22:00", "07:00", "UTC", "00:00", "silent"],
    ["22:00", "07:00", "UTC", "06:59", "silent"],
    ["22:00", "07:00", "UTC", "07:00", "on"],
    ["13:00", "14:30", "UTC", "14:29", "silent"],
    ["13:00", "14:30", "UTC", "14:30", "on"],
    ["22:00", "07:00", "America/Sao_Paulo", "01:00", "silent"],
    ["22:00", "07:00", "America/Sao_Paulo", "10:30", "on"],
    ["22:00", "07:00", "Asia/Kolkata", "16:29", "on"],
    ["22:00", "07:00", "Asia/Kolkata", "16:30", "silent"],
  ])("%s to %s in %s at %s UTC: %s", (from, to, timeZone, time, mode) => {
    expect(modeFor({ alerts: { modes: {}, quiet: { from, to } }, timeZone }, "done", at(time))).toBe(mode);
  });

  it("never make an alert louder than its setting", () => {
    const alerts = { modes: { done: "off", fill: "silent" }, quiet: { from: "00:00", to: "23:59" } } as const;
    expect(modeFor({ alerts, timeZone: "UTC" }, "done", at("12:00"))).toBe("off");
    expect(modeFor({ alerts, timeZone: "UTC" }, "fill", at("12:00"))).toBe("silent");
    expect(modeFor({ timeZone: "UTC" }, "fill", at("12:00"))).toBe("on");
  });

  it("are read as users type them", () => {
    expect(readQuietHours(" 22:00-07:00 ")).toEqual({ from: "22:00", to: "07:00" });
    expect(readQuietHours("9:30 – 12:05")).toEqual({ from: "09:30", to: "12:05" });
    for (const text of [
      "",
      "22-7",
      "24:00-07:00",
      "22:60-07:00",
      "22:00-22:00",
      "22:00",
      "a22:00-07:00",
      ":30-07:00",
    ]) {
      expect(readQuietHours(text)).toBeUndefined();
    }
  });
});
