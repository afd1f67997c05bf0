import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { alice, startTelegram, token } from "../sandbox/telegram/harness.js";
import { bundled } from "../support/bundled.js";
import { goodEnvironment } from "../support/desk.js";
import { startPostgres } from "../support/postgres.js";
import { startProgram } from "../support/process.js";
import { until } from "../support/until.js";

it("without a webhook one instance polls; when it is killed the other one does, and nothing is lost", {
  timeout: 60_000,
}, async () => {
  const [main, postgres, { telegram, url, close }, folder] = await Promise.all([
    bundled("src/main.ts"),
    startPostgres(),
    startTelegram(),
    mkdtemp(join(tmpdir(), "swapdesk-polling-")),
  ]);
  const environment = {
    ...goodEnvironment,
    BOT_TOKEN: token,
    TELEGRAM_API_ROOT: url,
    DATABASE_URL: await postgres.newDatabase(),
    ADMIN_USER_IDS: String(alice),
  };
  const start = () => {
    const program = startProgram([process.execPath, main], { environment, folder });
    onTestFinished(() => program.kill("SIGKILL"));
    return program;
  };
  onTestFinished(async () => {
    await Promise.all([close(), postgres.close()]);
    await rm(folder, { recursive: true, force: true });
  });
  const calls = (method: string) => telegram.calls().filter((call) => call.method === method);
  const said = () => telegram.chat(alice).map(({ text }) => text);
  const asks = async (text: string, answer: RegExp) => {
    const before = said().length;
    telegram.sendText(alice, text);
    await until(() =>
      said()
        .slice(before)
        .some((one) => answer.test(one)),
    );
  };

  const first = start();
  await asks("/help", /\/swap/);
  start();
  await until(() => calls("deleteWebhook").length === 2);
  const polls = calls("getUpdates").length;
  await asks("/fees", /paid/i);
  // The second one stands by: the only poll that ended is the one that brought this.
  expect(calls("getUpdates").length).toBeLessThanOrEqual(polls + 2);

  first.kill("SIGKILL");
  await asks("/wallet", /klv1/);
  expect(telegram.calls().filter(({ status }) => status === 409)).toEqual([]);
  expect(said().filter((text) => /another copy/i.test(text))).toEqual([]);
});
