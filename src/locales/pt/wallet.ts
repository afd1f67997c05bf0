import type { Messages } from "../en/index.js";

export const wallet: Messages["wallet"] = {
  title: "Seu endereço de pagamento",
  explain: "Suas trocas, bloqueios e desbloqueios são pagos ali. Confira letra por letra.",
  since: (time) => `Definido em ${time}.`,
  change: "Para mudar, cole aqui outro endereço klv1….",
  ask: "Para onde vão seus tokens? Envie seu endereço klv1…. Nunca envie uma chave ou frase-semente.",
  pasted: "Seus tokens devem ir para este endereço?",
  pastedOther: "Este não é o seu endereço de pagamento:",
  useButton: "📬 Usar este endereço",
  saved: "Salvo.",
  changeTitle: "Mudar seu endereço de pagamento?",
  from: "Até agora",
  to: "A partir de agora",
  changeWarning: "Tudo passaria a ser pago no novo endereço. Se alguém pediu que você fizesse isso, não faça.",
  changeButton: "Sim, mudar",
  changed: (before) => `Seu endereço de pagamento foi mudado. Até agora era ${before}.`,
  cardsCanceled: (count) =>
    count === 1
      ? "Um cartão aberto ainda pagava ao endereço antigo; foi cancelado."
      : `${count} cartões abertos ainda pagavam ao endereço antigo; foram cancelados.`,
};
