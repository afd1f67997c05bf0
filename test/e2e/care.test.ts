import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addresses, type Desk, startDesk } from "../support/desk.js";
import { everythingStored } from "../support/stored.js";
import { until } from "../support/until.js";

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.close());

const elsewhere = {
  "was forwarded": { forward_origin: { type: "hidden_user", sender_user_name: "A friend", date: 1 } },
  "came by way of another bot": { via_bot: { id: 99, is_bot: true, first_name: "Helper", username: "helper_bot" } },
};

describe("a command that somebody else wrote", () => {
  it.each(Object.entries(elsewhere))("is ignored if it %s", async (_, origin) => {
    const person = await desk.trader();
    person.says(`/wallet ${addresses.otherPerson}`, undefined, origin);
    await person.reads(/so I ignored it/);
    await person.asks("/wallet", new RegExp(addresses.person));
    expect(person.transcript().join()).not.toContain(addresses.otherPerson);
  });
});

describe("a change of the payout address", () => {
  it("shows both addresses, waits for a tap, and is announced in a separate message", async () => {
    const person = await desk.trader("pt-br");
    const question = await person.asks(`/wallet ${addresses.otherPerson}`, /Mudar seu endereço/);
    expect(question.text).toContain(addresses.person);
    expect(question.text).toContain(addresses.otherPerson);
    const { data } = question.buttons[0]!;
    person.taps(question, "Sim, mudar");
    const told = await person.reads(/endereço de carteira mudou/);
    expect(told.text).toContain(addresses.person);
    // The button works only once.
    await person.asks(`/wallet ${addresses.person}`, /Mudar seu endereço/);
    person.forges(question, data);
    await person.asks("/wallet", /Definido em/);
    expect(person.transcript().at(-1)).toContain(addresses.otherPerson);
  });

  it("is refused while the account is frozen; the address can still be viewed", async () => {
    const person = await desk.trader();
    const question = await person.asks(`/wallet ${addresses.otherPerson}`, /Change your wallet address/);
    await person.asks("/freeze", /^🧊 Frozen/);
    person.taps(question, "Yes, change it");
    await person.asks(`/wallet ${addresses.otherPerson}`, /frozen/);
    await person.asks("/wallet", /Your wallet address/);
    expect(person.transcript().at(-1)).toContain(addresses.person);
    expect(person.tapAnswers().at(-1)).toMatch(/frozen/);
  });
});

describe("a seed phrase or a private key", () => {
  const phrase = "legal winner thank year wave sausage worth useful legal winner thank yellow";
  it.each([
    ["a phrase", phrase],
    [
      "a numbered phrase",
      phrase
        .split(" ")
        .map((word, index) => `${index + 1}. ${word}`)
        .join("\n"),
    ],
    ["a key", "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"],
    ["a key behind a command", `/wallet 0x${"AB".repeat(32)}`],
  ])("(%s) is deleted with a warning, and neither repeated, logged nor stored", async (_, secret) => {
    const person = await desk.trader();
    await person.asks("/swap", /Which token/);
    await person.asks(secret, /seed phrase or private key. I deleted your message[^]*new wallet/);
    expect(desk.telegram.calls.filter(({ method }) => method === "deleteMessage").at(-1)?.parameters).toMatchObject({
      chat_id: person.id,
    });
    // The dialog still waits for an answer.
    await person.asks("KLV", /KLV/);
    const word = secret.slice(-9);
    expect(person.transcript().join()).not.toContain(word);
    expect(desk.program().output()).not.toContain(word);
    // A slow update may have been stored in the inbox, and then stays in the WAL for some seconds.
    await until(async () => !(await everythingStored(desk)).includes(word));
  });

  it("that can't be deleted gets a request to delete it", async () => {
    const person = await desk.trader();
    desk.telegram.intercept = ({ method }) =>
      method === "deleteMessage"
        ? { status: 400, body: { ok: false, error_code: 400, description: "Bad Request: message can't be deleted" } }
        : undefined;
    await person.asks(phrase, /delete it yourself/);
    desk.telegram.intercept = () => undefined;
  });
});
