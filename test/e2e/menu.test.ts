import { expect, it } from "vitest";
import { menuCommands } from "../../src/cards/menu.js";
import { dataOf, defaultWorld, labelsOf, tradingDesk } from "../support/sandbox-desk.js";

const titles = { trade: "💱", orders: "🎯", alerts: "🔔", portfolio: "💼", safety: "🛡" } as const;

it("from /start, every part is a tap away and everything in it another, and Back leads home", async () => {
  const { alice } = await tradingDesk({ world: defaultWorld });
  const home = await alice.asks("/start");
  for (const [part, title] of Object.entries(titles)) {
    await alice.taps(home, title);
    const menu = await alice.sees(home, new RegExp(`^${title}[^]*You can type: `));
    for (const command of menuCommands[part as keyof typeof titles]) {
      const [label = ""] = labelsOf(menu).filter((one) => dataOf(menu, one) === `v1:do:${command}`);
      await alice.taps(home, label);
      const answer = await alice.reads(/./);
      expect([command, answer.text]).not.toEqual([command, expect.stringMatching(/didn't understand|Unknown command/)]);
      await alice.asks("/cancel");
    }
    await alice.taps(home, "‹ Back");
    await alice.sees(home, /^🏠/);
  }
  await alice.taps(home, "🛡");
  await alice.taps(home, "🧊 Freeze");
  await alice.reads(/Freeze trading\?/);
  await alice.taps(home, "‹ Back");
  await alice.taps(home, "⚙️");
  await alice.sees(home, /^Settings/);
  await alice.taps(home, "‹ Back");
  await alice.sees(home, /^🏠/);
  await alice.taps(home, "💱");
  // A token's own page.
  await alice.taps(home, "KFI");
  await alice.reads(/^KFI/);
});

it("what people type for it opens the menu, the portfolio or a token, and empty lists offer a first choice", async () => {
  const { alice } = await tradingDesk({ world: defaultWorld });
  await alice.asks("menu", /^🏠/);
  for (const word of ["pnl", "Positions", "/pnl", "Portfolio"]) await alice.asks(word, /Total value: /);
  for (const word of ["referral", "fees"]) await alice.asks(word, /0\.5%|fee/i);
  await alice.asks("History", /No transactions|history/i);
  for (const name of ["$KFI", "kfi?", "$kfi ??"]) expect((await alice.asks(name)).text).toMatch(/^KFI\n/);
  const alerts = await alice.asks("/alerts", /no price alerts/);
  await alice.taps(alerts, "🔔 Price alert");
  await alice.reads(/Which token|token/);
  await alice.asks("/cancel");
});
