import { amountOf, formatAmount, isZero } from "../encoding/amount.js";
import type { Token } from "../encoding/token.js";
import { DAY_MS } from "../services/intent/limits.js";
import { MAX_ENDED, type DayVolume } from "../services/receipt/volume.js";
import { figure, withToken } from "./amount.js";
import { buttons, type VolumeAsked } from "./buttons.js";
import { bold, button, captioned, card, shortButton, type View } from "./card.js";
import { csvOf, type Columns } from "./csv.js";
import { daysPicture } from "./days.js";
import type { PictureCard } from "./picture.js";

/** Volumes are told of today, in UTC, and of so many days before it. */
const DAYS_BEFORE = 29;
const MAX_TOKENS = 12;
/** So many tokens have a button, three in a row. */
const MAX_BUTTONS = 6;

export const firstDayOf = (now: number): number => now - (now % DAY_MS) - DAYS_BEFORE * DAY_MS;

/** What was traded of a token from day to day, or earned in it; the tokens of most trades are named. @param asked of one without any, the first is shown. */
export function volumePicture(
  volumes: readonly DayVolume[],
  tokenOf: (id: string) => Token,
  { of, tokenId }: VolumeAsked,
  view: View,
): PictureCard | undefined {
  const { admin, history, receipt } = view.words;
  const sums = [...new Set(volumes.map((each) => each.tokenId))]
    .map((id) => {
      const own = volumes.filter((each) => each.tokenId === id);
      const sum = (what: "earned" | "volume") =>
        amountOf(
          tokenOf(id),
          own.reduce((units, each) => units + each[what], 0n),
        );
      const trades = own.reduce((count, each) => count + each.trades, 0);
      return { id, own, trades, volume: sum("volume"), earned: sum("earned") };
    })
    .toSorted((one, other) => other.trades - one.trades);
  const shown = sums.find(({ id }) => id === tokenId) ?? sums[0];
  if (shown === undefined) return undefined;
  const title = `${shown.id} · ${admin.volumeKinds[of]} · ${admin.volumeSpan}`;
  const first = firstDayOf(view.now);
  const parts = shown.own.map((each) => ({ at: Date.parse(each.day), units: each[of] }));
  const days = { title, token: tokenOf(shown.id), parts, first, last: first + DAYS_BEFORE * DAY_MS };
  const { svg, total, highest } = daysPicture(days, view);
  const to = (text: string, asked: VolumeAsked) => shortButton(text, buttons.volume, asked);
  const marked = (text: string, isShown: boolean) => (isShown ? `· ${text} ·` : text);
  const offered = sums.slice(0, MAX_BUTTONS).map(({ id }) => to(marked(id, id === shown.id), { of, tokenId: id }));
  const caption = captioned(Math.min(sums.length, MAX_TOKENS), (count) =>
    card(
      [
        bold(`${title}: ${total}`),
        receipt.mostOnADay(highest),
        "",
        sums
          .slice(0, count)
          .map(({ trades, volume, earned }) =>
            [
              ...(trades > 0 ? [`${receipt.trades(trades)} · ${withToken(volume, view.words)}`] : []),
              ...(isZero(earned) ? [] : [`${admin.volumeKinds.earned}: ${withToken(earned, view.words)}`]),
            ].join(" · "),
          ),
        sums.length > count && history.feesMore(sums.length - count),
        "",
        admin.volumeCaption(figure(String(MAX_ENDED), view.words)),
      ],
      [
        (["volume", "earned"] as const).map((each) =>
          to(marked(admin.volumeKinds[each], each === of), { of: each, tokenId: shown.id }),
        ),
        offered.slice(0, MAX_BUTTONS / 2),
        offered.slice(MAX_BUTTONS / 2),
        [button(history.file, buttons.volumeFile, "csv")],
      ],
    ),
  );
  return { svg, card: caption };
}

/** Volume and earnings as a file, a day and token in a line. */
export function volumeFile(volumes: readonly DayVolume[], tokenOf: (id: string) => Token): Buffer {
  const amount = (id: string, units: bigint) => formatAmount(amountOf(tokenOf(id), units));
  const columns: Columns<DayVolume> = {
    day_utc: ({ day }) => day,
    token: ({ tokenId }) => tokenId,
    trades: ({ trades }) => String(trades),
    volume: ({ tokenId, volume }) => amount(tokenId, volume),
    earned: ({ tokenId, earned }) => amount(tokenId, earned),
  };
  return csvOf(columns, volumes);
}
