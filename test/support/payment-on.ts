import { formatAmount, type Amount } from "../../src/encoding/amount.js";
import { shortened } from "../../src/encoding/decimal.js";
import { messages } from "../../src/locales/messages.js";

/** What a card says once its call has an outcome, or what a later check found. */
export const OUTCOME =
  /Swap completed|Troca concluída|not yet confirmed|aceita, não confirmada|Outcome unknown|Resultado desconhecido|Rejected|Transação rejeitada|Failed on chain|Falhou na rede|You filed|Você marcou|Not sent|Transação não enviada|^🔎 /m;

/** Where a swap's card has what is paid, in each language. */
const payments = [
  [messages.en, /(?:You pa(?:y|id): |^Swap )([\d,.]+) ([\w-]+)/m],
  [messages.pt, /(?:Você pag(?:a|ou): |^Troca )([\d,.]+) ([\w-]+)/m],
] as const;

/** A payment as cards round it, whatever language they are in: `1000.5 KLV`. */
export function paymentOf(amount: Amount): string {
  return `${shortened(formatAmount(amount), "up")} ${amount.token.id}`;
}

/** The {@link paymentOf} a swap's card. */
export function paymentOn(text: string): string | undefined {
  for (const [{ decimalMark }, pattern] of payments) {
    const [, figure, token] = pattern.exec(text) ?? [];
    if (figure === undefined) continue;
    const [whole = "", ...decimals] = figure.split(decimalMark);
    return `${[whole.replace(/[,.]/g, ""), ...decimals].join(".")} ${token}`;
  }
  return undefined;
}
