import type { Evidence, LaunchStep } from "../../model/launch.js";
import type { Messages } from "../en/index.js";

const steps: Record<LaunchStep, string> = {
  "create-pair": "Criar o par",
  "issue-lp": "Emitir o token LP",
  "set-roles": "Definir os papéis locais",
  "add-liquidity": "Adicionar a primeira liquidez",
  lock: "Bloquear os tokens LP",
  enable: "Liberar as trocas",
};
const evidence: Record<Evidence, string> = {
  view: "a cadeia mostra",
  answer: "o nó respondeu ok",
  word: "como você me disse",
};
const todo: Record<LaunchStep, string> = {
  "create-pair":
    "O roteador cria um contrato para os dois tokens. A conta que cria o par também precisa adicionar a primeira liquidez e liberar as trocas.",
  "issue-lp":
    "O roteador emite o token LP do par. Por um tempo depois da criação, só quem criou o par pode fazer isso.",
  "set-roles": "Permite que o par emita e queime o seu token LP. Sem isso, a primeira liquidez é recusada.",
  "add-liquidity":
    "Você paga nos dois tokens; a proporção entre eles é o primeiro preço. Você recebe tokens LP por tudo menos 1000 unidades, que ficam no par para sempre.",
  lock: "Você bloqueia tokens LP até uma época e recebe um token bloqueado, que abre o par para trocas.",
  enable:
    "Você mostra o token bloqueado ao roteador. Ele confere valor e prazo, abre o par e devolve o token bloqueado a você.",
};

export const launch: Messages["launch"] = {
  title: (first, second) => `Lançamento ${first} / ${second}`,
  step: (step) => steps[step],
  evidence: (by) => evidence[by],
  todo: (step) => todo[step],
  stepTitle: (step, first, second) => `${steps[step]} · ${first} / ${second}`,
  confirm: (step) => `✅ Confirmar: ${steps[step].toLowerCase()}`,
  doButton: (step) => `▶️ ${steps[step]}`,
  pair: "Par",
  pairHex: "Em hexadecimal",
  lpToken: "Token LP",
  lpNamed: (name, ticker) => `${name}, ticker ${ticker}`,
  underWay: "⏳ A chamada está em andamento.",
  unknown:
    "⚠️ Resultado desconhecido: a chamada saiu, não veio resposta clara, e este nó não tem consulta que diga o resultado.",
  unknownUnasked:
    "⚠️ Resultado desconhecido: a chamada saiu, e não veio resposta clara. Quando der para consultar o nó, eu olho.",
  unknownAsk: "Olhe na sua carteira ou em um explorador da cadeia e me diga. Antes disso não envio nada de novo.",
  unseen:
    "⚠️ Já saiu uma chamada para este passo, mas a cadeia não o mostra como feito. Se faz só um instante, verifique de novo antes; uma segunda chamada seria recusada se a primeira ainda chegar.",
  notReachable: "Agora não consigo consultar o nó, então isto é o que sei de antes. Verifique de novo mais tarde.",
  manual:
    "Faça isto na sua carteira, com a conta que criou o par: a interface pública cita esta chamada sem mostrar a forma, então eu mesmo não a envio. Informe exatamente isto:",
  manualContract: "Contrato",
  manualFunction: "Função",
  manualArguments: "Argumentos",
  manualPayment: "Pagamento",
  manualNone: "nenhum",
  manualCheck: "Depois toque em 🔄 Verificar: olho na cadeia se está feito.",
  manualWord: "Depois toque em ✅ Feito: nenhuma consulta da cadeia mostra isto, então confio na sua palavra.",
  amountsButton: "▶️ Informar os valores",
  otherAmountsButton: "✏️ Outros valores",
  doneButton: "✅ Feito",
  carriedOutButton: "✅ Foi executada",
  notCarriedOutButton: "↩️ Não foi",
  lockedElsewhereButton: "✅ Tenho um token bloqueado",
  undoButton: (step) => `↩️ Não foi feito: ${steps[step].toLowerCase()}`,
  checked: (time) => `Verificado às ${time}`,
  checkButton: "🔄 Verificar",
  dropButton: "✖️ Retirar",
  dropTitle: (first, second) => `Retirar o lançamento de ${first} / ${second}?`,
  dropExplain:
    "Esqueço a lista. Na cadeia nada muda: o que foi criado fica, e tokens bloqueados ficam em /locks. Enquanto o par for seu e não estiver aberto para trocas, /launch o retoma.",
  dropSure: "✖️ Sim, retirar",
  dropped: "Retirado. Nada mudou na cadeia.",
  conditions: (value, period) =>
    `Para liberar as trocas, é preciso bloquear tokens LP que valham mais de ${value} por mais de ${period} épocas.`,
  conditionsUnknown:
    "Este nó não diz as condições do roteador para liberar (valor e prazo mínimos do bloqueio). Pergunte a quem opera o roteador antes de bloquear.",
  strictly:
    "Espero até que os dois estejam acima do mínimo, não apenas iguais a ele: as descrições públicas do roteador divergem sobre se igual basta, e acima está certo nas duas.",
  lockedValue: "Valor bloqueado",
  lockedFor: "Bloqueado por",
  epochs: (count) => (count === "1" ? "1 época" : `${count} épocas`),
  mustExceed: (minimum) => `precisa passar de ${minimum}`,
  isEnough: "Com este bloqueio dá para liberar as trocas.",
  isNotEnough: "Só com este bloqueio não dá para liberar as trocas.",
  noCommonToken:
    "⚠️ O roteador só avalia pares em certos tokens, e nenhum destes dois é um deles. Você mesmo não consegue liberar as trocas deste par; pergunte a quem opera o roteador.",
  noConfig:
    "⚠️ O dono do roteador ainda não definiu condições para este token (configEnableByUserParameters), então não dá para liberar as trocas. Não bloqueie nada para isso antes.",
  noAdder: "⚠️ O par não indica quem adiciona a liquidez inicial, então ninguém pode liberar as trocas desta forma.",
  otherAdder: (adder) =>
    `⚠️ Só ${adder} pode adicionar a primeira liquidez e liberar as trocas aqui, e o seu endereço é outro.`,
  otherAdderMaybe: "Se a conta por trás do nó deste bot for essa, funciona mesmo assim.",
  complete: "🎉 Tudo pronto: o par está aberto. Agora qualquer pessoa pode trocar:",
  completeLock: "Seus tokens LP ficam bloqueados até a época deles; /locks mostra quando podem ser retirados.",
  caller: "A chamada é feita em nome da sua conta, que deve ser a que criou o par:",
  callerUnknown:
    "⚠️ A interface não tem campo para quem faz esta chamada, e o nó deste bot não é informado. Ela é feita pela conta que o nó representa; essa deve ser a sua, e a mesma em todos os passos:",
  youPay: "Você paga",
  firstPrice: "Primeiro preço",
  worth: (least, minimum) =>
    `Todos os tokens LP disso valem no mínimo ${least}; para liberar as trocas é preciso bloquear mais de ${minimum}.`,
  worthTooLittle: (minimum) =>
    `⚠️ Mesmo bloqueando todos os tokens LP disso, pode não passar de ${minimum}, e as trocas podem não ser liberadas. Melhor adicionar mais.`,
  marketPrice: "A proporção deve ser a do mercado: quem chegar primeiro leva a diferença.",
  youShow: "Você mostra",
  comesBack: "Ele volta na mesma chamada.",
  unchecked:
    "Neste nó não consigo conferir as condições do roteador. O roteador as confere, e recusa quando não são cumpridas.",
  uncheckedButton: "Entendi, mostrar o cartão",
  received: "Você recebeu",
  kept: "Nada mudou com esta chamada.",
  unknownNext: "Não vou enviá-la de novo por conta própria. A lista pergunta à cadeia se ela foi executada.",
  checklistButton: "📋 Lista",
  listTitle: "Seus lançamentos",
  listRow: (first, second) => `${first} / ${second}`,
  newButton: "➕ Novo lançamento",
  usage: "Em uma linha fica assim:",
  askFirst: "Qual é o primeiro token do par? Escolha um, ou envie o nome ou id.",
  askSecond: (first) => `E qual token ao lado de ${first}?`,
  askTicker: "Com qual ticker o token LP deve ser emitido? De 3 a 10 letras e dígitos.",
  askName: "E o nome dele? De 3 a 20 letras e dígitos.",
  askPair: "Envie o endereço do par, klv1…, como a sua carteira ou um explorador da cadeia o mostra.",
  askLiquidity: (token) => `Quanto ${token} você coloca? Envie um valor em ${token} inteiros.`,
  askLpToken: "Qual é o id do token LP? A sua carteira mostra; ele começa com o ticker.",
  askLpAmount: (token) => `Quanto ${token} você bloqueia? Escolha, ou envie um valor.`,
  askLpAmountRaw: (token) =>
    `Quanto ${token} você bloqueia? Escolha, ou envie um valor em unidades mínimas: ninguém me disse as decimais dele.`,
  leastAmount: (amount) =>
    `É preciso no mínimo ${amount} com o pool de agora; coloque mais, porque o pool pode se mexer.`,
  askUnlock: "Até quando? Envie uma época (5500), uma data (2026-12-31) ou uma duração (30d).",
  leastEpoch: (epoch, now) =>
    `Agora é a época ${now}. Para liberar logo, precisa ser a época ${epoch} ou depois; algumas a mais dão folga.`,
  askLocked: "Qual token bloqueado você recebeu? Envie-o com o número, como LKTOK-1A2B/7.",
  askLockedAmount: (locked) => `Quanto de ${locked} você tem?`,
  askLockedEpoch: "Em que época ele libera?",
};
