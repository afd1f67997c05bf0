import { Hono } from "hono";
import * as z from "zod";
import { additions } from "./older.js";
import type { Telegram } from "./telegram.js";

const id = z.coerce.number().int();
const asked = z.strictObject({ userId: id.optional(), chatId: id.optional() });
const texts = z.strictObject({ text: z.string(), as: id.optional(), replyTo: id.optional() });
const changed = z.strictObject({ text: z.string(), as: id.optional() });
const presses = z.strictObject({ messageId: id, data: z.string(), as: id.optional() });
const queries = z.strictObject({ query: z.string().max(256) });
const choices = z.strictObject({ inlineQueryId: z.string(), resultId: z.string(), chatId: id });
const changes = z.strictObject({ blocked: z.boolean() });
const lacks = z.strictObject({ lacking: z.array(z.enum(additions)) });

/**
 * The tester's HTTP API. In a group (a negative chat id), `as` is the person who writes or taps. Impossible actions are
 * answered with 400 and the reason.
 */
export function testerRoutes(telegram: Telegram): Hono {
  const routes = new Hono();
  const body = async <T>(request: { json: () => Promise<unknown> }, shape: z.ZodType<T>) =>
    shape.parse(await request.json());

  routes.get("/people", (context) => context.json(telegram.people()));
  routes.get("/groups", (context) => context.json(telegram.groups()));
  routes.get("/commands", (context) => {
    const { userId, chatId } = asked.parse(context.req.query());
    return context.json(telegram.commands(userId, chatId));
  });
  routes.get("/chats/:chatId", (context) => context.json(telegram.chat(id.parse(context.req.param("chatId")))));

  routes.get("/files/:fileId", (context) => {
    const file = telegram.file(context.req.param("fileId"));
    if (file === undefined) return context.json({ error: "This file is no longer kept." }, 404);
    // Always a download, so that no content is ever rendered as a page of this origin.
    const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`;
    return new Response(file, {
      headers: { "content-disposition": disposition, "content-type": "application/octet-stream" },
    });
  });

  routes.post("/chats/:chatId/messages", async (context) => {
    const chatId = id.parse(context.req.param("chatId"));
    const { text, as = chatId, replyTo } = await body(context.req, texts);
    return context.json(telegram.sendText(as, text, { chatId, ...(replyTo !== undefined && { replyTo }) }));
  });
  routes.post("/chats/:chatId/messages/:messageId", async (context) => {
    const [chatId, messageId] = [id.parse(context.req.param("chatId")), id.parse(context.req.param("messageId"))];
    const { text, as = chatId } = await body(context.req, changed);
    return context.json(telegram.editText(as, messageId, text, chatId));
  });
  routes.post("/chats/:chatId/press", async (context) => {
    const chatId = id.parse(context.req.param("chatId"));
    const { messageId, data, as = chatId } = await body(context.req, presses);
    return context.json(telegram.pressAs(as, messageId, data, { chatId }));
  });
  routes.post("/people/:userId/inline", async (context) => {
    const { query } = await body(context.req, queries);
    return context.json(telegram.typeInline(id.parse(context.req.param("userId")), query));
  });
  routes.post("/people/:userId/inline/choice", async (context) => {
    const { inlineQueryId, resultId, chatId } = await body(context.req, choices);
    telegram.chooseInline(id.parse(context.req.param("userId")), inlineQueryId, resultId, chatId);
    return context.json({});
  });
  routes.post("/people/:userId", async (context) => {
    telegram.setBlocked(id.parse(context.req.param("userId")), (await body(context.req, changes)).blocked);
    return context.json({});
  });
  routes.get("/lacking", (context) => context.json({ additions, lacking: telegram.lacking() }));
  routes.post("/lacking", async (context) => {
    telegram.setLacking((await body(context.req, lacks)).lacking);
    return context.json({});
  });

  routes.onError((error, context) => context.json({ error: error.message }, 400));
  return routes;
}
