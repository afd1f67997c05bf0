import { FormattedString } from "@grammyjs/parse-mode";
import { localTime, zoneOf } from "../services/person/zone.js";
import { MAX_LINKS } from "../services/standing/proposal-links.js";
import type { ProposalLink } from "../services/standing/proposal-queries.js";
import { button, buttons, giving, NO_LINK, type LinkAction } from "./buttons.js";
import { bold, card, line, momentOf, say, type Card, type View } from "./card.js";

/** The links by which programs propose trades to a user, and what came by them. */
export function linksCard(links: readonly ProposalLink[], view: View): Card {
  const { signals: words } = view.words;
  const tap = (text: string, action: LinkAction, id: string) => button(text, buttons.link, { action, id });
  const rows = links.map(({ id, name, paused }) => [
    paused === null ? tap(words.pause(name), "pause", id) : tap(words.resume(name), "resume", id),
    tap(words.remove, "ask", id),
  ]);
  const entries = links.map((link) => ["", linkLines(link, view)]);
  return card(
    [bold(words.title), links.length === 0 && words.none, entries, "", words.explain],
    [...rows, [links.length < MAX_LINKS && tap(words.create, "new", NO_LINK)]],
  );
}

function linkLines({ name, paused, last_at, day, ...counts }: ProposalLink, view: View) {
  const { signals: words } = view.words;
  const isToday = day === localTime(zoneOf(view), view.now).date;
  const said = (["came", "unread", "late", "unmade"] as const).flatMap((what) =>
    isToday && counts[what] > 0 ? [words[what](counts[what])] : [],
  );
  const last = last_at === null ? [] : [say(words.last, momentOf(last_at, view, "ticking"))];
  const parts = [...(paused === null ? [] : [words.paused]), ...last, ...said];
  return [bold(name), parts.length > 0 && line(...parts.flatMap((part, at) => (at === 0 ? [part] : [" · ", part])))];
}

/** Shows a new link, the only time that it is shown. */
export function newLinkCard(name: string, link: string, example: string, { words: { signals: words } }: View): Card {
  const command = `curl -d '${example}' ${link}`;
  const copy = (text: string, copied: string) => ({ text, copy_text: { text: copied } });
  return card(
    [
      bold(words.made(name)),
      FormattedString.spoiler(link),
      "",
      words.holder,
      "",
      words.tryIt,
      FormattedString.spoiler(command),
    ],
    [
      [copy(words.copyLink, link), copy(words.copyTry, command)],
      [button(words.all, buttons.link, { action: "list", id: NO_LINK })],
    ],
  );
}

export function deleteLinkCard({ id, name }: ProposalLink, { words: { signals: words } }: View): Card {
  const tap = (text: string, action: LinkAction) => button(text, buttons.link, { action, id });
  return card(
    [bold(words.deleteAsk(name)), words.deleteExplain],
    [[tap(words.deleteKeep, "list")], [giving(tap(words.deleteNow, "delete"))]],
  );
}
