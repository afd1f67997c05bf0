import type { settings as en } from "../en/settings.js";

export const settings: typeof en = {
  title: "Configurações",
  slippage: "Slippage",
  slippageExplain: (maximum) =>
    `Quanto o preço pode piorar entre a cotação e a troca. Um valor maior deixa mais trocas passarem; um menor protege melhor. No máximo ${maximum} %.`,
  presets: "Botões de valor",
  language: "Idioma",
  timeZone: "Fuso horário",
  custom: "Outro valor",
  askSlippage: (maximum) => `Envie o slippage em porcentagem, como 0.5 ou 2. No máximo ${maximum}.`,
  badSlippage: (maximum) => `Envie um número de 0 a ${maximum} com no máximo duas casas decimais, como 0.5.`,
  askPresets: "Envie até quatro valores separados por espaço, como 10 50 250.",
  badPresets: "Envie de um a quatro valores simples separados por espaço, como 10 50 250.",
  askTimeZone: "Que cidade tem o seu horário? Escolha uma, ou envie o nome dela ou o fuso, como Europe/Lisbon.",
  badTimeZone:
    "Não conheço o horário deste lugar. Envie uma cidade maior perto de você, ou um fuso como Europe/Lisbon ou America/Sao_Paulo.",
  saved: "Salvo.",
  appliesToNew: "Vale para cartões novos. Um cartão aberto mantém os números que mostra.",
  alerts: "Alertas",
};
