import type * as en from "../en/wallet.js";

export const wallet: typeof en.wallet = {
  explain: "Trocas, bloqueios e desbloqueios são pagos neste endereço. Confira cada caractere.",
  signs: "Precisa ser uma conta da sua própria carteira Klever, que assina e paga tudo o que você confirmar aqui.",
  since: (time) => `Definido em ${time}.`,
  change: "Para mudar, cole aqui outro endereço klv1…",
  ask: "Envie o endereço klv1… da sua carteira. Nunca envie chave privada nem frase de recuperação.",
  pasted: "Usar este como seu endereço de carteira?",
  pastedOther: "Este não é o endereço que você definiu:",
  useButton: "📬 Usar este endereço",
  changeTitle: "Mudar seu endereço de carteira?",
  from: "Endereço atual",
  to: "Endereço novo",
  changeWarning: "Tudo passaria a ser pago no endereço novo. Se alguém mandou você fazer isso, é golpe: pare.",
  changeButton: "Sim, mudar",
  changed: (before) => `Seu endereço de carteira mudou. Endereço anterior: ${before}.`,
  cardsCanceled: (count) =>
    count === 1
      ? "1 cotação aberta para o endereço antigo foi cancelada."
      : `${count} cotações abertas para o endereço antigo foram canceladas.`,
};

export const balance: typeof en.balance = {
  nothing: "Nenhum saldo encontrado.",
  locked: "Bloqueado",
  until: (asset, epoch, date) =>
    date === undefined ? `${asset}, até a época ${epoch}` : `${asset}, até ${date} (época ${epoch})`,
  standsFor: (first, second) => `representa ${first} + ${second}`,
  onlyKnown: "Informado pelo nó agora. Tokens fora da lista deste bot não aparecem.",
  beforeAfter: (before, after) => `Saldo: ${before} → ${after}`,
  check: "🔎 Verificar",
  file: "✖️ Não aconteceu",
  filed: (time) => `✖️ Você marcou como não executado (${time})`,
  filedExplain: "Ainda conta nos seus limites. Se chegar depois, 🔎 Verificar encontra.",
  arrived: (time) => `🔎 Chegou (${time}).`,
  notArrived: (time) => `🔎 Ainda não chegou nada (${time}). Verifique de novo em um minuto.`,
  unclear: (time) => `🔎 Sem certeza ainda (${time}).`,
  onChain: "🔎 Confirmado na rede.",
  why: {
    "unknown-before": "Não tenho um saldo anterior para comparar.",
    "unknown-now": "Não consigo ler seu saldo agora.",
    "other-calls": "Você fez outras transações depois, então o saldo não prova nada. Compare:",
    other: "Seu saldo mudou, mas não no valor esperado. Compare:",
  },
};
