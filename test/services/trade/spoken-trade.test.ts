import { describe, expect, it } from "vitest";
import { isFault } from "../../../src/fault.js";
import { readMultihop, readSwap } from "../../../src/services/trade/swap-request.js";
import { readSpoken, spokenTrade } from "../../../src/services/trade/spoken-trade.js";
import { isParsed } from "../../../src/services/base/typed-line.js";
import { tokenListOf } from "../../../src/services/market/token-list.js";
import { fc, property } from "../../support/property.js";
import { dvk, kfi, klv } from "../samples.js";

const tokens = tokenListOf([klv, kfi, dvk]);

/** The command that a text means, the labels of those that it could mean, or what `readSpoken` returns. */
function meant(text: string): unknown {
  const said = spokenTrade(text);
  if (said === undefined) return undefined;
  const { isBuy, what } = said;
  const spoken = readSpoken(isBuy, what, tokens);
  if (isFault(spoken, "trade-unclear")) return spoken.parameters.choices.map(({ label }) => label);
  return typeof spoken === "object" && "command" in spoken ? `${spoken.command} ${spoken.line}` : spoken;
}

describe("what traders say", () => {
  it.each([
    ["buy 100 KFI", "multihop any KLV KFI=100"],
    ["Buy 100KFI", "multihop any KLV KFI=100"],
    ["buy KFI 100", "multihop any KLV KFI=100"],
    ["comprar 100 de KFI", "multihop any KLV KFI=100"],
    ["buy 100 KFI with DVK-34ZH", "multihop any DVK-34ZH KFI=100"],
    ["buy 100 KFI KLV", "multihop any KLV KFI=100"],
    ["buy 100 KFI for 50 KLV", "multihop 50 KLV KFI=100"],
    ["buy KFI for 100 KLV", "swap 100 KLV KFI"],
    ["buy KFI with half my KLV", "swap half KLV KFI"],
    ["buy 100 KLV of KFI", "swap 100 KLV KFI"],
    ["compre KFI por 100 KLV", "swap 100 KLV KFI"],
    ["buy KFI", "swap KLV KFI"],
    ["buy KFI with DVK-34ZH", "swap DVK-34ZH KFI"],
    ["sell 5 KFI", "swap 5 KFI KLV"],
    ["vender metade KFI", "swap metade KFI KLV"],
    ["sell 5 KFI for DVK-34ZH", "swap 5 KFI DVK-34ZH"],
    ["sell KFI for 100 KLV", "multihop any KFI KLV=100"],
    ["sell KFI", "swap KFI KLV"],
    ["sell 5 KLV", "swap 5 KLV"],
    ["I want 5 KFI", "multihop any KLV KFI=5"],
    ["want KFI for 100 KLV", "swap 100 KLV KFI"],
    ["i want to sell half my DVK-34ZH", "swap half DVK-34ZH KLV"],
    ["quero 5 KFI", "multihop any KLV KFI=5"],
    ["Eu quero comprar 5 KFI", "multihop any KLV KFI=5"],
    ["quero vender tudo DVK-34ZH", "swap tudo DVK-34ZH KLV"],
    // Two readings: each is offered.
    ["buy KFI 100 KLV", ["100 KLV → KFI", "KLV → 100 KFI"]],
    ["sell KFI 5 KLV", ["5 KFI → KLV", "KFI → 5 KLV"]],
    ["sell 5 KFI for 500 KLV", ["5 KFI → KLV", "KFI → 500 KLV"]],
    ["buy 5 KLV", ["KFI → 5 KLV", "DVK-34ZH → 5 KLV"]],
    // Nothing to go by.
    ["buy", "unsaid"],
    ["buy half KFI", "unsaid"],
    ["buy me a coffee", undefined],
    ["I want to know the price", undefined],
    ["quero saber", undefined],
    ["wanted 5 KFI", undefined],
    ["sell everything", undefined],
  ])("%s is %j", (text, command) => {
    expect(meant(text)).toEqual(command);
  });

  const word = fc.constantFrom("100", "5", "50%", "KLV", "KFI", "klv", "for", "with", "of", "my", "→", "1.5", "KFX");
  const line = fc.array(word, { maxLength: 6 }).map((words) => words.join(" "));
  property("never becomes another amount or token than was said", [fc.boolean(), line], (isBuy, said) => {
    const spoken = readSpoken(isBuy, said, tokens);
    const commands =
      typeof spoken !== "object"
        ? []
        : isFault(spoken, "trade-unclear")
          ? spoken.parameters.choices.map(({ command }) => command)
          : "command" in spoken
            ? [`${spoken.command} ${spoken.line}`]
            : [];
    // A number may be written in groups: `100 100 KLV`.
    const grouped = said.replace(/(?<=[0-9]) (?=100(?: |$))/g, "");
    const words = new Set([...`${said} ${grouped}`.toUpperCase().split(" "), "KLV"]);
    for (const command of commands) {
      const [name, ...rest] = command.split(/[ =]/);
      // What pays for the native token is offered, and nothing else is made up.
      const isOffered = commands.length > 1;
      for (const each of rest.filter((each) => each !== "any")) {
        if (!isOffered || /[0-9]/.test(each[0] ?? "")) expect(words).toContain(each.toUpperCase());
      }
      const read = name === "swap" ? readSwap(rest.join(" "), tokens) : readMultihop(command.slice(9), tokens);
      expect(read).not.toBe("unreadable");
    }
  });

  it("reads whatever it takes only for one exact amount", () => {
    const buying = readMultihop("any KLV KFI=5", tokens);
    expect(buying).toMatchObject({
      kind: "multihop",
      isFound: true,
      from: klv,
      stops: [{ exactly: { units: 5_000_000n } }],
    });
    for (const line of ["any KLV KFI", "any KLV DVK-34ZH KFI=5", "any KLV KFI=5 DVK-34ZH"]) {
      expect(isParsed(readMultihop(line, tokens)), line).toBe(false);
    }
  });
});
