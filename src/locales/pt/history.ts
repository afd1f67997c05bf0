import type { Messages } from "../en/index.js";

export const history: Messages["history"] = {
  title: "O que você fez",
  empty: "Ainda não há nada aqui. /swap faz a primeira troca.",
  page: (page, pages) => `Página ${page} de ${pages}`,
  states: {
    QUOTED: "aberto",
    CLAIMED: "sendo enviado",
    SIGNING: "esperando sua assinatura",
    SENT: "esperando a resposta",
    OK: "respondido ok",
    FAILED: "falhou",
    UNKNOWN: "resultado desconhecido",
    EXPIRED: "expirado",
    CANCELED: "cancelado",
    SUPERSEDED: "substituído",
  },
  feesTitle: "Taxas",
  feesExplain: (percent) =>
    `Cada troca divide o resultado na própria rede: ${percent} % vai para quem opera este bot, o resto para você. O cartão mostra as duas partes antes da confirmação. Nunca cobro taxa depois ou em outro lugar.`,
  feesPaid: "Pago nas trocas que /history mostra, segundo as respostas do nó",
  feesNone: "Nenhuma troca que /history mostra pagou taxa.",
  feesMore: (tokens) => `e em mais ${tokens} tokens`,
};
