import { HEIGHT, MARGIN, picture, text, WIDTH, type Theme } from "./draw.js";

/** A trade to show to others: nothing on it says whose it was. */
export interface TradeShown {
  readonly theme: Theme;
  readonly title: string;
  readonly paid: string;
  readonly received: string;
  readonly rate: string;
  readonly day: string;
  readonly bot: string;
}

export function tradePicture({ theme, title, paid, received, rate, day, bot }: TradeShown): string {
  const middle = WIDTH / 2;
  return picture(theme, (color) => [
    text(title, { x: MARGIN, y: 70, size: 36 }, { fill: color("muted") }),
    text(paid, { x: middle, y: 190, size: 62 }, { fill: color("text"), isBold: true, anchor: "middle" }),
    `<path d="M${middle} 218V262M${middle - 18} 244L${middle} 264L${middle + 18} 244" fill="none" stroke="${color("line")}" stroke-width="6" stroke-linecap="round" stroke-linejoin="round"/>`,
    text(received, { x: middle, y: 335, size: 62 }, { fill: color("up"), isBold: true, anchor: "middle" }),
    text(rate, { x: middle, y: 396, size: 30 }, { fill: color("muted"), anchor: "middle" }),
    text(day, { x: MARGIN, y: HEIGHT - 28, size: 30, room: 250 }, { fill: color("muted") }),
    text(
      bot,
      { x: WIDTH - MARGIN, y: HEIGHT - 28, size: 30, room: 440 },
      { fill: color("line"), isBold: true, anchor: "end" },
    ),
  ]);
}
