import { commandsOffered } from "../../cards/menu.js";
import { noticeCard } from "../../cards/admin.js";
import type { PayloadOf } from "../../cards/buttons.js";
import type { Card } from "../../cards/card.js";
import * as cards from "../../cards/settings.js";
import { zoneLeft } from "../../cards/standing.js";
import { type ChosenLimit, type Setting, type SettingChange, settingForm } from "../../conversations/settings.js";
import { languages, messagesIn } from "../../locales/messages.js";
import type { Intents } from "../../services/intent/intent-service.js";
import { usedUp } from "../../services/intent/limits.js";
import { createUserRateLimit } from "../../services/base/rate.js";
import { noticeTopic } from "../../services/telegram/outbox.js";
import type { Outbox } from "../../services/telegram/outbox-sender.js";
import { changePerson, defaultControl, personIn, putPerson, withChange } from "../../services/person/person.js";
import type { AlertControl } from "../../services/person/person.js";
import { localTime, zoneOf } from "../../services/person/zone.js";
import type { StandingOrders } from "../../services/standing/standing-orders.js";
import { createTakeBacks, TAKE_BACK_MS, type TakeBacks } from "../../services/operator/take-backs.js";
import { type BotBase, type BotContext, viewOf } from "../context.js";
import { enterDialog } from "../dialogs.js";
import { answering, type Feature, onCards } from "../feature.js";
import type { Forms } from "../forms.js";
import { alertOnTap, catchUserError, editTapped, shownTo, replyCard } from "../reply.js";

interface SettingsParts {
  readonly base: BotBase;
  readonly forms: Forms;
  readonly intents: Intents;
  /** 16 random bytes in base64url. */
  readonly newId: () => string;
  readonly outbox: Outbox;
  readonly standingOrders: Pick<StandingOrders, "inOtherZones" | "look">;
}

type NextControl = (control: AlertControl) => AlertControl;

/** `/settings` with all its pages; `/testalert` opens the one with a test. */
export function settingsFeature(parts: SettingsParts): Feature {
  const { base, forms, intents, newId, outbox, standingOrders } = parts;
  const { clock, log, settings, store } = base;
  const { maxSlippageBps, supportContact } = settings;
  const allowance = createUserRateLimit({ clock, burst: 5, refillSeconds: 60 });
  const takeBacks = createTakeBacks({ clock, store, newId });
  const asking: Parameters<typeof settingForm>[1] = {
    ...forms,
    maxSlippageBps,
    submit: (userId, chosen) =>
      shownTo(base, userId, () =>
        chosen.setting === "limit"
          ? saveLimit({ base, intents, takeBacks }, userId, chosen)
          : saveSetting(base, userId, chosen.setting, chosen.change, standingOrders),
      ),
  };
  const form = settingForm("settings", asking);
  const guardForm = settingForm("security", asking);
  const leaveSettings = async ({ conversation }: BotContext) => {
    for (const { id } of [form, guardForm]) await conversation.exit(id);
  };

  const pages = createPages(base, form);

  const saveAlerts = async (ctx: BotContext, setting: "alerts" | "quiet", next: NextControl) => {
    await save(base, ctx, setting, (person) => ({ ...person, alerts: next(person.alerts ?? defaultControl) }));
    // What its quiet hours held back may come.
    await standingOrders.look(ctx.userId);
  };

  const testAlert = async (ctx: BotContext) => {
    const tested = await catchUserError(ctx.words, () => {
      allowance.take(ctx.userId);
      return outbox.notify(ctx.userId, { id: "test", what: { kind: "test" } });
    });
    if (!tested.ok) await ctx.reply(tested.card.text);
  };

  return {
    commands: { settings: (ctx) => replyCard(ctx, cards.settingsCard(ctx.person, settings)) },
    unlisted: { testalert: (ctx) => replyCard(ctx, cards.alertSettingsCard(ctx.person.alerts, ctx.view)) },
    buttons: {
      // Opening a page ends the settings dialog of another page, but no other dialog.
      setting: answering(async (ctx, page) => {
        await leaveSettings(ctx);
        await pages[page](ctx);
      }),
      slippage: async (ctx, slippageBps) => {
        if (!cards.slippageChoices(maxSlippageBps).includes(slippageBps))
          return ctx.answerCallbackQuery(ctx.words.common.oldButton);
        await leaveSettings(ctx);
        return save(base, ctx, "slippage", (person) => ({ ...person, slippageBps }));
      },
      language: async (ctx, language) => {
        if (!languages.has(language)) return ctx.answerCallbackQuery(ctx.words.common.oldButton);
        // The answer and the command menu are in the chosen language.
        ctx.words = messagesIn(language, supportContact);
        await save(base, ctx, "language", (person) => ({ ...person, language }));
        // For this chat, whatever the app's language.
        const scope = { type: "chat", chat_id: ctx.userId } as const;
        return ctx.api.setMyCommands(commandsOffered(ctx.words), { scope }).catch((err: unknown) => {
          log.warn({ err }, "Command menu not translated");
        });
      },
      testAlert: answering(testAlert),
      guard: answering((ctx, guard) => enterDialog(ctx, guardForm, guard)),
      quietHours: async (ctx, choice) => {
        if (choice === "none") return saveAlerts(ctx, "quiet", ({ quiet: _quiet, ...control }) => control);
        await ctx.answerCallbackQuery();
        return enterDialog(ctx, form, "quiet");
      },
      takeBack: (ctx, id) => takeBackLimits(takeBacks, ctx, id),
      alertMode: (ctx, { kind, mode }) =>
        saveAlerts(ctx, "alerts", (control) => ({ ...control, modes: { ...control.modes, [kind]: mode } })),
    },
    forms: [form, guardForm],
    topics: [onCards(base, noticeTopic, noticeCard)],
  };
}

type Pages = Record<PayloadOf<"setting">, (ctx: BotContext) => Promise<unknown>>;

/** The handler of each page's button. */
function createPages(base: BotBase, form: ReturnType<typeof settingForm>): Pages {
  const { settings } = base;
  return {
    slippage: async (ctx) => {
      await editTapped(ctx, cards.slippageCard(ctx.person, settings));
      const messageId = ctx.callbackQuery?.message?.message_id;
      if (messageId !== undefined && ctx.dialog === undefined) await enterDialog(ctx, form, "slippage", messageId);
    },
    menu: (ctx) => editTapped(ctx, cards.settingsCard(ctx.person, settings)),
    language: (ctx) => editTapped(ctx, cards.languageCard(ctx.person)),
    alerts: (ctx) => editTapped(ctx, cards.alertSettingsCard(ctx.person.alerts, ctx.view)),
    pictures: (ctx) =>
      save(base, ctx, "pictures", (person) => ({
        ...person,
        pictures: person.pictures === "light" ? "dark" : "light",
      })),
    "custom-slippage": (ctx) => enterDialog(ctx, form, "slippage"),
    presets: (ctx) => enterDialog(ctx, form, "presets"),
    timezone: (ctx) => enterDialog(ctx, form, "timezone"),
  };
}

type Saved = Exclude<Setting, "limit"> | "language" | "alerts" | "pictures";

async function save(base: BotBase, ctx: BotContext, setting: Saved, change: SettingChange): Promise<void> {
  await ctx.answerCallbackQuery(ctx.words.settings.saved);
  await editTapped(ctx, await saveSetting(base, ctx.userId, setting, change));
}

/** Asks once more before a limit that today's trades have used up: a refusal leaves the question open. */
async function saveLimit(
  { base, intents, takeBacks }: { readonly base: BotBase; readonly intents: Intents; readonly takeBacks: TakeBacks },
  userId: number,
  { change, line, isSure }: ChosenLimit,
) {
  const { clock, store } = base;
  const now = clock.now();
  const person = await personIn(store.db, userId);
  const view = viewOf(person, base);
  const { limitsKept } = view.words.security;
  if (change === undefined) return cards.securityCard(person, view, limitsKept);
  const used = isSure ? undefined : usedUp(person, change(person, now), await intents.spentLately(userId), now);
  if (used !== undefined) return { ok: false, card: cards.usedUpCard(used, line, view) };
  const [before, after] = await store.write(async (tx) => {
    const was = await personIn(tx, userId);
    await putPerson(tx, userId, withChange(change(was, now), "limit", now));
    return [was, await personIn(tx, userId)] as const;
  });
  const id = takeBacks.keep(userId, before, after);
  const taken = id === undefined ? undefined : { id, until: now + TAKE_BACK_MS };
  return cards.securityCard(after, view, view.words.settings.saved, taken);
}

async function takeBackLimits(takeBacks: TakeBacks, ctx: BotContext, id: string): Promise<void> {
  const person = await takeBacks.takeBack(ctx.userId, id);
  const { takenBack, tooLateToTakeBack } = ctx.words.security;
  if (person === undefined) await alertOnTap(ctx, tooLateToTakeBack);
  else await ctx.answerCallbackQuery();
  await editTapped(ctx, cards.securityCard(person ?? ctx.person, ctx.view, person && takenBack));
}

/** @param plans what may keep the hours of an earlier time zone. */
async function saveSetting(
  base: BotBase,
  userId: number,
  setting: Saved,
  change: SettingChange,
  plans?: SettingsParts["standingOrders"],
): Promise<Card> {
  const { clock, settings, store } = base;
  const now = clock.now();
  const isGuard = setting === "slippage" || setting === "timezone" || setting === "phrase";
  const person = await store.write((tx) =>
    changePerson(tx, userId, (before) => {
      const changed = change(before, now);
      return isGuard ? withChange(changed, setting, now) : changed;
    }),
  );
  const view = viewOf(person, base);
  const { saved, savedTimeZone } = view.words.settings;
  if (setting === "phrase") return cards.securityCard(person, view, saved);
  if (setting === "quiet") await plans?.look(userId);
  if (setting === "alerts") return cards.alertSettingsCard(person.alerts, view);
  if (setting !== "timezone") return cards.settingsCard(person, settings, saved);
  await plans?.look(userId);
  const notice = savedTimeZone(localTime(zoneOf(person), now).time.slice(0, 5));
  const left = zoneLeft((await plans?.inOtherZones(userId)) ?? [], view);
  return cards.settingsCard(person, settings, [notice, left?.line], left && [left.move]);
}
