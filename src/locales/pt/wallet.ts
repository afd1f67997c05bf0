import type { wallet as en } from "../en/wallet.js";

export const wallet: typeof en = {
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
