import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { goodEnvironment, testDesk } from "../support/desk.js";

it("a limit counts whole tokens, even after the token list corrects a token's precision", async () => {
  const desk = await testDesk();
  const person = await desk.trader();
  const asked = async (line: string, pattern: RegExp) => {
    person.says(line);
    return person.reads(pattern);
  };
  person.taps(await asked("/security", /Your limits/), "Set a limit");
  await person.reads(/Send a token/);
  await asked("KLV 100 / 500", /100 KLV per transaction/);

  const listed = JSON.parse(await readFile(goodEnvironment["TOKENS_FILE"]!, "utf8")) as { id: string }[];
  const corrected = listed.map((token) => (token.id === "KLV" ? { ...token, precision: 4 } : token));
  const path = join(desk.folder, "corrected-tokens.json");
  await writeFile(path, JSON.stringify(corrected));
  await desk.crash();
  desk.start({ TOKENS_FILE: path });

  await asked("/swap 9000 KLV KFI", /limit of 100 KLV per transaction/);
  const card = await asked("/swap 100 KLV KFI", /You pay: 100 KLV/);
  await person.confirms(card, /Accepted, not yet confirmed|Swap completed/);
  expect(desk.services.calls()).toHaveLength(1);
});
