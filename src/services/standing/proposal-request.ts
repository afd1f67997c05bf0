import { Fault } from "../../fault.js";
import { isParsed } from "../base/typed-line.js";
import type { TokenList } from "../market/token-list.js";
import { commandOf, type RequestOf, type tradedKinds } from "../terms/terms.js";
import { readSpoken, spokenTrade } from "../trade/spoken-trade.js";
import { isTradeLine, readMultihop, readSwap } from "../trade/swap-request.js";

type ProposedTrade = RequestOf<(typeof tradedKinds)[number]>;

/** `lines`: what it can mean, each as a line that means only that. */
export type ReadProposal =
  | { readonly kind: "read"; readonly request: ProposedTrade; readonly command: string }
  | { readonly kind: "unclear"; readonly lines: readonly string[] }
  | { readonly kind: "unread"; readonly faults: readonly string[] };

/** The commands that a trade begins with, in any of the bot's languages. */
const TRADE_COMMAND = /^\/?(?:(multihop)|swap|trocar?)\s+(.+)$/is;

/**
 * Reads a program's line as a typed one is read, with numbers as programs write them. Nobody looks at it before it is a
 * card: what could mean something else is unclear.
 */
export function readProposal(text: string, tokens: TokenList): ReadProposal {
  const [, isRoute, rest] = TRADE_COMMAND.exec(text) ?? [];
  if (rest !== undefined) return readLine(isRoute === undefined ? "swap" : "multihop", rest, tokens);
  const { isBuy, what } = spokenTrade(text.replace(/^\//, "")) ?? {};
  if (isBuy === undefined || what === undefined)
    return isTradeLine(text, tokens) ? readLine("swap", text, tokens) : notRead("unreadable");
  const spoken = readSpoken(isBuy, what, tokens);
  if (spoken === undefined || spoken === "unsaid") return notRead("unreadable");
  if (spoken instanceof Fault) return faulty([spoken]);
  const { command, line, other } = spoken;
  return other === undefined
    ? readLine(command, line, tokens)
    : { kind: "unclear", lines: [`${command} ${line}`, other] };
}

function readLine(command: ProposedTrade["kind"], line: string, tokens: TokenList): ReadProposal {
  const request = command === "swap" ? readSwap(line, tokens) : readMultihop(line, tokens);
  if (isParsed<ProposedTrade>(request)) return { kind: "read", request, command: commandOf(request) };
  return typeof request === "string" ? notRead(request) : faulty(request.faults);
}

const notRead = (...faults: readonly string[]): ReadProposal => ({ kind: "unread", faults });

function faulty(faults: readonly Fault[]): ReadProposal {
  const choices = faults.flatMap((fault) => ("choices" in fault.parameters ? fault.parameters.choices : []));
  if (choices.length > 0) return { kind: "unclear", lines: choices.map(({ command }) => command) };
  return notRead(...new Set(faults.map(({ code }) => code)));
}
