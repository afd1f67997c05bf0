import { describe, expect, it } from "vitest";
import { variables } from "../src/config.js";
import { unknownSentence, unknownVariables } from "../src/unknown-variables.js";

/** What is said of a `.env` with these lines, all with a value; faults are marked. */
function said(names: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const file = Object.fromEntries(names.map((name) => [name, "1"]));
  return unknownVariables(file, { ...env, ...file }).map(
    (each) => `${each.isFault ? "! " : ""}${unknownSentence(each)}`,
  );
}

describe("a name in .env that isn't a variable", () => {
  it.each([
    ["ALLOWED_USERS_IDS", "ALLOWED_USER_IDS"],
    ["ALLOWED_USER_ID", "ALLOWED_USER_IDS"],
    ["allowed-user-ids", "ALLOWED_USER_IDS"],
    ["MAX_SLIPAGE_BPS", "MAX_SLIPPAGE_BPS"],
    ["ADMIN_USERS_IDS", "ADMIN_USER_IDS"],
    ["STOREDIR", "STORE_DIR"],
  ])("%s is a fault, as %s can hardly not be meant", (typed, meant) => {
    expect(said([typed])).toEqual([`! ${typed} is no variable of Swapdesk: did you mean ${meant}?`]);
  });

  it("is only noted if what it resembles is set, or the likeness is small", () => {
    expect(said(["ALLOWED_USERS_IDS", "ALLOWED_USER_IDS"])).toEqual([
      "ALLOWED_USERS_IDS is no variable of Swapdesk: did you mean ALLOWED_USER_IDS?",
    ]);
    expect(said(["MAX_SLIPPAGE_PERCENT", "ADMIN_IDS", "TELEGRAM_BOT_TOKEN", "FAVOURITE_COLOUR"])).toEqual([
      "MAX_SLIPPAGE_PERCENT is no variable of Swapdesk: did you mean MAX_SLIPPAGE_BPS?",
      "ADMIN_IDS is no variable of Swapdesk: did you mean ADMIN_USER_IDS?",
      "TELEGRAM_BOT_TOKEN is no variable of Swapdesk: did you mean BOT_TOKEN?",
      "FAVOURITE_COLOUR is no variable of Swapdesk",
    ]);
  });

  it.each(["WARN_IMPACT_BPS", "MAX_IMPACT_BPS"])("%s, which is a constant now, stops nothing", (name) => {
    expect(said([name])).toEqual([expect.stringMatching(new RegExp(`^${name} is no longer needed: a quote `))]);
  });

  it("may be one that is no longer needed, wherever it stands, which is no fault", () => {
    const why = "NODE_FEED_URL is no longer needed: what happens on the chain is read from the blocks of NODE_URL";
    expect(said(["NODE_FEED_URL"])).toEqual([why]);
    expect(said([], { NODE_FEED_URL: "no URL at all" })).toEqual([why]);
    expect(said([], { NODE_FEED_URL: " " })).toEqual([]);
  });

  it("may be one that the compose files read", () => {
    expect(said(["DOMAIN", "POSTGRES_PASSWORD"])).toEqual([]);
  });
});

describe("the environment", () => {
  it("is others' too, so only typos in it are noted, and none is a fault", () => {
    const others = { HOME: "/", PATH: "/bin", NODE_ENV: "production", NODE_PORT: "tcp://x", HOSTNAME: "a", LANG: "C" };
    expect(said([], others)).toEqual([]);
    expect(said([], { ...others, ALLOWED_USERS_IDS: "1" })).toEqual([
      "ALLOWED_USERS_IDS is no variable of Swapdesk: did you mean ALLOWED_USER_IDS?",
    ]);
    expect(said(Object.keys(variables), others)).toEqual([]);
  });
});
