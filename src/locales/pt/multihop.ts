import type { multihop as en } from "../en/multihop.js";

export const multihop: typeof en = {
  title: (from, path) => `Rota ${from} → ${path}`,
  confirm: "✅ Confirmar rota",
  pool: "pool",
  expected: (amount) => `cerca de ${amount}`,
  atLeast: (amount) => `no mínimo ${amount}`,
  exactly: (amount) => `exatamente ${amount}`,
  spends: (expected, atMost) => `gasta cerca de ${expected}, no máximo ${atMost}`,
  spendsUnbound: (hops) =>
    `⚠️ Salto ${hops}: se o preço mudar depois de você confirmar, tudo o que chega lá pode ser gasto.`,
  comesBack: (amount) => `cerca de ${amount} volta sem uso`,
  impact: (percent) => `impacto no preço ${percent}`,
  youGetExactly: "Você recebe exatamente",
  youPayAtMost: "Você paga no máximo",
  orNothingExactly: "ou nada é trocado; o que sobra volta",
  noFee: "Rotas não pagam taxa a este bot e são executadas por inteiro ou não são.",
  done: "✅ Rota feita",
  change: "Voltou sem uso",
  noBotFee: "Sem taxa do bot",
  showRoute: (amount) => `🔀 Ver rota: cerca de ${amount}`,
  showSwap: (amount) => (amount === undefined ? "🔀 Ver troca" : `🔀 Ver troca: cerca de ${amount}`),
  askPath:
    "Envie o valor que você paga e os tokens do caminho, como 100 KLV DVK-34ZH KFI. Com dois tokens eu mesmo procuro a melhor rota.",
  exactHint: "Para receber um valor exato de um token, escreva-o depois dele, como em KFI=25.",
};
