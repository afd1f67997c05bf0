import type * as en from "../en/wallet.js";

export const wallet: typeof en.wallet = {
  title: "Seu endereço de recebimento",
  explain: "Trocas, bloqueios e desbloqueios são pagos aqui. Confira caractere por caractere.",
  signs: "Precisa ser uma conta da sua própria carteira Klever, que assina e paga tudo o que você confirmar aqui.",
  since: (time) => `Definido em ${time}.`,
  change: "Para mudar, cole aqui outro endereço, que começa com klv1.",
  ask: "Para onde vão seus tokens? Envie seu endereço, que começa com klv1. Nunca envie uma chave nem frase de recuperação.",
  pasted: "Seus tokens devem ir para este endereço?",
  pastedOther: "Este não é o seu endereço de recebimento:",
  useButton: "📬 Usar este endereço",
  changeTitle: "Mudar seu endereço de recebimento?",
  from: "Seu endereço até agora",
  to: "O novo endereço",
  changeWarning: "Tudo passaria a ser pago no novo endereço. Se alguém pediu que você fizesse isso, não faça.",
  changeButton: "Sim, mudar",
  changed: (before) => `Seu endereço de recebimento mudou. Até agora era ${before}.`,
  cardsCanceled: (count) =>
    count === 1
      ? "Um cartão aberto ainda pagava ao endereço antigo; foi cancelado."
      : `${count} cartões abertos ainda pagavam ao endereço antigo; foram cancelados.`,
};

export const balance: typeof en.balance = {
  nothing: "Nada que eu conheça.",
  locked: "Bloqueado",
  until: (asset, epoch, date) =>
    date === undefined ? `${asset}, até a época ${epoch}` : `${asset}, até ${date} (época ${epoch})`,
  standsFor: (first, second) => `equivale a ${first} e ${second}`,
  more: (lines) => `e mais ${lines} linhas`,
  onlyKnown: "Segundo o nó, agora, para os tokens que conheço e o que bloqueei para você.",
  beforeAfter: (before, after) => `Saldo: ${before} → ${after}`,
  check: "🔎 Verificar",
  file: "✖️ Não aconteceu",
  filed: (time) => `✖️ Você marcou como não executado (${time}).`,
  filedExplain: "Ainda conta nos seus limites. Se chegar depois, Verificar encontra.",
  arrived: (time) => `🔎 Chegou (${time}).`,
  notArrived: (time) => `🔎 Ainda não chegou (${time}). Verifique de novo em um minuto.`,
  unclear: (time) => `🔎 Não dá para saber (${time}).`,
  onChain: "🔎 A rede executou a chamada.",
  refusedOnChain: "🔎 A rede recusou a chamada: nada foi executado.",
  why: {
    "unknown-before": "Não sei o que você tinha antes.",
    "unknown-now": "Não consigo ler o que você tem agora.",
    "other-calls": "Você fez outras chamadas depois: um saldo não prova nada. Compare:",
    other: "Seus saldos mudaram, mas não como esta chamada faria. Compare:",
  },
};
