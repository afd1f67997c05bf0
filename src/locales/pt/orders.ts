import type { AlertKind, AlertMode } from "../../model/alert-control.js";
import type { Messages } from "../en/index.js";
import { services } from "./faults.js";

const sides: Record<string, string> = { BUY: "Compra", SELL: "Venda" };
const types: Record<string, string> = { LIMIT: "limitada", MARKET: "a mercado" };
const trades: Record<string, string> = { MAKER: "maker", TAKER: "taker" };
const statuses: Record<string, string> = {
  OPEN: "aberta",
  PARTIALLY: "parcialmente executada",
  DONE: "concluída",
  CANCELED: "cancelada",
};
const kinds: Record<AlertKind, string> = {
  fill: "Executada em parte",
  done: "Concluída",
  canceled: "Cancelada",
  other: "Qualquer outra mudança",
  service: "Corretora fora do ar",
};
const modes: Record<AlertMode, string> = { on: "🔔 ligado", silent: "🔕 sem som", off: "✖️ desligado" };

export const orders: Messages["orders"] = {
  watch: "🔔 Acompanhar",
  unwatch: "🔕 Parar",
  mute: "🔇 Sem som",
  unmute: "🔊 Com som",
  copyLink: "🔗 Copiar link",
  open: (position) => `${position} · Abrir`,
  side: (side) => sides[side] ?? side,
  type: (type) => types[type] ?? type,
  trade: (trade) => trades[trade] ?? trade,
  status: (status) => statuses[status] ?? status,
  statusLabel: "Situação",
  priceLabel: "Preço",
  marketPrice: "a mercado",
  averageLabel: "Preço médio",
  filledLabel: "Executado",
  ofQuantity: (filled, quantity, percent) => `${filled} de ${quantity} (${percent} %)`,
  feeLabel: "Taxa",
  created: (time) => `Criada em ${time}`,
  updated: (time) => `Alterada em ${time}`,
  seen: (time) => `Situação em ${time}`,
  missing: (time) => `A corretora não reconhece esta ordem desde ${time}. Vou continuar perguntando por um dia.`,
  watched: "Você acompanha esta ordem: eu aviso a cada mudança.",
  watchedMuted: "Você acompanha esta ordem sem som.",
  nowWatching: "Acompanhando. Aviso a cada mudança.",
  nowUnwatched: "Não estou mais acompanhando.",
  overNothingToWatch: "Esta ordem não muda mais, então não há o que acompanhar.",
  listTitle: "Ordens que você acompanha",
  listEmpty: "Você não acompanha nenhuma ordem. Envie /order e o id de uma ordem e toque em 🔔 Acompanhar.",
  askId: "Qual ordem? Envie o id; ele se parece com 1989652f-be77-4179-924e-b71c03a4198a.",
  alertDone: "✅ Concluída",
  alertCanceled: "✖️ Cancelada, nada foi executado",
  alertCanceledAt: (percent) => `✖️ Cancelada em ${percent} %`,
  alertOther: "🔔 Mudou",
  fromTo: (from, to) => `${from} → ${to}`,
  at: (amount, price) => `${amount} a ${price}`,
  atAbout: (amount, price) => `${amount} a ~${price}`,
  alertGone: "❔ Fim do acompanhamento",
  goneExplain:
    "A corretora não reconhece esta ordem há um dia, então parei de acompanhá-la. Esta foi a última situação:",
  goneUnknown: "A corretora não reconhece esta ordem há um dia, então parei de acompanhá-la.",
  alertTest: "🔔 Alerta de teste",
  testExplain: "É assim que os alertas chegam até você. Este veio pelo mesmo caminho.",
  outage: (service, since) =>
    `⚠️ Não consigo acessar ${services[service]} desde ${since}. Continuo acompanhando; aviso quando voltar.`,
  back: (service, since) =>
    `✅ Consigo acessar ${services[service]} de novo (estava fora desde ${since}). Agora vou contar tudo o que mudou nesse meio-tempo.`,
  settingsTitle: "Alertas",
  settingsExplain: "Toque em um tipo para mudar: ligado, sem som, desligado.",
  kind: (kind) => kinds[kind],
  mode: (mode) => modes[mode],
  quietLabel: "Horário de silêncio",
  quietNone: "nenhum",
  quietExplain: "No horário de silêncio os alertas continuam chegando, mas sem som.",
  quietAsk: "De que horas a que horas os alertas devem vir sem som? Envie assim: 22:00-07:00, no seu fuso horário.",
  quietInvalid: "Envie dois horários, assim: 22:00-07:00.",
  quietOff: "Sem horário de silêncio",
  testButton: "🔔 Enviar um alerta de teste",
};
