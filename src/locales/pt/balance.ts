import type { balance as en } from "../en/balance.js";

export const balance: typeof en = {
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
