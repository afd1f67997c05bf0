import { expect, it } from "vitest";
import { csvOf } from "../../src/cards/csv.js";

it("a file keeps figures, losses among them, as figures, and lets no cell run as a formula", () => {
  const cells = ["-1.5", "12", "=1+1", "+1", "@a", "-a", "KLV, KFI", '"', undefined];
  expect(csvOf({ cell: (cell: string | undefined) => cell, other: () => "x" }, cells).toString()).toBe(
    `\uFEFFcell,other\r\n-1.5,x\r\n12,x\r\n'=1+1,x\r\n'+1,x\r\n'@a,x\r\n'-a,x\r\n"KLV, KFI",x\r\n"""",x\r\n,x\r\n`,
  );
});
