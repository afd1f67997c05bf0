import { expect, it, onTestFinished } from "vitest";
import { startHttpStub } from "../support/http-stub.js";
import { comparedCard, people } from "../support/sandbox-desk.js";
import { walletChat } from "../support/wallet-chat.js";

const PASSWORD = "planted-password-of-the-node";

it("no log line, card, page or error contains the node's password or the bot's token, and no log line or error a request's token", async () => {
  const log: string[] = [];
  const { desk, alice, pageOf, post, sign } = await walletChat({}, { logTo: { write: (line) => void log.push(line) } });
  /** Paths at which the node fails and repeats the credentials it got. */
  let failing: RegExp | undefined;
  const failed: string[] = [];
  const node = await startHttpStub(async ({ method, path, text, headers }) => {
    const sent = `${String(headers.authorization)} ${Buffer.from(String(headers.authorization).slice(6), "base64").toString()}`;
    if (failing?.test(path) === true) {
      failed.push(path);
      expect(sent).toContain(PASSWORD);
      return { status: 500, body: { data: null, error: sent, code: "internal_issue" } };
    }
    const answer = await fetch(desk.sandbox.url + path, { method, ...(method === "POST" && { body: text }) });
    return { status: answer.status, body: await answer.json() };
  });
  onTestFinished(node.close);
  await desk.restart({ NODE_URL: node.url.replace("http://", `http://operator:${PASSWORD}@`) });

  failing = /send/;
  const refused = await comparedCard(alice, "/swap 1 KLV KFI");
  await alice.confirms(refused, /Not sent/);
  failing = undefined;
  const card = await comparedCard(alice, "/swap 1 KLV KFI");
  await alice.confirms(card, /Waiting for your signature/);
  const page = pageOf(card);
  const token = page.split("/").at(-1)!;
  const shown = [await fetch(page), await fetch(`${page}/request`)];
  const errors = [
    await fetch(page.replace(token, "B".repeat(43))),
    await post(page.replace(token, "B".repeat(43)), "signature", { signature: "0".repeat(128) }),
    await post(page, "signature", { signature: "0".repeat(128) }),
    await post(page, "signature", { signature: "0".repeat(5000) }),
    await fetch(`${page}/decline`, { method: "POST", headers: { origin: "https://evil.example" } }),
  ];
  expect(errors.map(({ status }) => status)).toEqual([404, 404, 422, 413, 403]);
  failing = /broadcast/;
  expect(await sign(page)).toBe(200);
  await expect.poll(() => failed).toContain("/transaction/broadcast");
  failing = /transaction\/[0-9a-f]{64}/;
  await expect.poll(() => failed.at(-1)).toMatch(failing);
  failing = undefined;
  await alice.sees(card, /Swap completed/);
  errors.push(await fetch(page), await post(page, "decline", {}));
  expect(errors.slice(-2).map(({ status }) => status)).toEqual([410, 410]);

  const texts = async (answers: readonly Response[]) =>
    (
      await Promise.all(answers.map(async (answer) => (await answer.text()) + JSON.stringify([...answer.headers])))
    ).join();
  const cards = JSON.stringify(desk.sandbox.telegram.chat(people.alice).map(({ text }) => text));
  const secrets = [PASSWORD, Buffer.from(`operator:${PASSWORD}`).toString("base64"), desk.sandbox.token];
  expect(log).not.toEqual([]);
  for (const secret of secrets) {
    expect(log.filter((line) => line.includes(secret))).toEqual([]);
    expect(cards).not.toContain(secret);
    expect(await texts(shown.map((each) => each.clone()))).not.toContain(secret);
    expect(await texts(errors.map((each) => each.clone()))).not.toContain(secret);
  }
  expect(log.filter((line) => line.includes(token))).toEqual([]);
  expect(await texts(errors)).not.toContain(token);
});
