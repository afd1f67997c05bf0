import type { Api } from "grammy";
import { expect, it } from "vitest";
import { deliverBy } from "../../src/bot/send.js";
import { bold, card } from "../../src/cards/card.js";
import { svgOf } from "../../src/services/picture/picture.js";
import { silent } from "../services/samples.js";

const week = card([bold("Your week")]);

/** Methods of the Bot API that deliver a card. */
async function methodsFor(svg: string): Promise<readonly string[]> {
  const used: string[] = [];
  const use = (method: string) => async () => ({ message_id: used.push(method) });
  const api = { sendMessage: use("sendMessage"), sendPhoto: use("sendPhoto") } as unknown as Api;
  await deliverBy(api, api, silent)(1, { ...week, svg }, { isAsked: false, isSilent: false });
  return used;
}

it("a card that nobody asked for goes out with its picture", async () => {
  expect(await methodsFor(svgOf("#fff", []))).toEqual(["sendPhoto"]);
});

it("a card goes out as text, once, if its picture can't be drawn", async () => {
  expect(await methodsFor("no picture")).toEqual(["sendMessage"]);
});
