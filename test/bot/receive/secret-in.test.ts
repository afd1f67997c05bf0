import { readFileSync } from "node:fs";
import type { Message } from "grammy/types";
import { describe, expect, it } from "vitest";
import { arrived } from "../../../src/bot/receive/inbox.js";
import { secretIn } from "../../../src/bot/receive/secret-in.js";
import { secretForms } from "../../support/secret-forms.js";
import { seededRandom } from "../../support/seed.js";

const { forms, key } = secretForms();
const phrase = forms["12 words"];
const person = { id: 1001, is_bot: false, first_name: "Ann" };
const bot = { id: 1000, is_bot: true, first_name: "Swapdesk", username: "swapdesk_bot" };
const chat = { id: 1001, type: "private", first_name: "Ann" };
const message = (more: object, from = person) => ({ message_id: 7, date: 1, chat, from, ...more }) as Message;

/** The Bot API's types as data: each interface's fields with their types, each alias as what it stands for. */
function botApiTypes() {
  const source = readFileSync("node_modules/@gramio/types/out/objects.d.ts", "utf8").replace(/\/\*\*[^]*?\*\//g, "");
  const interfaces = new Map(
    [...source.matchAll(/export interface (\w+) \{([^}]*)\}/g)].map(([, name = "", body = ""]) => [
      name,
      [...body.matchAll(/^\s*(\w+)\??: (.+)$/gm)].map(([, field = "", type = ""]) => [field, type] as const),
    ]),
  );
  const aliases = new Map(
    [...source.matchAll(/export type (\w+) =([^;]*?)(?=\nexport |$)/g)].map(([, name = "", is = ""]) => [name, is]),
  );
  return { interfaces, aliases };
}

/** What nobody writes into a message: who sent it or is named in it, bots' buttons, ids, and words for programs. */
const outside = ["TelegramUser", "TelegramChat", "TelegramPassportData", "TelegramInlineKeyboardMarkup"];
const forPrograms = /(?:^|_)(?:ids?|type)$|^(?:emoji|language|date_time_format)$/;
/** The list of Bot API fields that would repeat themselves for ever. */
const MAX_DEPTH = 5;

/** Each text field of a message, as a message with nothing but `secret` in it. */
function plantedIn(secret: string): Map<string, object> {
  const { interfaces, aliases } = botApiTypes();
  const planted = new Map<string, object>();
  const visit = (type: string, path: string, wrap: (value: unknown) => object, seen: readonly string[]): void => {
    for (const one of (aliases.get(type) ?? type).split("|").map((part) => part.trim())) {
      if (one.endsWith("[]")) visit(one.slice(0, -2), `${path}[]`, (value) => wrap([value]), seen);
      else if (one === "string") planted.set(path, wrap(secret));
      else if (one !== type && aliases.has(one)) visit(one, path, wrap, seen);
      else if (!seen.includes(one) && !outside.includes(one) && seen.length < MAX_DEPTH) {
        for (const [field, of] of interfaces.get(one) ?? []) {
          if (forPrograms.test(field)) continue;
          visit(of, `${path}.${field}`, (value) => wrap({ [field]: value }), [...seen, one]);
        }
      }
    }
  };
  visit("TelegramMessage", "", (value) => value as object, []);
  return planted;
}

describe("a secret in a message", () => {
  const planted = plantedIn(key);

  it("is found in every text field that the Bot API's types have", () => {
    // The reading of the types must have found what matters.
    const known = ["text", "caption", "quote.text", "poll.question", "poll.options[].text", "contact.vcard"];
    const more = ["checklist.tasks[].text", "document.file_name", "web_app_data.data", "venue.address", "game.title"];
    const inReplies = [
      "external_reply.poll.question",
      "external_reply.document.file_name",
      "external_reply.contact.vcard",
    ];
    expect([...planted.keys()]).toEqual(
      expect.arrayContaining([...known, ...more, ...inReplies].map((path) => `.${path}`)),
    );
    expect(planted.size).toBeGreaterThan(150);
    const missed = [...planted].filter(([, content]) => secretIn(message(content)) !== "text");
    expect(missed.map(([path]) => path)).toEqual([]);
  });

  it("is found in the quote of a message from another chat, and of one by a person", () => {
    const quote = { text: `is ${phrase} right?`, position: 0 };
    const origin = { type: "user", date: 1, sender_user: person };
    expect(secretIn(message({ text: "?", quote, external_reply: { origin } }))).toBe("text");
    expect(secretIn(message({ text: "?", quote }))).toBe("text");
    expect(secretIn(message({ text: "?", quote, reply_to_message: message({ text: "…" }) }))).toBe("text");
    expect(secretIn(message({ text: "?", reply_to_message: message({ poll: { question: phrase } }) }))).toBe("text");
  });

  it("is found when its words are apart: in tasks, in options, in pieces of different styles", () => {
    const words = phrase.split(" ");
    const bold = (text: string) => [{ type: "bold", offset: 0, length: text.length }];
    const tasks = words.map((text, id) => ({ id, text, text_entities: bold(text), completed_by_user: person }));
    expect(secretIn(message({ checklist: { title: "safe", tasks } }))).toBe("text");
    const options = words.map((text, id) => ({ persistent_id: `${id}`, text, voter_count: 0, added_by_user: person }));
    expect(secretIn(message({ poll: { id: "5", question: "which?", options, type: "regular" } }))).toBe("text");
    const styled = [key.slice(0, 20), { type: "bold", text: key.slice(20, 40) }, { type: "code", text: key.slice(40) }];
    expect(secretIn(message({ rich_message: { blocks: [{ type: "paragraph", text: styled }] } }))).toBe("text");
  });

  it("leaves nothing but what deleting the message takes", () => {
    for (const content of planted.values()) {
      const kept = arrived({ update_id: 1, message: message(content) as never });
      expect(kept).toEqual({ update_id: 1, message: message({ held_secret: "text" }) });
    }
  });
});

describe("a key file", () => {
  const file = (file_name: string, more: object = {}) => ({ file_id: "F", file_unique_id: "U", file_name, ...more });

  it("is recognised as a document, sent or replied to", () => {
    expect(secretIn(message({ document: file("walletKey.pem") }))).toBe("file");
    const origin = { type: "hidden_user", date: 1, sender_user_name: "Bo" };
    expect(secretIn(message({ text: "?", external_reply: { origin, document: file("walletKey.pem") } }))).toBe("file");
    expect(secretIn(message({ text: "?", reply_to_message: message({ document: file("id_rsa") }) }))).toBe("file");
    const kept = arrived({
      update_id: 1,
      message: message({ document: file("walletKey.pem"), caption: "mine" }) as never,
    });
    expect(kept).toEqual({ update_id: 1, message: message({ held_secret: "file" }) });
  });
});

describe("ordinary messages", () => {
  const random = seededRandom("ordinary messages");
  const some = (characters: string, length: number) =>
    Array.from({ length }, () => characters[Math.floor(random() * characters.length)]).join("");
  const base64 = (length: number) => some("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-", length);
  const hash = () => some("0123456789abcdef", 64);

  it("pass: polls, contacts, files, places, lists, with ids of every length", () => {
    for (let tries = 0; tries < 300; tries += 1) {
      const length = 20 + (tries % 160);
      const file = (file_name: string, mime_type: string) => ({
        file_id: base64(length),
        file_unique_id: base64(15),
        file_name,
        mime_type,
        file_size: 3_000_000,
        thumbnail: { file_id: base64(length), file_unique_id: base64(15), width: 90, height: 90 },
      });
      const options = ["Klever", "Bitcoin", "Neither of the two"].map((text) => ({
        persistent_id: base64(43),
        text,
        voter_count: 1,
      }));
      const tasks = ["buy milk", "call the bank about the card", "read what the bot says"].map((text, id) => ({
        id,
        text,
      }));
      const ordinary = [
        {
          poll: {
            id: some("0123456789", 19),
            question: "Which one will win the race this year?",
            options,
            type: "quiz",
          },
        },
        {
          contact: {
            phone_number: "+351912345678",
            first_name: "Ann",
            vcard: "BEGIN:VCARD\nFN:Ann Lee\nTEL:+351 912 345 678\nEND:VCARD",
          },
        },
        {
          document: file(`IMG_20261127_${some("0123456789", 6)}.jpg`, "image/jpeg"),
          caption: "the receipt of yesterday",
        },
        { document: file(`${some("0123456789abcdef", 8)}-report-2026.pdf`, "application/pdf") },
        {
          venue: {
            title: "Café",
            address: "Rua Augusta 12, Lisboa",
            foursquare_id: hash(),
            google_place_id: base64(43),
          },
        },
        { checklist: { title: "today", tasks } },
        { sticker: { ...file("", ""), set_name: "cats", custom_emoji_id: some("0123456789", 19), emoji: "🐈" } },
        { photo: [{ file_id: base64(length), file_unique_id: base64(15), width: 90, height: 90 }] },
        {
          text: "hello",
          entities: [{ type: "custom_emoji", offset: 0, length: 2, custom_emoji_id: some("0123456789", 64) }],
        },
        { text: "thanks", quote: { text: hash(), position: 0 }, reply_to_message: message({ text: hash() }, bot) },
        { text: "thanks", reply_to_message: message({ text: "sent", document: file("history.csv", "text/csv") }, bot) },
        { text: "look", via_bot: bot, reply_markup: { inline_keyboard: [[{ text: "Open", callback_data: hash() }]] } },
        { pinned_message: message({ text: `Transaction: ${hash()}` }, bot) },
        { successful_payment: { telegram_payment_charge_id: hash(), provider_payment_charge_id: hash() } },
      ];
      expect(ordinary.filter((content) => secretIn(message(content)) !== undefined)).toEqual([]);
    }
  });
});
