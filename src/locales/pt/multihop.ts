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
    `⚠️ O salto ${hops} não tem teto de gasto: se o preço mudar depois de você confirmar, pode sobrar menos troco que o mostrado, ou nenhum.`,
  comesBack: (amount) => `cerca de ${amount} de troco`,
  impact: (percent) => `impacto no preço ${percent}`,
  youGetExactly: "Você recebe exatamente",
  youPayAtMost: "Você paga no máximo",
  orNothingExactly: "ou nada é trocado; o que sobra volta",
  noFee: "Sem taxa do bot. A rota é executada por inteiro ou não é.",
  done: "✅ Rota concluída",
  change: "Troco devolvido",
  noBotFee: "Sem taxa do bot",
  showRoute: (amount) => `🔀 Ver rota: cerca de ${amount}`,
  showSwap: (amount) => (amount === undefined ? "🔀 Ver troca" : `🔀 Ver troca: cerca de ${amount}`),
  askPath:
    "Envie o valor e os tokens na ordem, por exemplo 100 KLV DVK-34ZH KFI. Só com dois tokens, acho a melhor rota.",
  exactHint: "Para um valor exato, escreva-o junto do token, por exemplo KFI=25.",
};
