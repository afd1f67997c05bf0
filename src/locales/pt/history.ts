import type { history as en } from "../en/history.js";

export const history: typeof en = {
  empty: "Nada aqui ainda. Comece com /swap.",
  nothingHere: "Nada deste tipo ainda.",
  filters: { all: "Tudo", swap: "Trocas", multihop: "Rotas", lock: "Bloqueios", launch: "Lançamentos" },
  done: "concluído",
  accepted: "o nó aceitou",
  refused: "recusado",
  notSent: "não enviado",
  unknown: "resultado desconhecido",
  arrived: "concluído, embora sem resposta",
  filed: "você marcou como não executado",
  signing: "esperando sua assinatura",
  underWay: "em andamento",
  file: "📄 Tudo em um arquivo (CSV)",
  fileName: "historico.csv",
  fileCaption:
    "Tudo desde o início, do mais antigo ao mais novo. Os valores são exatos; o que não é certo fica sem valor.",
  feesTitle: "Taxas",
  feesExplain: (percent) =>
    `Cada troca divide o resultado na própria rede: ${percent} vai para quem opera este bot, o resto para você. O cartão mostra as duas partes antes da confirmação. Nunca cobro taxa depois ou em outro lugar.`,
  feesPaid: "Pago nas trocas de /history, segundo o nó ou os seus saldos",
  feesNone: "Nenhuma troca de /history pagou taxa.",
  feesMore: (tokens) => `e em mais ${tokens} tokens`,
};
