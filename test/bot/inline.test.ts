import { expect, it } from "vitest";
import type { BotContext } from "../../src/bot/context.js";
import type { Feature } from "../../src/bot/feature.js";
import { answerInline } from "../../src/bot/inline.js";
import { messagesIn } from "../../src/locales/messages.js";
import { tokenListOf } from "../../src/services/market/token-list.js";
import { createMemoryDisk } from "../support/memory-store.js";
import { createVirtualClock } from "../support/virtual-clock.js";
import { silent } from "../services/samples.js";

const { busy } = messagesIn("en").share;

function inlineDesk() {
  const clock = createVirtualClock();
  const shown: Feature = {
    shared: (query: string) => async () => ({
      title: query,
      description: "",
      card: { text: query, entities: [] },
      payload: undefined,
    }),
  };
  const parts = {
    base: { clock, log: silent, store: createMemoryDisk().open(), settings: {}, tokens: tokenListOf([]) },
    operator: { isIn: () => Promise.resolve(true) },
    features: [shown],
  };
  const inline = answerInline(parts as unknown as Parameters<typeof answerInline>[0]);
  /** Types a query. @returns when it was answered, and whether with a result. */
  const types = (userId: number, query: string) => {
    const typed = clock.now();
    const answer: { after?: number; isShown?: boolean; button?: string } = {};
    const ctx = {
      from: { id: userId, language_code: "en" },
      me: { username: "bot" },
      inlineQuery: { from: { id: userId }, query },
      answerInlineQuery: (results: readonly unknown[], { button }: { button: { text: string } }) => {
        Object.assign(answer, { after: clock.now() - typed, isShown: results.length > 0, button: button.text });
        return Promise.resolve(true);
      },
    };
    void inline(ctx as unknown as BotContext, () => Promise.resolve());
    return answer;
  };
  return { clock, types };
}

it("an inline query is answered within a second, however many accounts type at their own limit", async () => {
  const { clock, types } = inlineDesk();
  const crowd = Array.from({ length: 40 }, (_, index) => 1 + index);
  const answers: ReturnType<typeof types>[] = [];
  for (let tenth = 0; tenth < 600; tenth += 1) {
    for (const userId of crowd) types(userId, `${tenth} KLV KFI`);
    if (tenth % 100 === 77) answers.push(types(1000 + (tenth % 200 > 100 ? 1 : 2), "100 KLV KFI"));
    await clock.advance(100);
  }
  expect(answers).toHaveLength(6);
  for (const answer of answers) {
    expect(answer).toMatchObject({ isShown: true });
    expect(answer.after).toBeLessThanOrEqual(1_000);
  }
});

it("too many people who type at once are told that the bot is busy, not left without an answer", async () => {
  const { clock, types } = inlineDesk();
  const answers = Array.from({ length: 100 }, (_, index) => types(1 + index, "100 KLV KFI"));
  await clock.advance(9_000);
  expect(answers.filter(({ isShown }) => isShown).length).toBeGreaterThan(20);
  expect(answers.filter(({ button }) => button === busy).length).toBeGreaterThan(60);
  expect(answers.filter(({ after }) => after === undefined)).toEqual([]);
});
