import type { Storm } from "../services/telegram/storms.js";
import { stormLines } from "./storm.js";
import { summaryOf } from "./intent.js";
import type { Messages } from "../locales/messages.js";
import type { Intent } from "../services/intent/intent.js";
import type { OperatorEvent, Notice } from "../services/telegram/outbox.js";
import type { logPage, Overview } from "../services/operator/operator.js";
import type { Announcement } from "../services/operator/broadcast.js";
import type { Sums } from "../services/intent/totals.js";
import { buttons, type AdminPlace, button, giving } from "./buttons.js";
import { card, bold, code, line, say, momentOf, type Card, type ButtonRows, type View, type Lines } from "./card.js";
import { paidLines } from "./history.js";
import { issuerLines } from "./rights.js";
import { listCard, pageOf, type Parts } from "./list.js";

const UNKNOWN_PAGE_SIZE = 4;
const REQUESTS_PAGE_SIZE = 8;
export const AUDIT_PAGE_SIZE = 8;
/** Further tokens are counted, not listed: a message's length is limited. */
const MAX_FEE_TOKENS = 15;

export function overviewCard(overview: Overview, view: View): Card {
  const { admin, common } = view.words;
  const { pause, updates, alerts, today, total, prices } = overview;
  const { limit, stop, dca, exit, most } = overview.standing;
  const lines: Lines = [
    bold(admin.title),
    pause === undefined ? admin.open : bold(say(admin.pausedSince, momentOf(pause.since, view))),
    pause?.reason,
    overview.away.length > 0 && admin.away(overview.away.join(", ")),
    "",
    waitingCount(admin.updatesWaiting, updates, view.words),
    waitingCount(admin.alertsWaiting, alerts, view.words),
    "",
    bold(admin.servicesTitle),
    overview.services.map((service) => serviceLine(service, overview.now, view.words)),
    blocksLine(overview.reading, overview.now, view.words),
    "",
    bold(admin.callsTitle),
    callsLine(admin.today, today, view.words),
    callsLine(admin.total, total, view.words),
    admin.underWay(overview.underWay),
    admin.unspent(overview.unspent),
    "",
    bold(admin.ordersTitle),
    `${admin.orders(limit, stop, dca)}, ${admin.exits(exit)}`,
    admin.ordersAtMost(most),
    admin.watchedPrices(prices.watched, prices.perSecond),
    "",
    bold(admin.peopleTitle),
    `${admin.today}: ${today.people}`,
    `${admin.total}: ${total.people}`,
    "",
    bold(admin.commandsTitle),
    Object.values(admin.commands),
  ];
  return card(lines, [
    [toPlace(common.refresh, "overview"), toPlace(admin.unknownButton(overview.unknown), "unknown")],
    [toPlace(admin.feesButton, "fees"), toPlace(admin.auditButton, "audit")],
    [overview.requests > 0 && toPlace(admin.requestsButton(overview.requests), "requests")],
    [pause && button(admin.resumeButton, buttons.tradingPause, "resume")],
    [!pause && button(admin.pauseButton, buttons.tradingPause, "pause")],
  ]);
}

/** Answers what follows /admin and is none of its commands. @param typed empty if the commands were asked for. */
export function operatorCommandsCard(typed: string, { admin }: Messages): Card {
  const heading = typed === "" ? bold(admin.commandsTitle) : admin.notACommand(typed);
  return card([heading, Object.values(admin.commands)]);
}

function waitingCount(write: (count: number) => string, waits: Overview["alerts"], { admin }: Messages) {
  return [write(waits.count), waits.count > 0 && admin.oldest(duration(waits.oldestMilliseconds / 1000))];
}

function serviceLine(health: Overview["services"][number], now: number, { admin }: Messages): string {
  const { failingSince, medianSeconds, answeredAt } = health;
  const name = admin.services[health.service];
  if (failingSince !== undefined) return `❌ ${name} · ${admin.failing(duration((now - failingSince) / 1000))}`;
  if (medianSeconds !== undefined) return `✅ ${name} · ${Math.round(medianSeconds * 1000)} ms`;
  return answeredAt === undefined ? `❔ ${name} · ${admin.notAsked}` : `✅ ${name}`;
}

/** Nothing while nobody listens. */
function blocksLine({ isCurrent, isClosed, since }: Overview["reading"], now: number, { admin }: Messages) {
  if (isClosed) return `❌ ${admin.blocks} · ${admin.blocksClosed}`;
  if (since === undefined) return undefined;
  return isCurrent
    ? `✅ ${admin.blocks}`
    : `❌ ${admin.blocks} · ${admin.blocksBehind(duration((now - since) / 1000))}`;
}

function callsLine(label: string, { reached }: Sums, { admin }: Messages): string {
  return `${label}: ${admin.calls(reached.OK ?? 0, reached.FAILED ?? 0, reached.UNKNOWN ?? 0)}`;
}

export function adminFeesCard({ today, total }: Pick<Overview, "today" | "total">, view: View): Card {
  const { admin } = view.words;
  const feesOf = ({ fees }: Sums) => {
    const paid = Object.values(fees);
    return paid.length === 0 ? [admin.feesNone] : paidLines(paid, MAX_FEE_TOKENS, view);
  };
  const lines = [bold(admin.feesTitle), "", admin.today, feesOf(today), "", admin.total, feesOf(total)];
  const volume = button(admin.volumeButton, buttons.volume, { of: "volume", tokenId: "KLV" });
  return card(lines, [[volume], [toPlace(view.words.common.back, "overview")]]);
}

export function unknownCard(unknown: readonly Intent[], wanted: number, view: View): Card {
  const { admin } = view.words;
  const { items, first, page, pages } = pageOf(unknown, wanted, UNKNOWN_PAGE_SIZE);
  const entries = items.map((intent, index) => ({
    lines: [
      bold(line(`${first + index}. `, summaryOf(intent, view))),
      say((time) => admin.ofPerson(intent.owner, time), momentOf(intent.times.UNKNOWN ?? intent.quotedAt, view)),
      code(intent.terms.payout),
    ],
    buttons: [button(admin.settled(first + index), buttons.settled, intent.id)],
  }));
  const advice = unknown.length === 0 ? admin.unknownNone : admin.unknownAdvice;
  const parts: Parts = [bold(admin.unknownTitle), advice, { layout: "apart", entries }];
  return listCard(parts, withTurns("unknown", page, pages, view.words));
}

/** @param strangers who wait to be let in. */
export function requestsCard(strangers: readonly number[], wanted: number, view: View): Card {
  const { admin } = view.words;
  const { items, page, pages } = pageOf(strangers, wanted, REQUESTS_PAGE_SIZE);
  const entries = items.map((userId) => ({
    lines: [code(String(userId))],
    buttons: [
      toMember(`${admin.letIn} ${userId}`, "let", userId),
      toMember(`${admin.decline} ${userId}`, "decline", userId),
    ],
  }));
  const parts: Parts = [bold(admin.newcomers(strangers.length)), { layout: "close", entries }];
  return listCard(parts, withTurns("requests", page, pages, view.words));
}

export function auditCard({ items, page, pages }: Awaited<ReturnType<typeof logPage>>, view: View): Card {
  const { admin } = view.words;
  const entries = items.map(({ at, operator, action, about }) => {
    const what = about === "" ? admin.action[action] : `${admin.action[action]}: ${about}`;
    return { lines: [line(momentOf(at, view), ` · ${operator}`), what] };
  });
  const none = items.length === 0 && admin.auditNone;
  const parts: Parts = [bold(admin.auditTitle), none, { layout: "apart", entries }];
  return listCard(parts, withTurns("audit", page, pages, view.words));
}

export function pauseCard(reason: string, draftId: string, { admin, common }: Messages): Card {
  const pause = giving(button(admin.pauseNowButton, buttons.pauseNow, draftId));
  const lines = [bold(admin.pauseQuestion), admin.pauseExplain, "", reason];
  return card(lines, [[pause], [toPlace(common.cancel, "overview")]]);
}

export function resumeCard({ admin, common }: Messages): Card {
  const resume = button(admin.resumeButton, buttons.tradingPause, "resume-now");
  return card([bold(admin.resumeQuestion)], [[resume], [toPlace(common.cancel, "overview")]]);
}

export function operatorCard(event: OperatorEvent, view: View, storm?: Storm): Card {
  const { admin } = view.words;
  const look = (lines: Lines, section: AdminPlace["section"]) => card(lines, [[toPlace(admin.look, section)]]);
  switch (event.about) {
    case "unknown":
      return look([bold(admin.unknownPush(event.calls)), admin.unknownPushExplain(event.owners.join(", "))], "unknown");
    case "incident":
      return look(
        [
          storm?.isOver === true && stormLines(storm, view),
          bold(admin.incident[event.incident]),
          say(admin.since, momentOf(event.since, view)),
          storm?.isOver === false && stormLines(storm, view),
        ],
        "overview",
      );
    case "unreadable": {
      const open = button(admin.look, buttons.unreadable, { action: "look", userId: event.userId });
      return card([bold(admin.unreadable(event.userId)), admin.unreadableExplain], [[open]]);
    }
    case "put-aside":
      return card([bold(admin.putAside(event.userId)), admin.putAsideExplain]);
    case "given-up":
      return card([bold(admin.givenUp(event.userId)), admin.givenUpExplain(event.updateId)]);
    case "broadcast":
      return card([admin.broadcastOver(event.people), event.others > 0 && admin.broadcastMissed(event.others)]);
    case "newcomer": {
      const { name, userId } = event;
      const choices = [toMember(admin.letIn, "let", userId), toMember(admin.decline, "decline", userId)];
      return card([bold(admin.newcomer), code(name), code(String(userId))], [choices]);
    }
    case "listing": {
      const { tokenId } = event.rights.sign;
      const how = ["", admin.howToList, code(`npm run tokens -- add ${tokenId}`)];
      return card([bold(admin.listing), code(tokenId), issuerLines(event.rights, view), how]);
    }
    case "restored": {
      const between = say(admin.restoredBetween, momentOf(event.from, view), momentOf(event.until, view));
      return look([bold(admin.restored), between, admin.restoredExplain], "overview");
    }
    case "newcomers":
      return look([bold(admin.newcomers(event.people)), admin.newcomersExplain], "requests");
    case "return":
      return card([
        storm?.isOver === true && stormLines(storm, view),
        say((since) => admin.returned(event.service, since), momentOf(event.since, view)),
        storm?.isOver === false && stormLines(storm, view),
      ]);
  }
}

/** The extra confirmation before giving up an unreadable record. */
export function unreadableCard(userId: number, { admin, common }: Messages): Card {
  const lines = [bold(admin.unreadable(userId)), admin.unreadableExplain, "", admin.unreadableAdvice];
  const reset = giving(button(admin.resetButton, buttons.unreadable, { action: "anew", userId }));
  return card(lines, [[reset], [toPlace(common.cancel, "overview")]]);
}

export function announced({ text, entities }: Announcement, { common }: Pick<Messages, "common">): Card {
  const head = `${common.fromOperator}\n\n`;
  const moved = entities.map((entity) => ({ ...entity, offset: entity.offset + head.length }));
  return { text: head + text, entities: [{ type: "bold", offset: 0, length: common.fromOperator.length }, ...moved] };
}

export function announcementCard(announcement: Announcement, people: number, draftId: string, words: Messages): Card {
  const send = button(words.admin.broadcastButton(people), buttons.broadcast, draftId);
  return { ...announced(announcement, words), keyboard: [[send], [toPlace(words.common.cancel, "overview")]] };
}

export function announcingCard({ admin }: Messages): Card {
  return card([admin.broadcasting], [[button(admin.haltButton, buttons.haltBroadcast, "now")]]);
}

/** Shows whether a user has access. Has no button if the configuration decides. */
export function memberCard(userId: number, access: keyof Messages["admin"]["access"], { admin }: Messages): Card {
  const [shutOut, letIn] = [toMember(admin.shutOut, "out", userId), toMember(admin.letIn, "let", userId)];
  const lines = [bold(admin.access[access]), code(String(userId))];
  return card(lines, [[access === "in" && shutOut, access === "out" && letIn]]);
}

function withTurns(section: AdminPlace["section"], page: number, pages: number, words: Messages): ButtonRows {
  const { back, newer, older } = words.common;
  const turns = [page > 0 && toPlace(newer, section, page - 1), page < pages - 1 && toPlace(older, section, page + 1)];
  return [turns, [toPlace(back, "overview")]];
}

function toMember(text: string, action: "let" | "decline" | "out", userId: number) {
  return button(text, buttons.member, { action, userId });
}

function toPlace(text: string, section: AdminPlace["section"], page = 0) {
  return button(text, buttons.admin, { section, page });
}

/** In a single unit: `12 s`, `5 min`, `3 h`, `9 d`. */
function duration(seconds: number): string {
  const units = { d: 86_400, h: 3_600, min: 60 };
  const [unit, length] = Object.entries(units).find(([, size]) => seconds >= 2 * size) ?? ["s", 1];
  return `${Math.floor(seconds / length)} ${unit}`;
}

/** A message that the bot sends unprompted, other than order and price alerts. */
export function noticeCard(what: Notice["what"], view: View): Card {
  const { common, orders: words, security, wallet } = view.words;
  switch (what.kind) {
    case "test":
      return card([bold(words.alertTest), words.testExplain]);
    case "broadcast":
      return announced(what, view.words);
    case "in-effect":
      return what.change.guard === "unfreeze"
        ? card([common.unfroze])
        : card([bold(security.walletInEffect), code(what.change.address), wallet.change]);
    case "let-in":
      return card([common.letIn]);
    case "unanswered":
      return card([say(common.unanswered, momentOf(what.at, view))]);
    case "operator":
      return operatorCard(what.event, view, what.storm);
    case "outage":
      return card([say((since) => words.outage(what.service, since), momentOf(what.since, view))]);
    case "return":
      return card([say((since) => words.back(what.service, since), momentOf(what.since, view))]);
  }
}
