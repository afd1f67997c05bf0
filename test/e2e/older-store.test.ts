import { cp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testDesk } from "../support/desk.js";
import { embedded } from "../support/postgres.js";
import { project } from "../support/process.js";
import { until } from "../support/until.js";

it("a folder that version 1 of the documents left opens with everything in place", async () => {
  const desk = await testDesk(embedded);
  await desk.crash();
  const store = join(desk.folder, "store");
  await cp(join(project, "test/store/fixtures/version-1"), store, { recursive: true });
  const [alice, bob, carol] = [1001, 1002, 1003].map((id) => desk.telegram.person(id));
  desk.start();

  // Two calls were under way, and a notice waited.
  const told = () =>
    desk.telegram.calls
      .filter(({ method, parameters }) => method === "sendMessage" && parameters["chat_id"] === 1004)
      .map(({ parameters }) => String(parameters["text"]));
  const count = (pattern: RegExp) => told().filter((text) => pattern.test(text)).length;
  await until(() => count(/^⚠️ Outcome unknown\. I was interrupted/) === 2 && count(/reach the exchange/) === 1);

  alice!.says("/history");
  const history = await alice!.reads(/Your history/);
  expect(history.text).toMatch(/the node accepted it/);
  alice!.says("/locks");
  expect((await alice!.reads(/Your locks/)).text).toMatch(
    /LKTOK-1A2B\/3[^]*LKTOK-1A2B\/4|LKTOK-1A2B\/4[^]*LKTOK-1A2B\/3/,
  );
  alice!.says("/wallet");
  await alice!.reads(/klv1usdny/);
  bob!.says("/launch");
  await bob!.reads(/DVK-34ZH/);
  bob!.says("/orders");
  await bob!.reads(/KLV-USDT/);
  // Still in her language, though what she was asked belongs to an older program.
  carol!.says("/settings");
  await carol!.reads(/Configurações|Ajustes|Preferências/);

  alice!.says("/freeze");
  await alice!.reads(/frozen|stopped/i);
  desk.program().kill("SIGTERM");
  expect(await desk.program().ended).toBe(0);
  expect((await readdir(store)).sort()).toEqual(expect.arrayContaining([".open", "orders", "users"]));
  expect(await readFile(join(store, "users", "1001.json"), "utf8")).toContain('"version":2');
});
