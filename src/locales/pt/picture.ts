import type * as en from "../en/picture.js";

export const picture: typeof en.picture = {
  chart: "📈 Gráfico",
  fills: "📈 Execução",
  share: "🖼 Compartilhar",
  usage: (command) => `Envie dois tokens, por exemplo ${command} KFI KLV.`,
  noPrice: (pair) => `Ainda não vi um preço para ${pair}.`,
  spans: { minute: "6 horas", hour: "2 semanas", day: "1 ano" },
  now: (rate) => `Agora: ${rate}`,
  change: (percent) => `Variação: ${percent}`,
  highest: (rate) => `Máxima: ${rate}`,
  lowest: (rate) => `Mínima: ${rate}`,
  seen: (time) => `Preços que este bot viu desde ${time}: dos pools, sem taxas, ou conforme a cotação onde não há pool`,
  filledTitle: (order) => `Execução: ${order}`,
  filledAt: (percent, time) => `${percent} em ${time}`,
  started: "Troca feita",
  theme: { dark: "🌙 Gráficos escuros", light: "☀️ Gráficos claros" },
};
