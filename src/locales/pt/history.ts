import type { Messages } from "../en/index.js";

export const history: Messages["history"] = {
  title: "O que você fez",
  empty: "Ainda não há nada aqui. /swap faz a primeira troca.",
  nothingHere: "Nada deste tipo.",
  filters: { all: "Tudo", swap: "Trocas", multihop: "Rotas", lock: "Bloqueios", launch: "Lançamentos" },
  done: "concluído",
  accepted: "o nó aceitou",
  refused: "recusado",
  notSent: "não enviado",
  unknown: "resultado desconhecido",
  signing: "esperando sua assinatura",
  underWay: "em andamento",
  file: "📄 Tudo em um arquivo (CSV)",
  fileName: "historico.csv",
  fileCaption:
    "Tudo desde o início, do mais antigo ao mais novo. Os valores são exatos; o que não é certo não tem valor.",
  feesTitle: "Taxas",
  feesExplain: (percent) =>
    `Cada troca divide o resultado na própria rede: ${percent} % vai para quem opera este bot, o resto para você. O cartão mostra as duas partes antes da confirmação. Nunca cobro taxa depois ou em outro lugar.`,
  feesPaid: "Pago nas trocas que /history mostra, segundo as respostas do nó",
  feesNone: "Nenhuma troca que /history mostra pagou taxa.",
  feesMore: (tokens) => `e em mais ${tokens} tokens`,
};
