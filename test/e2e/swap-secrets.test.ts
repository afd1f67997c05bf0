import { expect, it } from "vitest";
import { addresses, secrets, testDesk } from "../support/desk.js";
import type { Answer, Received } from "../support/http-stub.js";
import { everythingStored } from "../support/stored.js";
import { quoted } from "../support/stub-services.js";
import { failure } from "../support/stub-telegram.js";
import { until } from "../support/until.js";

/** Credentials in the node's URL. */
const proofs = [
  ["a password", "operator:", "planted-password-of-the-node"],
  ["a key in the place of a user", "", "planted-key-of-the-node"],
] as const;
/** A header with credentials, also decoded, as a service might repeat it in an error. */
const readable = (sent: string) =>
  sent.startsWith("Basic ") ? `${sent} ${Buffer.from(sent.slice(6), "base64").toString()}` : sent;

// Every other test checks for leaks too, when its desk closes. These bring secrets close to where they could leak.

it.each(proofs)("no secret is logged, sent or stored if services fail and repeat %s", async (_, user, proof) => {
  const desk = await testDesk({ HTTP_TIMEOUT_SECONDS: "3", SERVICE_OUTAGE_SECONDS: "0.1" });
  const { telegram, services } = desk;
  await desk.crash();
  desk.start({ NODE_URL: services.nodeUrl.replace("http://", `http://${user}${proof}@`) });

  const failures: readonly ((sent: string) => Answer)[] = [
    () => "drop",
    () => "hang",
    (sent) => ({ status: 500, body: sent }),
    (sent) => ({ status: 401, body: { success: false, message: `wrong key ${sent}` } }),
    (sent) => ({ status: 400, body: { success: false, error: `wrong key ${sent}`, data: null } }),
    (sent) => ({ body: { success: false, message: `wrong key ${sent}` } }),
    (sent) => ({ body: `not JSON: ${sent}` }),
  ];
  for (const failing of failures) {
    const answer = ({ headers }: Received) => failing(readable(String(headers["apikey"] ?? headers.authorization)));
    const person = await desk.trader();
    services.onQuotation = () => quoted;
    const card = await person.asks("/swap 700 KLV KFI", /KLV → KFI/);
    services.onCall = answer;
    await person.confirms(card, /unknown|rejected/i);
    services.onQuotation = answer;
    services.onOrder = answer;
    await person.asks("/swap 700 KLV KFI", /quotation service/);
    await person.asks("/order 1989652f-be77-4179-924e-b71c03a4198a", /exchange|couldn't read/);
  }
  expect(services.received.find(({ path }) => path.startsWith("/exchange/"))!.headers["apikey"]).toBe(secrets.apiKey);
  const [call] = services.callsOf("KLV=700000000");
  expect(call!.headers.authorization).toBe(
    `Basic ${Buffer.from(user === "" ? `${proof}:` : user + proof).toString("base64")}`,
  );

  expect(desk.leaks()).toEqual([]);
  expect(desk.program().output()).not.toContain(proof);
  expect(telegram.calls.map((one) => JSON.stringify(one)).join()).not.toContain(proof);
  const written = await everythingStored(desk);
  expect(written).toContain(addresses.person);
  for (const secret of [...Object.values(secrets), proof]) expect(written).not.toContain(secret);
});

it("no secret is logged or sent if Telegram fails and repeats the request's path", async () => {
  const desk = await testDesk({ HTTP_TIMEOUT_SECONDS: "3" });
  const person = desk.stranger();
  const repeated = `/bot${secrets.token}/method`;
  const troubles: readonly Answer[] = [
    "drop",
    failure(400, `Bad Request: ${repeated}`),
    failure(500, `Internal Server Error: ${repeated}`),
    { status: 502, body: `<html>${repeated}</html>` },
    { body: `not JSON: ${repeated}` },
  ];
  for (const [index, trouble] of troubles.entries()) {
    const failed = new Set<string>();
    // Retries of sendMessage take seconds, so only the first two troubles include it.
    const methods = index < 2 ? ["getUpdates", "sendMessage"] : ["getUpdates"];
    desk.telegram.intercept = ({ method }) => {
      if (failed.has(method) || !methods.includes(method)) return undefined;
      failed.add(method);
      return trouble;
    };
    person.says("/start");
    await until(() => failed.size === methods.length);
    desk.telegram.intercept = () => undefined;
    await person.asks("/help", /\/history/);
  }
  expect(desk.leaks()).toEqual([]);
  // The log did mention it.
  expect(desk.program().output()).toContain("[secret]");
});
