import { formatAmount, type Amount, type Token } from "../encoding/amount.js";
import { apart, type PriceNow } from "../encoding/price-apart.js";
import { figure, paidWithToken, withToken } from "./amount.js";
import { commandButton } from "./buttons.js";
import { bold, card, type Card, type Lines, type View } from "./card.js";

/** A side of a pair that an order could take: what is paid, and the price of the token for it now. */
export interface OrderSide {
  readonly pay: Amount;
  readonly now: PriceNow;
}

/** So far from the price now, in percent: cheaper to buy, dearer to sell. */
const PRICES_AT = { buy: ["−5", "−10"], sell: ["+10", "+25"] } as const;

/**
 * Prices at which a token could be bought or sold, each of which shows the order that a further tap sets.
 * @param sides `isHeld`: whether what is sold is the whole balance.
 */
export function atPriceCard(
  token: Token,
  counter: Token,
  sides: { readonly buy?: OrderSide | undefined; readonly sell?: OrderSide | undefined; readonly isHeld: boolean },
  view: View,
): Card {
  const words = view.words.standing;
  const { buy, sell, isHeld } = sides;
  const rate = ({ priced, price, counted }: PriceNow) => `1 ${priced} = ${figure(price, view.words)} ${counted}`;
  const now = (sell ?? buy)?.now;
  const lines: Lines = [
    bold(words.atPriceTitle(token.id)),
    now === undefined ? words.noPriceNow : words.priceNow(rate(now)),
    buy && words.buyAt(paidWithToken(buy.pay, view.words)),
    sell && (isHeld ? words.sellAt : words.sellUnseen)(withToken(sell.pay, view.words)),
  ];
  return card(
    lines,
    [
      buy && choices("buy", buy, `${formatAmount(buy.pay)} ${counter.id} ${token.id}`, view),
      sell && choices("sell", sell, `${isHeld ? "max" : formatAmount(sell.pay)} ${token.id} ${counter.id}`, view),
      [
        commandButton(words.otherBuy, `limit ${counter.id} ${token.id}`),
        sell && commandButton(words.otherSell, `limit ${token.id} ${counter.id}`),
      ],
    ].map((row) => row ?? []),
  );
}

function choices(side: keyof typeof PRICES_AT, { now }: OrderSide, trade: string, view: View) {
  const words = view.words.standing;
  return PRICES_AT[side].map((percent) => {
    const { price, answer } = apart(now, percent);
    return commandButton(
      `${words.sideAt[side]} ${percent}% · ${figure(price, view.words)}`,
      `limit ${trade} ${answer}`,
    );
  });
}
