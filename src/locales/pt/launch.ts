import type { launch as en } from "../en/launch.js";

export const launch: typeof en = {
  title: (first, second) => `Lançamento ${first} / ${second}`,
  steps: {
    "create-pair": "Criar o par",
    "issue-lp": "Emitir o token LP",
    "set-roles": "Definir os papéis do token",
    "add-liquidity": "Adicionar a primeira liquidez",
    lock: "Bloquear os tokens LP",
    enable: "Liberar as trocas",
  },
  evidence: { view: "na rede", answer: "aceito pelo nó", word: "informado por você" },
  todo: {
    "create-pair":
      "O roteador cria um contrato para este par. A mesma conta precisa depois adicionar a primeira liquidez e liberar as trocas.",
    "issue-lp": "O roteador emite o token LP do par. Por pouco tempo, só quem criou o par pode fazer isso.",
    "set-roles": "Permite que o par emita e queime tokens LP. Sem isso, adicionar liquidez falha.",
    "add-liquidity":
      "Você deposita os dois tokens; a proporção entre eles define o preço inicial. Você recebe tokens LP, menos 1.000 unidades básicas, que ficam no par para sempre.",
    lock: "Bloqueie tokens LP até uma época que você escolhe. Você recebe um token bloqueado, necessário no passo 6.",
    enable:
      "Envie o token bloqueado ao roteador. Ele confere o valor e a duração, libera as trocas e devolve o token na mesma transação.",
  },
  confirm: (step) => `✅ Confirmar: ${step}`,
  pair: "Par",
  pairHex: "Em hexadecimal",
  lpToken: "Token LP",
  lpNamed: (name, ticker) => `${name}, ticker ${ticker}`,
  underWay: "⏳ Em andamento.",
  unknown:
    "⚠️ Resultado desconhecido: foi enviado, não veio resposta clara, e o nó não consegue mostrar se foi executado.",
  unknownUnasked:
    "⚠️ Resultado desconhecido: foi enviado, mas não veio resposta clara. Verifico assim que conseguir acessar o nó.",
  unknownAsk: "Confira na sua carteira ou em um explorador e me diga o que aconteceu. Até lá, não envio nada.",
  unseen:
    "⚠️ Este passo já foi enviado, mas a rede ainda não o mostra. Se foi agora há pouco, toque antes em 🔄 Verificar. Se os dois chegarem, o segundo é rejeitado.",
  notReachable: "Não consigo acessar o nó. Esta é a última situação conhecida. Verifique de novo mais tarde.",
  manual:
    "Faça este passo na sua carteira, com a conta que criou o par. (O formato dele não é documentado, então não o envio por você.) Informe exatamente:",
  manualContract: "Contrato",
  manualFunction: "Função",
  manualArguments: "Argumentos",
  manualPayment: "Pagamento",
  manualNone: "nenhum",
  manualCheck: "Depois toque em 🔄 Verificar, e eu confiro na rede.",
  manualWord: "Depois toque em ✅ Feito. Não vejo este passo na rede, então confio em você.",
  amountsButton: "▶️ Informar os valores",
  otherAmountsButton: "✏️ Mudar os valores",
  doneButton: "✅ Feito",
  carriedOutButton: "✅ Foi executado",
  notCarriedOutButton: "↩️ Não foi",
  lockedElsewhereButton: "✅ Tenho um token bloqueado",
  undoButton: (step) => `↩️ Marcar como não feito: ${step}`,
  checked: (time) => `Verificado às ${time}`,
  checkButton: "🔄 Verificar",
  dropButton: "🗑 Remover",
  dropTitle: (first, second) => `Remover o lançamento de ${first} / ${second} da sua lista?`,
  dropExplain:
    "Só a lista é apagada. Nada muda na rede, e seus bloqueios ficam em /locks. Você pode retomar com /launch enquanto o par for seu e não estiver aberto para trocas.",
  dropSure: "🗑 Sim, remover",
  dropped: "Removido. Nada mudou na rede.",
  conditions: (value, epochs, about) =>
    `Para liberar as trocas, bloqueie tokens LP que valham mais de ${value} por mais de ${epochs}${about === undefined ? "" : ` (cerca de ${about})`}.`,
  conditionsUnknown:
    "Este nó não informa o que o roteador exige (quanto bloquear, por quanto tempo). Pergunte ao dono do roteador antes de bloquear.",
  strictly: "Os dois precisam passar do mínimo.",
  lockedValue: "Valor bloqueado",
  lockedFor: "Bloqueado por",
  epochs: (count) => (count === 1n ? "1 época" : `${count} épocas`),
  mustExceed: (minimum) => `precisa passar de ${minimum}`,
  isEnough: "✅ Basta para liberar as trocas",
  isNotEnough: "❌ Não basta para liberar as trocas",
  obstacle: {
    "no-common-token":
      "⚠️ O roteador não consegue avaliar este par, porque nenhum dos dois tokens é aceito como base. Você não consegue liberar as trocas; fale com o dono do roteador.",
    "no-config":
      "⚠️ O dono do roteador ainda não definiu exigências para este token (configEnableByUserParameters), então não dá para liberar as trocas. Não bloqueie nada antes disso.",
    "no-adder":
      "⚠️ Nenhuma conta está registrada como provedora da liquidez inicial deste par, então não dá para liberar as trocas desta forma.",
  },
  otherAdder: (adder) =>
    `⚠️ Só ${adder} pode adicionar a primeira liquidez e liberar as trocas, e esse não é o seu endereço.`,
  otherAdderMaybe: "Se o nó deste bot envia dessa conta, funciona mesmo assim.",
  complete: "🎉 Pronto: o par está aberto. Agora qualquer pessoa pode trocar:",
  completeLock: "Seus tokens LP ficam bloqueados até a época deles; /locks mostra quando dá para desbloquear.",
  caller: "Enviado da sua conta, que deve ser a que criou o par:",
  callerUnknown: "⚠️ Isto é enviado da conta do próprio nó. Essa conta deve ser a sua, e a mesma em todos os passos:",
  firstPrice: "Preço inicial",
  worth: (least, minimum) =>
    `Seus tokens LP vão valer no mínimo ${least}. Para liberar as trocas, é preciso bloquear mais de ${minimum}.`,
  worthTooLittle: (minimum) =>
    `⚠️ Mesmo bloqueando todos os seus tokens LP, eles podem valer menos que os ${minimum} exigidos para liberar as trocas. Adicione mais liquidez.`,
  marketPrice: "Siga o preço do mercado, ou quem faz arbitragem leva a diferença do seu depósito.",
  marketEqual: (rate) => `É o preço do mercado (${rate}).`,
  marketDiffers: (rate, token, percent, isAbove) =>
    `Preço do mercado: ${rate}. O seu preço para ${token} é ${percent} mais ${isAbove ? "alto" : "baixo"}.`,
  marketLoss: (amount) => `Quem faz arbitragem pode levar até ${amount} do seu depósito.`,
  marketSure: "⚠️ Seu preço está longe do mercado. Confira os dois valores.",
  marketSureButton: "⚠️ Manter estes valores",
  youShow: "Você envia (e recebe de volta)",
  comesBack: "Devolvido na mesma transação.",
  unchecked: "Este nó não informa o que o roteador exige. O roteador confere, e rejeita o passo se não for cumprido.",
  kept: "Nada mudou.",
  unknownNext: "A lista confere na rede.",
  checklistButton: "📋 Lista",
  listTitle: "Seus lançamentos",
  newButton: "➕ Novo lançamento",
  usage: "Ou lance em uma linha:",
  askFirst: "Qual é o primeiro token do par? Escolha um ou envie o nome ou o ID.",
  askSecond: (first) => `Qual token faz par com ${first}?`,
  askTicker: "Ticker do token LP? De 3 a 10 letras e dígitos.",
  askName: "Nome do token LP? De 3 a 20 letras e dígitos.",
  askPair: "Envie o endereço do par, klv1…, como a sua carteira ou um explorador o mostra.",
  askLiquidity: (token) => `Quanto ${token} você quer depositar? Envie um valor.`,
  marketAmount: (amount, token) => `Pelo preço do mercado são ${amount} ${token}.`,
  askLpToken: "Qual é o ID do token LP? A sua carteira mostra; ele começa com o ticker.",
  askLpAmount: (token) => `Quanto ${token} você quer bloquear? Escolha ou envie um valor.`,
  askLpAmountRaw: (token) =>
    `Quanto ${token} você quer bloquear? Escolha ou envie um valor em unidades básicas (as casas decimais são desconhecidas).`,
  leastAmount: (amount) =>
    `Ao preço atual, é preciso no mínimo ${amount}. Bloqueie um pouco mais, porque o preço pode mudar.`,
  tooLittle: (amount, least) =>
    `⚠️ ${amount} é muito pouco: ao preço atual, o passo 6 exige no mínimo ${least}. Tokens bloqueados não voltam antes do prazo.`,
  lockedForNothing: (epoch, moment) =>
    `⚠️ Este bloqueio não basta para o passo 6 do seu lançamento. Seus tokens ficarão bloqueados à toa até ${moment === undefined ? `a época ${epoch}` : `por volta de ${moment} (época ${epoch})`}.`,
  lockUnchecked:
    "⚠️ Não consigo verificar se este bloqueio basta para o passo 6 do seu lançamento. Se não bastar, seus tokens ficam bloqueados à toa.",
  noLongerEnough: "⚠️ Este bloqueio já não basta para o passo 6 do seu lançamento. Nada foi enviado.",
  askUnlock: "Bloquear até quando? Escolha ou envie uma época (5500), uma data (2026-12-31) ou uma duração (30d).",
  leastEpoch: (epoch, now) =>
    `Época atual: ${now}. Para liberar as trocas logo, escolha a época ${epoch} ou uma posterior; algumas a mais dão folga.`,
  askLocked: "Qual token bloqueado você recebeu? Envie-o com o número, como LKTOK-1A2B/7.",
  askLockedAmount: (locked) => `Quanto de ${locked} você tem?`,
  askLockedEpoch: "Em que época ele desbloqueia?",
};
