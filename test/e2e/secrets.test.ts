import { expect, it } from "vitest";
import { addresses, type Desk, secrets, testDesk } from "../support/desk.js";
import { freePort } from "../support/listen.js";
import { secretForms } from "../support/secret-forms.js";
import { everythingStored } from "../support/stored.js";
import type { Person } from "../support/stub-telegram.js";
import { until } from "../support/until.js";

const { forms, key } = secretForms();
const warning = /seed phrase or private key. I deleted your message/;

/** Makes the deletion of messages so slow that their updates are stored meanwhile. */
function slowDeletions(desk: Desk): void {
  desk.telegram.intercept = ({ method }) =>
    method === "deleteMessage" ? { body: { ok: true, result: true }, delay: 1500 } : undefined;
}

/** Polls what the bot has written until `holds`. @returns the needles that appeared at any time. */
async function writtenUntil(desk: Desk, needles: readonly string[], holds: () => boolean): Promise<Set<string>> {
  const found = new Set<string>();
  await until(async () => {
    const isOver = holds();
    const written = (await everythingStored(desk)) + desk.program().output();
    for (const needle of needles) if (written.includes(needle)) found.add(needle);
    return isOver;
  });
  return found;
}

const areWarned = (people: readonly Person[]) => () =>
  people.every((person) => person.transcript().some((text) => warning.test(text)));

const deleted = (desk: Desk) => desk.telegram.calls.filter(({ method }) => method === "deleteMessage").length;

/** The texts as they appear in JSON. */
const needlesOf = (texts: readonly string[]) => texts.map((text) => JSON.stringify(text).slice(1, -1));

it("a secret in any form is deleted and never written anywhere, even if deletion is slow", async () => {
  const desk = await testDesk();
  await desk.trader();
  slowDeletions(desk);
  const people = Object.keys(forms).map(() => desk.stranger());
  const texts = Object.values(forms);
  texts.forEach((text, index) => people[index]!.says(text));
  const found = await writtenUntil(desk, [...needlesOf(texts), "held_secret"], areWarned(people));
  // The updates were stored meanwhile, but not their texts.
  expect([...found]).toEqual(["held_secret"]);

  // A crash in the middle leaves no secret behind either, and the next start deletes the message.
  const late = desk.stranger();
  late.says(key);
  await until(async () => deleted(desk) > texts.length && (await everythingStored(desk)).includes(`"id":${late.id}`));
  await desk.crash();
  expect(await everythingStored(desk)).not.toContain(key);
  desk.start();
  await late.reads(warning);
});

it("a secret in an edit, a caption or the message replied to is deleted too, and any other edit is ignored", async () => {
  const desk = await testDesk();
  slowDeletions(desk);
  const message = (person: { readonly id: number }, messageId: number, more: object) => ({
    message_id: messageId,
    date: 1,
    chat: { id: person.id, type: "private" },
    from: { id: person.id, is_bot: false, first_name: "A", language_code: "en" },
    ...more,
  });
  const [editor, painter, replier, careful] = [desk.stranger(), desk.stranger(), desk.stranger(), desk.stranger()];
  desk.telegram.deliver({ edited_message: { ...message(editor, 71, { text: key }), edit_date: 2 } });
  desk.telegram.deliver({ message: message(painter, 72, { caption: key, photo: [] }) });
  const earlier = message(replier, 73, { text: key });
  desk.telegram.deliver({ message: message(replier, 74, { text: "is this right?", reply_to_message: earlier }) });
  await careful.asks("/swap", /address|Where/);
  desk.telegram.deliver({ edited_message: { ...message(careful, 75, { text: "/help" }), edit_date: 2 } });
  await careful.asks(addresses.person, /Which token/);
  // The question, which loses its button, the address, and the next question.
  expect(careful.transcript()).toHaveLength(4);

  const found = await writtenUntil(desk, [key], areWarned([editor, painter, replier]));
  const ids = desk.telegram.calls
    .filter(({ method }) => method === "deleteMessage")
    .map(({ parameters }) => parameters);
  expect(ids.map(({ message_id }) => message_id).toSorted()).toEqual([71, 72, 74]);
  expect([...found]).toEqual([]);
});

it("a secret anywhere in a message is deleted, and so is a key file; ordinary polls, contacts and files are not", async () => {
  const desk = await testDesk();
  slowDeletions(desk);
  const file = (file_name: string) => ({ file_id: "BQACAgQ", file_unique_id: "AgAD", file_name, file_size: 400 });
  const poll = (question: string) => ({ id: "5", question, options: [], type: "regular" });
  const contact = (first_name: string) => ({ phone_number: "+351912345678", first_name });
  const origin = { type: "hidden_user", date: 1, sender_user_name: "Bo" };
  const sends = (more: object) => {
    const { id } = desk.stranger();
    const from = { id, is_bot: false, first_name: "A", language_code: "en" };
    desk.telegram.deliver({ message: { message_id: id, date: 1, chat: { id, type: "private" }, from, ...more } });
    return id;
  };
  const held = [
    { text: "is this right?", quote: { text: key, position: 0 }, external_reply: { origin } },
    { text: "and this?", external_reply: { origin, poll: poll(key) } },
    { poll: poll(key) },
    { contact: contact(key) },
    { document: file(`${key}.txt`) },
    { checklist: { title: "safe", tasks: forms["12 words"].split(" ").map((text, id) => ({ id, text })) } },
    { document: file("walletKey.pem") },
    { document: file("keystore.json"), caption: "my wallet" },
  ].map(sends);
  [{ poll: poll("Which one?") }, { contact: contact("Bo") }, { document: file("report.pdf") }].forEach(sends);
  const found = await writtenUntil(desk, [key, "walletKey.pem", "keystore.json"], () => deleted(desk) === held.length);
  expect([...found]).toEqual([]);
  const texts = () => desk.telegram.calls.map(({ parameters }) => JSON.stringify(parameters));
  await until(() => texts().filter((text) => /I deleted your message/.test(text)).length === held.length);
  expect(texts().filter((text) => /a file with a private key/.test(text))).toHaveLength(2);
  const gone = desk.telegram.calls.filter(({ method }) => method === "deleteMessage");
  expect(gone.map(({ parameters }) => parameters["chat_id"]).toSorted()).toEqual(held.toSorted());
});

it("a secret received by webhook is deleted and never written, too", async () => {
  const PORT = String(await freePort());
  const WEBHOOK_URL = `http://127.0.0.1:${PORT}/updates`;
  const desk = await testDesk({ PORT, WEBHOOK_URL });
  slowDeletions(desk);
  await until(() => desk.telegram.calls.some(({ method }) => method === "setWebhook"));
  desk.telegram.post = async (update) => {
    const headers = { "content-type": "application/json", "x-telegram-bot-api-secret-token": secrets.webhookSecret };
    return (await fetch(WEBHOOK_URL, { method: "POST", headers, body: JSON.stringify(update) })).ok;
  };
  const person = desk.stranger();
  person.says(key);
  const found = await writtenUntil(desk, [key], areWarned([person]));
  expect([...found]).toEqual([]);
});

it("text that only resembles a secret is kept and answered", async () => {
  const desk = await testDesk();
  const person = await desk.trader();
  const ordinary = [
    ["/order 1989652f-be77-4179-924e-b71c03a4198a", /./],
    [`/wallet ${addresses.person}`, /klv1usdny/],
    [`https://kleverscan.org/transaction/${key}`, /didn't understand that/],
    ["/multihop 100 KLV KFI", /./],
    ["I would like to know what all of this will cost me before you ask me again tomorrow", /./],
  ] as const;
  for (const [text, answer] of ordinary) {
    await person.asks(text, answer);
  }
  expect(deleted(desk)).toBe(0);
});
