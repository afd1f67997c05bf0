import type * as en from "../en/faults.js";

export const refusals: typeof en.refusals = {
  "Slippage exceeded": (slippage) => `O preço passou do seu limite de ${slippage}. Nova cotação?`,
  "Not enough reserve": () => "O pool não tem tanto. Tente um valor menor.",
  "Swap is not enabled": () => "A negociação neste pool está desligada. Tente outra rota.",
  "Cannot unlock yet": () => "A época dele ainda não começou. /locks mostra quando começa.",
  "Invalid payment token": () => "Este não é um token do contrato de bloqueio. /locks lista os seus.",
  "Insufficient funds": () => "A conta que paga tem pouco saldo. Adicione saldo ou tente menos.",
  "Insufficient balance": () => "A conta que paga tem pouco saldo. Adicione saldo ou tente menos.",
  "invalid transaction fees": () => "A taxa de rede subiu nesse meio-tempo. Peça um cartão novo.",
  "Not a pair SC": () => "O roteador não lista mais este pool. Peça um cartão novo.",
  "Not active": () => "O roteador está pausado. Tente mais tarde.",
  "Pair creation is disabled": () => "O roteador só deixa o dono criar pares. Peça a quem o opera.",
  "Pair already exists": () => "Este par já existe. /launch o retoma, se for seu.",
  "Temporary owner differs": () => "Por enquanto só a conta que criou o par pode fazer isto.",
  "Permission denied": () => "A conta que chama não pode fazer isto. Use a que criou o par.",
  "LP token not issued": () => "O token LP precisa ser emitido antes. Veja a lista.",
  "LP token already issued": () => "O token LP já foi emitido. Veja a lista.",
  "Initial liquidity was already added": () => "A primeira liquidez já está lá. Veja a lista.",
  "Needs to be greater than minimum liquidity": () =>
    "É pouco: os dois valores devem passar de 1000 unidades mínimas. Coloque mais.",
  "Not enough value locked": () => "O valor bloqueado é pouco para isso. Bloqueie mais tokens LP.",
  "Token not locked for long enough": () => "O bloqueio é curto demais. Bloqueie até uma época posterior.",
  "Caller is not the initial liq adder": () => "Só a conta que adicionou a primeira liquidez pode fazer isto.",
  "Pair not in ActiveNoSwaps state": () => "As trocas já estão abertas, ou falta liquidez. Veja a lista.",
};

export const resultCodes: typeof en.resultCodes = {
  1: "A conta que paga tem pouco saldo. Adicione saldo ou tente menos.",
  5: "O contrato não existe. Avise o operador.",
  55: "O contrato não tem essa função, então não é o que eu esperava. Avise o operador.",
  58: "O gás acabou: a taxa de rede foi baixa demais para a execução. Peça um cartão novo, com a taxa recalculada.",
  62: "A máquina da rede interrompeu a execução. Peça um cartão novo; se acontecer de novo, avise o operador.",
};

export const resultCode: typeof en.resultCode = (code, text) =>
  `A rede encerrou com o código ${code}${text === "" ? "" : ` (“${text}”)`}.`;

export const services = {
  node: "o nó da rede",
  quotation: "o serviço de cotação",
  exchange: "a corretora",
  telegram: "o Telegram",
};

export const faults: typeof en.faults = {
  "address-invalid": ({ text }) =>
    `“${text}” não é um endereço válido: uma letra pode estar errada ou faltando. Copie o endereço klv1… inteiro da sua carteira e envie de novo.`,
  "address-wrong-chain": ({ prefix }) =>
    `Este endereço é de outra rede (começa com “${prefix}”). Envie um que comece com klv1.`,
  "address-zero": () =>
    "Este é o endereço zero: o que vai para lá se perde. Envie o seu endereço, que começa com klv1.",
  "address-is-contract": () =>
    "Este é o endereço de um contrato, e tokens enviados para lá podem se perder. Envie o endereço da sua carteira.",
  "address-not-contract": ({ text }) => `${text} não é o endereço de um contrato. Confira e envie de novo.`,
  "amount-empty": () => "Falta o valor. Envie um número como 100 ou 12,5, ou uma parte: 50%, metade, max.",
  "amount-not-a-number": ({ text }) =>
    `“${text}” não é um valor. Envie um número como 100 ou 12,5, ou uma parte: 50%, metade, max.`,
  "amount-negative": ({ text }) => `“${text}” é negativo. Envie um número acima de zero.`,
  "amount-exponent": ({ text }) => `“${text}” está escrito com expoente. Escreva todos os algarismos, como 1000000.`,
  "amount-hex": ({ text }) => `“${text}” é um número hexadecimal. Escreva com dígitos comuns, como 100.`,
  "amount-comma": ({ text, meant: [first, second] }) =>
    first === undefined
      ? `“${text}” tem uma vírgula que não sei onde encaixar. Escreva só os decimais depois dela, e nada entre os milhares: 1234,5.`
      : second === undefined
        ? `Não consegui ler essa vírgula. Quer dizer ${first}?`
        : `Uma vírgula ou um ponto aí pode querer dizer duas coisas. Quer dizer ${first} ou ${second}?`,
  "amount-zero": () => "O valor é zero. Envie um número acima de zero.",
  "amount-too-many-decimals": ({ token, precision }) =>
    precision === 0
      ? `${token} não tem casas decimais. Envie um número inteiro.`
      : `${token} tem no máximo ${precision} casas decimais. Encurte o valor e envie de novo.`,
  "amount-too-large": ({ text }) => `“${text}” é maior que qualquer oferta existente. Envie um valor menor.`,
  "asset-invalid": ({ text }) => `“${text}” não é um id de token. Os ids são como KLV, KFI ou DVK-34ZH.`,
  "token-unknown": ({ text, ids }) =>
    ids.length === 0
      ? `Não conheço nenhum token “${text}”. Escolha um da lista ou envie o id exato.`
      : `Não conheço nenhum token “${text}”. Você quis dizer ${ids.join(" ou ")}?`,
  "token-ambiguous": ({ text, ids }) => `Vários tokens se chamam “${text}”: ${ids.join(", ")}. Envie o id exato.`,
  "tokens-identical": ({ token }) => `Os dois lados são ${token}. Escolha dois tokens diferentes.`,
  "token-precision-unknown": ({ token }) =>
    `Ninguém me disse quantas casas decimais ${token} tem, então não posso calcular valores com segurança. Peça ao operador que o inclua na lista de tokens.`,
  "token-not-swappable": ({ token }) =>
    `${token} não é um token comum, então não pode ser trocado nem bloqueado. Escolha outro da lista.`,
  "token-list-invalid": ({ reason }) => `A lista de tokens não pode ser usada: ${reason}.`,
  "wallet-missing": () => "Não sei para onde enviar seus tokens. Informe antes o seu endereço: /wallet klv1…",
  "contract-changed": () =>
    "Este cartão é de um contrato que este bot não usa mais, então nada foi enviado. Peça um cartão novo.",
  "trading-paused": ({ reason }) => `As negociações estão pausadas, então nada foi enviado. O operador diz: ${reason}`,
  frozen: () => "Sua conta está congelada, então nada foi enviado. Envie /unfreeze para continuar.",
  "value-out-of-range": ({ name, value }) => `${value} está fora da faixa de ${name}. Nada foi enviado.`,
  "percentage-out-of-range": ({ minimum, maximum }) =>
    `A porcentagem de indicação deve ficar entre ${minimum} e ${maximum} (base 100000). Nada foi enviado; avise o operador.`,
  "slippage-out-of-range": ({ maximum }) => `O slippage deve ficar entre 0% e ${maximum / 100}%. Mude em /settings.`,
  "arguments-invalid": ({ reason }) => `A chamada não pôde ser montada (${reason}). Nada foi enviado.`,
  "answer-unreadable": () => "A resposta veio em um formato que não entendo, então não sei dizer o que ela significa.",
  "transaction-altered": ({ field }) =>
    `A transação que o nó montou difere do seu cartão (${field}), então não a ofereço para assinar. Nada foi enviado. Avise o operador.`,
  "network-fee-too-high": ({ fee, maximum }) =>
    `A taxa de rede seria de ${fee} KLV, acima do limite de ${maximum} KLV definido pelo operador. Nada foi enviado.`,
  "funds-missing": ({ token, needed }) =>
    needed === undefined
      ? `Sua carteira não tem ${token} suficiente para isto. Nada foi enviado.`
      : `Sua carteira não tem ${token} suficiente: o valor e a taxa de rede, juntos, somam ${needed} ${token}. Nada foi enviado.`,
  "limit-in-one-swap": ({ most, token }) =>
    `Seu próprio limite é ${most} ${token} por vez, então nada foi enviado. Peça menos ou veja /security.`,
  "limit-in-a-day": ({ most, left, token }) =>
    `Seu próprio limite é ${most} ${token} por dia, e restam ${left} ${token} hoje, então nada foi enviado. Veja /security.`,
  "limit-unreadable": () =>
    "Não consigo ler isto. Envie o token, o máximo por vez e o máximo por dia, como KLV 100 / 500; um traço significa sem limite.",
  "limits-full": ({ maximum }) => `Você pode ter no máximo ${maximum} limites. Retire um antes, como em KLV - / -.`,
  "balances-untold": () =>
    "O nó que uso não informa saldos, então não posso mostrá-los nem calcular porcentagens. Digite o valor.",
  "balance-empty": ({ token }) => `Você não tem ${token} para gastar. /balance mostra o que você tem.`,
  "balance-too-small": ({ held, needed, token }) =>
    `Saldo insuficiente: isto usa ${needed} ${token}, mas você tem ${held} ${token}. Nada foi enviado.`,
  "account-unknown": ({ address }) =>
    `A rede ainda não conhece a conta ${address}. Envie antes um pouco de KLV para lá, ou defina outro endereço com /wallet.`,
  "account-permissions": () =>
    "Sua conta precisa de outras assinaturas além da chave dela (vários signatários, talvez), que ainda não sei reunir. Use outra conta.",
  "wallet-busy": ({ paid }) =>
    `${paid === "" ? "Outra transação do seu endereço" : `Sua transação que paga ${paid}`} ainda está pendente. Tente de novo quando ela terminar.`,
  "wallet-changed": () =>
    "Seu endereço de recebimento mudou nesse meio-tempo, então nada foi enviado. Peça um cartão novo.",
  "nonce-used": () => "Sua conta enviou outra transação nesse meio-tempo, então não enviei esta. Peça um cartão novo.",
  "signing-declined": () => "Você recusou na página de assinatura. Nada foi enviado.",
  "price-moved": () => "O preço passou do seu mínimo antes do envio, então nada foi enviado. Peça um cartão novo.",
  "sent-too-late": () => "Não foi possível enviar a tempo, então nada foi enviado. Peça um cartão novo.",
  "transaction-replaced": () =>
    "Outra transação da sua conta tomou o lugar desta na rede, então ela nunca foi nem será executada.",
  "payment-order": ({ first, second }) =>
    `O par quer ${first} antes de ${second}, e a rede repassa os pagamentos em ordem alfabética. Ninguém sabe ainda se o par aceita isso, então não vou enviar. Lance-o na outra ordem: /launch ${second} ${first}`,
  "node-refused": ({ text }) => `O nó recusou: “${text}”. Nada foi enviado.`,
  "chain-mismatch": () =>
    "O nó está em uma rede diferente da configurada neste bot. Nada será negociado até o operador verificar.",
  "service-unreachable": ({ service }) =>
    `Não consigo acessar ${services[service]} agora. Tente de novo daqui a pouco.`,
  "service-timeout": ({ service }) =>
    `Não recebi resposta a tempo: ${services[service]} demorou demais. Tente de novo daqui a pouco.`,
  "service-status": ({ service, status }) =>
    `Recebi um erro: ${services[service]} respondeu com ${status}. Tente de novo daqui a pouco.`,
  "service-rate-limited": ({ service, retryAfterSeconds }) =>
    `Pedidos demais: ${services[service]} está recusando. Tente de novo em ${retryAfterSeconds} s.`,
  "too-often": ({ retryAfterSeconds }) => `Foi rápido demais. Tente de novo em ${retryAfterSeconds} s.`,
  "service-unauthorized": ({ service }) => `Este bot não tem acesso: ${services[service]} o recusou. Avise o operador.`,
  "quote-none": ({ from, to }) =>
    `O serviço de cotação não tem rota de ${from} para ${to}. Escolha outros tokens ou tente /multihop, que procura rotas mais longas.`,
  "quote-unreadable": () =>
    "O serviço de cotação respondeu em um formato que não entendo, então nada pode ser negociado. Tente mais tarde.",
  "quote-zero": ({ token }) => `A cotação deste valor é zero ${token}. Tente um valor maior.`,
  "contract-failed": ({ text }) => `O contrato recusou: “${text}”.`,
  "call-ended": ({ text, code }) => resultCodes[code] ?? resultCode(code, text),
  "view-missing": ({ text }) => `Não há esse contrato, ou ele não responde a isso: “${text}”.`,
  "order-id-invalid": ({ text }) =>
    `“${text}” não é um id de ordem. Ele se parece com 1989652f-be77-4179-924e-b71c03a4198a; copie-o inteiro da corretora.`,
  "order-not-found": ({ id }) =>
    `A corretora não tem a ordem ${id}. Confira o id; uma ordem nova pode demorar um pouco para aparecer.`,
  "order-refused": ({ reason }) =>
    `A corretora se recusou a mostrar esta ordem${reason === "" ? "" : ` (“${reason}”)`}.`,
  "watches-full": ({ maximum }) =>
    `Você já acompanha ${maximum} ordens, o máximo que consigo. Deixe de acompanhar uma em /orders antes.`,
  "store-locked": () => "Outra cópia deste bot já está em execução.",
  "store-unreadable": () =>
    "Não dá para ler seus dados salvos, então não mexo neles e nada seu é negociado. Avise o operador.",
  "store-lost": () => "Meu disco falhou e preciso reiniciar. Confira o /history antes de tentar de novo.",
  "store-newer": () =>
    "Seus dados foram salvos por uma versão mais nova deste bot, então não vou mexer neles. Avise o operador.",
  "store-read-failed": () =>
    "Não consigo ler seus dados salvos agora. Tente de novo; se continuar acontecendo, avise o operador.",
  "store-write-failed": () =>
    "Não consegui salvar isto, então não fiz nada. Tente de novo; se continuar acontecendo, avise o operador.",
  "database-unusable": ({ reason }) => `O banco de dados não pode ser usado: ${reason}.`,
  "store-slow": () => "Meu disco demorou demais para gravar isto, então nada foi enviado. Tente de novo em instantes.",
  "store-damaged": ({ file, reason }) =>
    `${file} está danificado (${reason}), e nada nele foi alterado. O operador pode restaurar um backup.`,
  "store-not-empty": ({ directory }) => `Já há um armazenamento em ${directory}. Indique uma pasta vazia em STORE_DIR.`,
  "token-not-lockable": ({ token }) => `${token} já é um token bloqueado. Bloqueie o próprio token.`,
  "unlock-time-invalid": ({ text }) =>
    `“${text}” não é um prazo de desbloqueio. Envie uma época (5500), uma data (2026-12-31) ou uma duração (12h, 30d, 4w).`,
  "unlock-time-past": ({ text }) => `“${text}” já passou. Até quando devem ficar bloqueados?`,
  "unlock-time-ambiguous": ({ digits, date }) =>
    `Você quer dizer a data ${date}? Então envie assim, com hífens. Se for mesmo a época número ${digits}, envie #${digits}.`,
  "lock-too-long": ({ epoch, years, maximum }) =>
    `Faltam cerca de ${years} anos para a época ${epoch}, e até lá ninguém poderia retirar os tokens; por isso bloqueio por no máximo ${maximum} anos. Envie uma época (5500), uma data (2026-12-31) ou uma duração (12h, 30d, 4w).`,
  "epoch-length-unknown": () =>
    "O nó não diz quanto dura uma época, então não consigo converter uma data em época. Envie a própria época, como 5500.",
  "locks-full": ({ maximum }) =>
    `Você tem ${maximum} bloqueios, o máximo que acompanho. Desbloqueie um já vencido em /locks antes.`,
  "locked-token-invalid": ({ text }) =>
    `“${text}” não é um token bloqueado. O id tem um número depois de uma barra, como LKTOK-1A2B/7; /locks lista os seus.`,
  "locked-token-foreign": ({ text, lockedToken }) =>
    `${text} não vem do contrato de bloqueio, cujos tokens bloqueados se chamam ${lockedToken} e têm um número, como ${lockedToken}/7. /locks lista os seus.`,
  "route-none": ({ from, to }) =>
    `Não achei rota de ${from} para ${to} com este valor. Tente outros tokens ou outro valor.`,
  "pair-unknown": ({ from, to }) =>
    `Nenhum pool negocia ${from} com ${to}. Escolha outros tokens, ou diga só o primeiro e o último, e eu procuro uma rota.`,
  "pair-inactive": ({ from, to }) =>
    `A negociação no pool de ${from} e ${to} está desligada agora. Escolha outra rota ou tente mais tarde.`,
  "pair-empty": ({ from, to }) => `O pool de ${from} e ${to} ainda não tem tokens. Escolha outra rota.`,
  "route-too-long": ({ maximum }) => `Uma rota pode ter no máximo ${maximum} saltos. Tire alguns tokens.`,
  "route-too-expensive": ({ token, needed, paid }) =>
    `Isso custaria ${needed} ${token}, mas você está pagando ${paid}. Pague mais ou peça menos.`,
  "pair-exists": ({ pair }) => `Este par já existe, em ${pair}, então não há o que lançar. Experimente /swap com ele.`,
  "lp-name-invalid": ({ text }) => `“${text}” não pode ser o nome do token LP. Envie de 3 a 20 letras e dígitos.`,
  "lp-ticker-invalid": ({ text }) =>
    `“${text}” não pode ser o ticker do token LP. Envie de 3 a 10 letras e dígitos, como LPKLVDVK.`,
  "liquidity-too-small": ({ minimum }) =>
    `Os dois valores devem passar de ${minimum} unidades mínimas: essa parte do token LP fica no par para sempre.`,
  "launches-full": ({ maximum }) =>
    `Você tem ${maximum} lançamentos, o máximo que acompanho. Descarte um em /launch antes.`,
  "launch-unknown": () => "Não tenho mais este lançamento. /launch lista os seus.",
  "launch-step-not-due": () =>
    "Este não é o próximo passo, ou algo o impede, então nada foi enviado. Veja a lista: /launch",
  "router-mismatch": () =>
    "O contrato de indicação usa um roteador diferente do configurado neste bot. Nada será negociado até o operador verificar.",
  "pools-unknown": () =>
    "O nó não diz quais pools existem, então não posso procurar uma rota. Use /swap ou avise o operador.",
  "pools-file-invalid": ({ reason }) => `O arquivo de pools tem erros: ${reason}`,
};
