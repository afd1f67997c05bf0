import type { history as en } from "../en/history.js";

export const history: typeof en = {
  empty: "Nada aqui ainda. Comece com /swap.",
  nothingHere: "Nada deste tipo ainda.",
  filters: { all: "Tudo", swap: "Trocas", multihop: "Rotas", lock: "Bloqueios", launch: "Lançamentos" },
  done: "concluído",
  accepted: "aceito, não confirmado",
  refused: "rejeitado",
  notSent: "não enviado",
  unknown: "resultado desconhecido",
  arrived: "concluído (sem resposta)",
  filed: "você marcou como não executado",
  signing: "esperando sua assinatura",
  underWay: "em andamento",
  file: "📄 Exportar CSV",
  fileName: "historico.csv",
  fileCaption:
    "Seu histórico completo, do mais antigo ao mais novo. Os valores são exatos; o que não foi confirmado fica sem valor.",
  feesTitle: "Taxas",
  feesExplain: (percent) =>
    `O resultado de cada troca é dividido na própria rede: ${percent} vai para o operador deste bot, o resto para você. Você vê os dois valores antes de confirmar. O bot não cobra nenhuma outra taxa.`,
  feesPaid: "Pago nas trocas de /history, segundo o nó ou o seu saldo:",
  feesNone: "Nenhuma troca de /history pagou taxa.",
  feesMore: (tokens) => `e em mais ${tokens} tokens`,
};
