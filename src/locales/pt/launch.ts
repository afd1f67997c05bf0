import type { launch as en } from "../en/launch.js";

const steps = {
  "create-pair": "Criar o par",
  "issue-lp": "Emitir o token LP",
  "set-roles": "Definir os papéis locais",
  "add-liquidity": "Adicionar a primeira liquidez",
  lock: "Bloquear os tokens LP",
  enable: "Liberar as trocas",
};
const inSentence = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

export const launch: typeof en = {
  title: (first, second) => `Lançamento ${first} / ${second}`,
  steps,
  evidence: {
    view: "a rede mostra",
    answer: "o nó aceitou",
    word: "você me disse",
  },
  todo: {
    "create-pair":
      "O roteador cria um contrato para os dois tokens. A conta que cria o par também precisa adicionar a primeira liquidez e liberar as trocas.",
    "issue-lp":
      "O roteador emite o token LP do par. Por um tempo depois da criação, só quem criou o par pode fazer isso.",
    "set-roles": "Permite que o par emita e queime o seu token LP. Sem isso, a primeira liquidez é recusada.",
    "add-liquidity":
      "Você paga nos dois tokens; a proporção entre eles é o primeiro preço. Você recebe tokens LP por tudo menos 1000 unidades, que ficam no par para sempre.",
    lock: "Você bloqueia tokens LP até uma época e recebe um token bloqueado, que abre o par para trocas.",
    enable:
      "Você mostra o token bloqueado ao roteador. Ele confere quanto está bloqueado e por quanto tempo, abre o par e devolve o token bloqueado a você.",
  },
  confirm: (step) => `✅ Confirmar: ${inSentence(steps[step])}`,
  pair: "Par",
  pairHex: "Em hexadecimal",
  lpToken: "Token LP",
  lpNamed: (name, ticker) => `${name}, ticker ${ticker}`,
  underWay: "⏳ A chamada está em andamento.",
  unknown:
    "⚠️ Resultado desconhecido: a chamada foi enviada, não veio resposta clara, e o nó não consegue mostrar se ela foi executada.",
  unknownUnasked:
    "⚠️ Resultado desconhecido: a chamada foi enviada, e não veio resposta clara. Vou conferir assim que der para consultar o nó.",
  unknownAsk: "Confira na sua carteira ou em um explorador de blocos e me diga. Até lá, não envio nada de novo.",
  unseen:
    "⚠️ Já foi enviada uma chamada para este passo, mas a rede não o mostra como feito. Se faz só um instante, verifique de novo antes; se a primeira chamada ainda chegar, uma segunda é recusada.",
  notReachable:
    "Não consigo consultar o nó agora, então isto é o que eu sabia por último. Verifique de novo mais tarde.",
  manual:
    "Faça isto na sua carteira, com a conta que criou o par. A interface pública cita esta chamada sem descrevê-la, então eu mesmo não a envio. Informe exatamente isto:",
  manualContract: "Contrato",
  manualFunction: "Função",
  manualArguments: "Argumentos",
  manualPayment: "Pagamento",
  manualNone: "nenhum",
  manualCheck: "Depois toque em 🔄 Verificar, e eu confiro na rede se está feito.",
  manualWord: "Depois toque em ✅ Feito. A rede não mostra este passo, então confio na sua palavra.",
  amountsButton: "▶️ Informar os valores",
  otherAmountsButton: "✏️ Outros valores",
  doneButton: "✅ Feito",
  carriedOutButton: "✅ Foi executada",
  notCarriedOutButton: "↩️ Não foi",
  lockedElsewhereButton: "✅ Tenho um token bloqueado",
  undoButton: (step) => `↩️ Não foi feito: ${inSentence(steps[step])}`,
  checked: (time) => `Verificado às ${time}`,
  checkButton: "🔄 Verificar",
  dropButton: "✖️ Descartar",
  dropTitle: (first, second) => `Descartar o lançamento de ${first} / ${second}?`,
  dropExplain:
    "Esqueço a lista. Nada muda na rede: o que foi criado fica, e tokens bloqueados ficam em /locks. Enquanto o par for seu e não estiver aberto para trocas, /launch o retoma.",
  dropSure: "✖️ Sim, descartar",
  dropped: "Descartado. Nada mudou na rede.",
  conditions: (value, period) =>
    `Para liberar as trocas, é preciso bloquear tokens LP que valham mais de ${value} por mais de ${period} épocas.`,
  conditionsUnknown:
    "Este nó não diz o que o roteador exige (quanto precisa estar bloqueado e por quanto tempo). Pergunte a quem opera o roteador antes de bloquear.",
  strictly:
    "Os dois precisam estar acima do mínimo, não apenas iguais a ele: as descrições públicas do roteador divergem sobre se igual basta.",
  lockedValue: "Valor bloqueado",
  lockedFor: "Bloqueado por",
  epochs: (count) => (count === 1n ? "1 época" : `${count} épocas`),
  mustExceed: (minimum) => `precisa passar de ${minimum}`,
  isEnough: "✅ Basta para liberar as trocas",
  isNotEnough: "❌ Não basta para liberar as trocas",
  obstacle: {
    "no-common-token":
      "⚠️ O roteador só avalia pares em certos tokens, e nenhum destes dois é um deles. Você mesmo não consegue liberar as trocas deste par; pergunte a quem opera o roteador.",
    "no-config":
      "⚠️ O dono do roteador ainda não definiu condições para este token (configEnableByUserParameters), então não dá para liberar as trocas. Não bloqueie nada para isso antes.",
    "no-adder": "⚠️ O par não tem quem adicione a liquidez inicial, então ninguém pode liberar as trocas desta forma.",
  },
  otherAdder: (adder) =>
    `⚠️ Só ${adder} pode adicionar a primeira liquidez e liberar as trocas aqui, e o seu endereço é outro.`,
  otherAdderMaybe: "Se a conta por trás do nó deste bot for essa, funciona mesmo assim.",
  complete: "🎉 Tudo pronto: o par está aberto. Agora qualquer pessoa pode trocar:",
  completeLock: "Seus tokens LP ficam bloqueados até a época deles; /locks mostra quando podem ser retirados.",
  caller: "Da sua conta, que deve ser a que criou o par:",
  callerUnknown:
    "⚠️ A chamada não diz quem a faz: ela sai da conta do próprio nó. Essa deve ser a sua, e a mesma em todos os passos:",
  firstPrice: "Primeiro preço",
  worth: (least, minimum) =>
    `Os tokens LP que você recebe valem ao todo no mínimo ${least}; para liberar as trocas é preciso bloquear mais de ${minimum}.`,
  worthTooLittle: (minimum) =>
    `⚠️ Mesmo que você bloqueie todos os tokens LP que recebe, pode não passar de ${minimum}, e aí não dá para liberar as trocas. Melhor adicionar mais.`,
  marketPrice: "A proporção deve ser a do mercado: senão, quem negociar primeiro leva a diferença.",
  marketEqual: (rate) => `Esse é o preço do mercado: em outros lugares ${rate}.`,
  marketAbove: (rate, token, percent) =>
    `Em outros lugares ${rate}. Seus valores põem o preço de ${token} ${percent} acima disso.`,
  marketBelow: (rate, token, percent) =>
    `Em outros lugares ${rate}. Seus valores põem o preço de ${token} ${percent} abaixo disso.`,
  marketLoss: (amount) =>
    `Quem negociar com o pool até o preço dele ser o do mercado pode levar até ${amount} do seu depósito.`,
  marketSure: "⚠️ Isso está longe do mercado. Confira os dois valores antes de continuar.",
  marketSureButton: "⚠️ Manter estes valores",
  youShow: "Você mostra",
  comesBack: "Ele volta na mesma chamada.",
  unchecked:
    "Não consigo conferir as condições do roteador neste nó. O próprio roteador as confere, e recusa se não forem cumpridas.",
  kept: "Esta chamada não mudou nada.",
  unknownNext: "Não vou enviá-la de novo. A lista consulta a rede para saber se ela foi executada.",
  checklistButton: "📋 Lista",
  listTitle: "Seus lançamentos",
  newButton: "➕ Novo lançamento",
  usage: "Em uma linha:",
  askFirst: "Qual é o primeiro token do par? Escolha um, ou envie o nome ou id.",
  askSecond: (first) => `E qual token faz par com ${first}?`,
  askTicker: "Qual ticker o token LP deve ter? De 3 a 10 letras e dígitos.",
  askName: "E qual nome? De 3 a 20 letras e dígitos.",
  askPair: "Envie o endereço do par, klv1…, como a sua carteira ou um explorador de blocos o mostra.",
  askLiquidity: (token) => `Quanto ${token} você coloca? Envie um valor.`,
  marketAmount: (amount, token) => `Pelo preço do mercado são ${amount} ${token}.`,
  askLpToken: "Qual é o id do token LP? A sua carteira mostra; ele começa com o ticker.",
  askLpAmount: (token) => `Quanto ${token} você bloqueia? Escolha, ou envie um valor.`,
  askLpAmountRaw: (token) =>
    `Quanto ${token} você bloqueia? Escolha, ou envie um valor em unidades mínimas: ninguém me disse quantas casas decimais ele tem.`,
  leastAmount: (amount) =>
    `Ao preço atual do pool, é preciso no mínimo ${amount}; bloqueie mais, porque o preço pode mudar.`,
  askUnlock: "Até quando? Escolha, ou envie uma época (5500), uma data (2026-12-31) ou uma duração (30d).",
  leastEpoch: (epoch, now) =>
    `Agora é a época ${now}. Para liberar as trocas logo, escolha a época ${epoch} ou uma posterior; algumas a mais dão folga.`,
  askLocked: "Qual token bloqueado você recebeu? Envie-o com o número, como LKTOK-1A2B/7.",
  askLockedAmount: (locked) => `Quanto de ${locked} você tem?`,
  askLockedEpoch: "Em que época ele desbloqueia?",
};
