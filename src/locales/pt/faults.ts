import { isIssuedId } from "../../encoding/amount.js";
import type * as en from "../en/faults.js";
import { orderFaults } from "./order-faults.js";
import { handName } from "./rights.js";

const tooLittle = "A conta que paga não tem saldo suficiente. Adicione saldo ou use um valor menor.";

export const refusals: typeof en.refusals = {
  "Slippage exceeded": (slippage) => `O preço mudou mais que o seu slippage de ${slippage}. Pedir nova cotação?`,
  "Not enough reserve": "O pool não tem liquidez suficiente. Tente um valor menor.",
  "Swap is not enabled": "A negociação neste pool está desativada. Tente outra rota.",
  "Cannot unlock yet": "Ainda não dá para desbloquear. Veja em /locks quando dá.",
  "Invalid payment token": "Este token não foi emitido pelo contrato de bloqueio. Veja os seus em /locks.",
  "Insufficient funds": tooLittle,
  "Insufficient balance": tooLittle,
  "invalid transaction fees": "A taxa de rede subiu. Tente de novo.",
  "Not a pair SC": "O roteador não lista mais este pool. Peça uma nova cotação.",
  "Not active": "O roteador está pausado. Tente mais tarde.",
  "Pair creation is disabled": "Agora só o dono do roteador pode criar pares. Pergunte a ele.",
  "Pair already exists": "Este par já existe. Se for seu, retome-o com /launch.",
  "Temporary owner differs": "Por enquanto só a conta que criou o par pode fazer isto.",
  "Permission denied": "Esta conta não pode fazer isto. Use a conta que criou o par.",
  "LP token not issued": "O token LP precisa ser emitido antes. Veja a lista.",
  "LP token already issued": "O token LP já foi emitido. Veja a lista.",
  "Initial liquidity was already added": "A primeira liquidez já foi adicionada. Veja a lista.",
  "Needs to be greater than minimum liquidity": "Valor baixo demais: cada um deve passar de 1.000 unidades básicas.",
  "Not enough value locked": "O valor bloqueado não basta. Bloqueie mais tokens LP.",
  "Token not locked for long enough": "O bloqueio é curto demais. Escolha uma época posterior.",
  "Caller is not the initial liq adder": "Só a conta que adicionou a primeira liquidez pode fazer isto.",
  "Pair not in ActiveNoSwaps state": "As trocas já estão liberadas, ou ainda não há liquidez. Veja a lista.",
};

export const resultCodes: typeof en.resultCodes = {
  1: tooLittle,
  5: "O contrato não existe. Fale com o operador.",
  31: "Todas as transferências de um destes tokens estão paradas. Espere o emissor retomá-las.",
  55: "O contrato não tem essa função, então não é o que este bot deveria usar. Fale com o operador.",
  58: "O gás acabou: a taxa de rede foi baixa demais para a execução. Tente de novo; a taxa é recalculada.",
  62: "A rede interrompeu a execução. Tente de novo; se acontecer de novo, fale com o operador.",
  65: "Um destes tokens só circula entre endereços aprovados pelo emissor.",
};

export const resultCode: typeof en.resultCode = (code, text) =>
  `A rede rejeitou com o código de resultado ${code}${text === "" ? "" : ` (“${text}”)`}.`;

export const services = {
  node: "o nó",
  quotation: "o serviço de cotação",
  exchange: "a corretora",
  telegram: "o Telegram",
};
export const serviceFirst: typeof en.serviceFirst = (service) =>
  services[service].replace(/^./, (letter) => letter.toUpperCase());

export const faults: typeof en.faults = {
  ...orderFaults,
  "address-invalid": ({ text }) =>
    `“${text}” não é um endereço válido; um caractere pode estar errado ou faltando. Copie o endereço klv1… inteiro da sua carteira.`,
  "address-wrong-chain": ({ prefix }) =>
    `Este endereço é de outra rede (começa com “${prefix}”). Envie um que comece com klv1.`,
  "address-zero": "Este é o endereço zero; o que vai para lá se perde. Envie o seu endereço klv1…",
  "address-is-contract":
    "Este é o endereço de um contrato; tokens enviados para lá podem se perder. Envie o endereço da sua carteira.",
  "address-not-contract": ({ text }) => `${text} não é o endereço de um contrato. Confira e envie de novo.`,
  "amount-empty": "Falta o valor. Envie um número como 100 ou 12,5, ou uma parte: 50%, metade, max.",
  "amount-not-a-number": ({ text }) =>
    `“${text}” não é um valor. Envie um número como 100 ou 12,5, ou uma parte: 50%, metade, max.`,
  "amount-negative": ({ text }) => `“${text}” é negativo. Envie um número acima de zero.`,
  "amount-exponent": ({ text }) => `“${text}” está em notação científica. Escreva, por exemplo, 1000000.`,
  "amount-hex": ({ text }) => `“${text}” é hexadecimal. Use um número decimal, como 100.`,
  "amount-comma": ({ text, meant: [first, second] }) =>
    first === undefined
      ? `Não consigo ler a vírgula em “${text}”. Use vírgula só nos decimais, e nada entre os milhares: 1234,5.`
      : second === undefined
        ? `Não entendi essa vírgula. Você quis dizer ${first}?`
        : `Essa vírgula ou esse ponto pode indicar duas coisas. Você quis dizer ${first} ou ${second}?`,
  "amount-unclear": ({ text, asked, share }) =>
    `“${text}” pode significar duas coisas: ${asked} ou ${share} do que você tem. Qual das duas?`,
  "share-too-large": ({ text }) => `“${text}” é mais do que tudo o que você tem. Envie até 100%, ou max.`,
  "trade-unclear": "Isso pode significar mais de uma coisa. Qual delas?",
  "payout-own": "Trocas e bloqueios são pagos só à sua própria conta, nunca a outro endereço.",
  "amount-zero": "O valor é zero. Envie um número acima de zero.",
  "amount-too-many-decimals": ({ token, precision }) =>
    precision === 0
      ? `${token} não tem casas decimais. Envie um número inteiro.`
      : `${token} tem no máximo ${precision} casas decimais. Use menos casas.`,
  "amount-too-large": ({ text }) =>
    `“${text}” é mais que a quantidade existente de qualquer token. Envie um valor menor.`,
  "asset-invalid": ({ text }) => `“${text}” não é um ID de token. Os IDs são como KLV, KFI ou DVK-34ZH.`,
  "token-unknown": ({ text, ids }) =>
    ids.length === 0
      ? isIssuedId(text)
        ? `${text.toUpperCase()} não está na lista deste bot, então não pode ser negociado aqui. Toque nele para ver o que o emissor pode fazer.`
        : `Não conheço o token “${text}”. Envie o ID exato, como KFI ou DVK-34ZH.`
      : `Não conheço o token “${text}”. Você quis dizer ${ids.join(" ou ")}?`,
  "token-ambiguous": ({ text, ids }) => `Vários tokens se chamam “${text}”: ${ids.join(", ")}. Envie o ID exato.`,
  "token-nonexistent": ({ token, ids }) =>
    `Não existe o token ${token} nesta rede. ${ids.length === 0 ? "Confira o ID, letra por letra." : `Você quis dizer ${ids.join(" ou ")}?`}`,
  "token-one-way": ({ token, pair }) =>
    `⛔ ${token} pode ser comprado, mas não vendido: só endereços aprovados pelo emissor podem recebê-lo, e o par ${pair} não é um deles. Nada foi enviado.`,
  "token-unlisted": ({ token }) =>
    `${token} não está mais na lista deste bot, então nada foi enviado. Se precisar dele, fale com o operador.`,
  "token-limited": ({ token, pair }) =>
    `⛔ ${token} só circula entre endereços aprovados pelo emissor, e o par ${pair} não pode entregá-lo. Nada foi enviado.`,
  "token-unsellable": ({ token, from, to }) =>
    `⛔ ${token} pode ser comprado, mas não vendido: não tem como passar (${handName(from)} → ${handName(to)}), pois o emissor não deixa um enviá-lo nem o outro recebê-lo. Nada foi enviado.`,
  "token-royalty": ({ token, fee }) =>
    `⛔ ${token} pode ser comprado, mas não vendido: o emissor cobra ${fee} KLV de cada venda, pelo menos o que tudo isso vale. Nada foi enviado.`,
  "token-stuck": ({ token, from, to }) =>
    `⛔ ${token} não sairia mais de lá: não tem como passar (${handName(from)} → ${handName(to)}), pois o emissor não deixa um enviá-lo nem o outro recebê-lo. Nada foi enviado.`,
  "assets-untold": "O nó deste bot não informa nada sobre tokens. Fale com o operador.",
  "tokens-identical": ({ token }) => `Não dá para trocar ${token} por ele mesmo. Escolha dois tokens diferentes.`,
  "token-precision-unknown": ({ token }) =>
    `Não sei quantas casas decimais ${token} tem, então não posso calcular valores com segurança. Fale com o operador, que pode incluí-lo na lista de tokens.`,
  "token-not-swappable": ({ token }) => `${token} não é fungível: não pode ser trocado nem bloqueado. Escolha outro.`,
  "token-list-invalid": ({ reason }) => `A lista de tokens não pode ser usada: ${reason}.`,
  "wallet-missing": "Defina antes o seu endereço de carteira: /wallet klv1…",
  "contract-changed": "Isto usava um contrato que o bot não usa mais. Nada foi enviado. Comece de novo.",
  "trading-paused": ({ reason }) => `As negociações estão pausadas. Nada foi enviado. O operador diz: ${reason}`,
  forgotten: "Nesse meio-tempo apaguei tudo sobre você, e isto não deu em nada. Envie de novo se ainda quiser.",
  frozen: "Sua conta está congelada. Nada foi enviado. Envie /unfreeze para continuar.",
  "value-out-of-range": ({ name, value }) => `${value} está fora da faixa de ${name}. Nada foi enviado.`,
  "percentage-out-of-range": ({ minimum, maximum }) =>
    `A porcentagem de indicação deve ficar entre ${minimum} e ${maximum} (1000 = 1%). Nada foi enviado; fale com o operador.`,
  "slippage-out-of-range": ({ maximum }) =>
    `O slippage deve ficar entre 0% e ${String(maximum / 100).replace(".", ",")}%. Mude em /settings.`,
  "arguments-invalid": ({ reason }) => `A transação não pôde ser montada (${reason}). Nada foi enviado.`,
  "answer-unreadable": "Não consegui ler a resposta de um serviço. Nada foi enviado. Tente mais tarde.",
  "transaction-altered": ({ field }) =>
    `A transação que o nó montou não é a que você confirmou (${field}), então a bloqueei. Nada foi enviado. Fale com o operador.`,
  "network-fee-too-high": ({ fee, maximum }) =>
    `A taxa de rede seria de ${fee} KLV, acima do limite deste bot, de ${maximum} KLV. Nada foi enviado.`,
  "funds-missing": ({ token, needed }) =>
    needed === undefined
      ? `Sua carteira não tem ${token} suficiente. Nada foi enviado.`
      : `Saldo de ${token} insuficiente: são necessários ${needed}, com a taxa de rede. Nada foi enviado.`,
  "limit-per-transaction": ({ most, token }) =>
    `Isto passa do seu limite de ${most} ${token} por transação. Nada foi enviado. Use um valor menor ou veja /security.`,
  "limit-per-day": ({ most, left, token }) =>
    `Isto passa do seu limite diário de ${most} ${token} (restam ${left} hoje). Nada foi enviado. Veja /security.`,
  "limit-day-below": ({ perTransaction, perDay, token }) =>
    `Isso seria ${perTransaction} ${token} por transação, mas só ${perDay} por dia. Primeiro vem o limite por transação, depois o por dia. Era o contrário?`,
  "limit-unreadable":
    "Não consigo ler isto. Envie um token, o limite por transação e o limite por dia, por exemplo KLV 100 / 500. Use - para sem limite.",
  "limits-full": ({ maximum }) => `Você tem ${maximum} limites, o máximo. Remova um antes, por exemplo: KLV - / -`,
  "balances-untold":
    "O nó deste bot não informa saldos, então não posso mostrá-los nem usar porcentagens. Digite um valor.",
  "balance-empty": ({ token }) => `Você não tem ${token} para gastar. Veja /balance.`,
  "balance-too-small": ({ held, needed, token }) =>
    `Saldo de ${token} insuficiente: são necessários ${needed}, e você tem ${held}. Nada foi enviado.`,
  "account-unknown": ({ address }) =>
    `A conta ${address} ainda não existe na rede. Envie antes um pouco de KLV para ela, ou defina outro endereço com /wallet.`,
  "account-permissions":
    "Sua conta tem várias assinaturas ou permissões próprias, que ainda não aceito. Use outra conta.",
  "wallet-busy": ({ paid }) =>
    `${paid === "" ? "Outra transação do seu endereço" : `Sua transação que paga ${paid}`} ainda está pendente. Tente de novo quando ela terminar.`,
  "wallet-changed": "Seu endereço de carteira mudou. Nada foi enviado. Comece de novo.",
  "nonce-used": "Sua conta enviou outra transação antes, então não enviei esta. Comece de novo.",
  "signing-declined": "Você recusou na página de assinatura. Nada foi enviado.",
  "price-moved": "O preço passou do seu mínimo antes do envio. Nada foi enviado. Peça uma nova cotação.",
  "sent-too-late": "Não deu para enviar a tempo. Nada foi enviado. Tente de novo.",
  "transaction-replaced":
    "Outra transação da sua conta tomou o lugar desta (mesmo nonce). Esta não foi nem será executada.",
  "payment-order": ({ first, second }) =>
    `Este par espera ${first} antes de ${second}, mas a rede ordena os pagamentos em ordem alfabética, e não se sabe se o par aceita isso. Não vou arriscar. Lance-o na outra ordem: /launch ${second} ${first}`,
  "royalties-unsigned": ({ token }) =>
    `Não dá para enviar ${token} por aqui: o emissor cobra royalties além do valor, e ainda não monto transações assim para carteiras.`,
  "node-refused": ({ text }) => `O nó rejeitou: “${text}”. Nada foi enviado.`,
  "chain-mismatch":
    "O nó deste bot está na rede errada. As negociações ficam bloqueadas até isso ser corrigido. Fale com o operador.",
  "service-unreachable": ({ service }) => `Não consigo acessar ${services[service]} agora. Tente de novo em instantes.`,
  "service-timeout": ({ service }) => `${serviceFirst(service)} não respondeu a tempo. Tente de novo em instantes.`,
  "service-status": ({ service, status }) =>
    `${serviceFirst(service)} devolveu um erro (${status}). Tente de novo em instantes.`,
  "service-rate-limited": ({ service, retryAfterSeconds }) =>
    `Pedidos demais: ${services[service]} pede uma pausa. Tente de novo em ${retryAfterSeconds} s.`,
  "too-often": ({ retryAfterSeconds }) => `Pedidos demais. Tente de novo em ${retryAfterSeconds} s.`,
  "service-unauthorized": ({ service }) =>
    `${serviceFirst(service)} rejeitou as credenciais deste bot. Fale com o operador.`,
  "quote-none": ({ from, to }) =>
    `O serviço de cotação não tem rota de ${from} para ${to}. Escolha outros tokens ou tente /multihop, que acha rotas mais longas.`,
  "quote-unreadable": "Não consegui ler a resposta do serviço de cotação, então não há cotação. Tente mais tarde.",
  "quote-zero": ({ token }) => `Valor baixo demais: você receberia 0 ${token}. Tente um valor maior.`,
  "contract-failed": ({ text }) => `O contrato rejeitou: “${text}”.`,
  "call-ended": ({ text, code }) => resultCodes[code] ?? resultCode(code, text),
  "view-missing": ({ text }) => `Esse contrato não existe, ou não responde a esta consulta: “${text}”.`,
  "order-id-invalid": ({ text }) =>
    `“${text}” não é um ID de ordem. Copie o ID inteiro da corretora; ele se parece com 1989652f-be77-4179-924e-b71c03a4198a.`,
  "order-not-found": ({ id }) =>
    `A ordem ${id} não foi encontrada na corretora. Confira o ID; ordens novas podem demorar um pouco para aparecer.`,
  "order-refused": ({ reason }) => `A corretora não mostra esta ordem${reason === "" ? "" : ` (“${reason}”)`}.`,
  "order-unreadable": ({ fields }) =>
    `A corretora escreve esta ordem de um jeito que não consigo ler (${fields}). Consulte-a por lá.`,
  "watches-full": ({ maximum }) =>
    `Você já acompanha ${maximum} ordens, o máximo. Deixe de acompanhar uma em /orders antes.`,
  "alert-without-token": "Qual token? Por exemplo: /alert KFI acima de 120 KLV",
  "alert-without-direction": ({ price }) => `Acima ou abaixo de ${price}? Por exemplo: /alert KFI acima de 120 KLV`,
  "alert-without-price": "A que preço? Por exemplo: /alert KFI acima de 120 KLV",
  "alert-price-zero": "Esse preço é zero, ou baixo demais para este valor. Por exemplo: /alert KFI acima de 120 KLV",
  "alert-unclear": "Envie um preço ou uma porcentagem, não os dois. Por exemplo: /alert KFI 5%",
  "alert-too-fine": ({ amount, larger, token }) =>
    `${amount} ${token} valem tão pouco que o arredondamento poderia disparar este alerta. Pergunte por ${larger} ${token}.`,
  "alert-percent": ({ text }) =>
    `${text} está fora dos limites: envie de 0,5% a 999%, com até duas casas decimais. Por exemplo: /alert KFI 5%`,
  "alert-too-long": ({ text }) =>
    `${text} não está dentro de um ano, e alertas duram um ano no máximo. Por exemplo: /alert KFI acima de 120 KLV 30d`,
  "alerts-full": ({ maximum }) => `Você tem ${maximum} alertas de preço, o máximo. Apague um em /alerts antes.`,
  "watch-only-name": ({ maximum }) =>
    `Um nome tem até ${maximum} letras, números, espaços ou hifens, e não é o de um token. Envie outro.`,
  "watch-only-named": ({ text }) => `Outro endereço já se chama “${text}”. Escolha outro nome.`,
  "link-name": ({ maximum }) => `Um nome tem no máximo ${maximum} letras, dígitos, espaços, hifens ou apóstrofos.`,
  "link-named": ({ text }) => `Já há um link em uso chamado “${text}”. Escolha outro nome, ou apague-o antes.`,
  "link-full": ({ maximum }) => `Você tem ${maximum} links, o máximo. Apague um em /signals antes.`,
  "watch-only-own": "Este é o seu próprio endereço: /balance já o mostra.",
  "watch-only-full": ({ maximum }) => `Você acompanha ${maximum} endereços, o máximo. Remova um em /addresses antes.`,
  "blocks-closed": "O nó deste bot não mostra seus blocos, e não posso avisar do que acontece na rede.",
  "trade-watches-full": ({ maximum }) =>
    `Você acompanha ${maximum} pares, o máximo. Desligue um em /bigtrades primeiro.`,
  "store-locked": "Outra instância deste bot já está em execução.",
  "store-unreadable":
    "Não dá para ler seus dados salvos, então não mexo neles e você não pode negociar. Fale com o operador.",
  "store-lost": "Meu disco falhou e preciso reiniciar. Veja /history antes de tentar de novo.",
  "store-newer":
    "Seus dados foram salvos por uma versão mais nova deste bot, então não mexo neles. Fale com o operador.",
  "store-read-failed":
    "Não consigo ler seus dados salvos agora. Tente de novo; se continuar acontecendo, fale com o operador.",
  "store-write-failed":
    "Não consegui salvar isto, então nada foi feito. Tente de novo; se continuar acontecendo, fale com o operador.",
  "database-unusable": ({ reason }) => `O banco de dados não pode ser usado: ${reason}.`,
  "store-slow": "Meu disco demorou demais para gravar isto. Nada foi enviado. Tente de novo em instantes.",
  "text-nul": "Há nele um caractere invisível (NUL) que não consigo guardar. Escreva de novo, sem ele.",
  "store-unmigrated": ({ document, reason }) =>
    `${document} não pode ser atualizado para esta versão (${reason}); nada nele foi alterado.`,
  "store-damaged": ({ file, reason }) =>
    `${file} está danificado (${reason}); nada nele foi alterado. O operador pode restaurar um backup.`,
  "file-exists": ({ file }) =>
    `${file} já existe, e nada foi gravado. Indique outro arquivo, ou acrescente --replace para substituí-lo.`,
  "store-not-empty": ({ directory }) => `Já há um armazenamento em ${directory}. Indique uma pasta vazia em STORE_DIR.`,
  "token-not-lockable": ({ token }) => `${token} já é um token bloqueado. Escolha o token original.`,
  "unlock-time-invalid": ({ text }) =>
    `“${text}” não é um prazo de desbloqueio. Envie uma época (5500), uma data (2026-12-31) ou uma duração (12h, 30d, 4w).`,
  "unlock-time-past": ({ text }) => `“${text}” já passou. Bloquear até quando?`,
  "unlock-time-ambiguous": ({ digits, date }) =>
    `Você quis dizer a data ${date}? Envie-a com hífens. Para a época ${digits}, envie #${digits}.`,
  "unlock-epoch-past": ({ epoch }) =>
    `A época ${epoch} já começou. Você quis dizer ${epoch}d, ou seja, ${epoch} ${epoch === "1" ? "dia" : "dias"}? #${epoch} significa a época.`,
  "unlock-time-months": ({ text, days }) => `“${text}”: conto em horas, dias, semanas e anos. Você quis dizer ${days}?`,
  "lock-too-long": ({ epoch, years, maximum }) =>
    `Faltam cerca de ${years} anos para a época ${epoch}, e ninguém pode desbloquear antes. O bloqueio mais longo é de ${maximum} anos. Envie uma época (5500), uma data (2026-12-31) ou uma duração (12h, 30d, 4w).`,
  "epoch-length-unknown":
    "O nó não informa quanto dura uma época, então não posso usar datas. Envie o número de uma época, como 5500.",
  "locks-full": ({ maximum }) =>
    `Você tem ${maximum} bloqueios, o máximo. Desbloqueie antes, em /locks, um que já esteja pronto.`,
  "locked-token-invalid": ({ text }) =>
    `“${text}” não é um token bloqueado. Eles são como LKTOK-1A2B/7; veja os seus em /locks.`,
  "locked-token-foreign": ({ text, lockedToken }) =>
    `${text} não é deste contrato de bloqueio. Os tokens dele são como ${lockedToken}/7; veja os seus em /locks.`,
  "route-none": ({ from, to }) =>
    `Não há rota de ${from} para ${to} com este valor. Tente outros tokens ou outro valor.`,
  "pair-unknown": ({ from, to }) =>
    `Não existe um pool ${from}/${to}. Escolha outros tokens, ou envie só o primeiro e o último, e eu procuro uma rota.`,
  "pool-none": ({ from, to }) => `Não há pool ${from}/${to} aberto, portanto não há trocas de que avisar.`,
  "pair-inactive": ({ from, to }) =>
    `A negociação no pool ${from}/${to} está desativada agora. Escolha outra rota ou tente mais tarde.`,
  "pair-empty": ({ from, to }) => `O pool ${from}/${to} ainda não tem liquidez. Escolha outra rota.`,
  "route-too-long": ({ maximum }) => `Uma rota pode ter no máximo ${maximum} saltos. Use menos tokens.`,
  "route-too-expensive": ({ token, needed, paid }) =>
    `Isso custaria ${needed} ${token}, mas você ofereceu ${paid}. Ofereça mais ou peça menos.`,
  "pair-exists": ({ pair }) => `Este par já existe: ${pair}. Negocie-o com /swap.`,
  "lp-name-invalid": ({ text }) => `“${text}” não serve de nome para o token LP. Use de 3 a 20 letras e dígitos.`,
  "lp-ticker-invalid": ({ text }) => `“${text}” não serve de ticker. Use de 3 a 10 letras e dígitos, como LPKLVDVK.`,
  "liquidity-too-small": ({ minimum }) =>
    `Cada valor deve passar de ${minimum} unidades básicas; o par fica com as primeiras ${minimum} unidades LP para sempre.`,
  "launches-full": ({ maximum }) => `Você tem ${maximum} lançamentos, o máximo. Remova um em /launch antes.`,
  "launch-unknown": "Este lançamento não existe mais. Veja /launch.",
  "launch-step-not-due": "Este passo ainda não pode ser feito. Nada foi enviado. Veja a lista: /launch",
  "lock-mismatch":
    "O endereço do contrato de bloqueio está errado na configuração deste bot. Bloqueios estão impedidos até isso ser corrigido. Fale com o operador.",
  "router-mismatch":
    "Os contratos deste bot não correspondem à configuração. As negociações ficam bloqueadas até isso ser corrigido. Fale com o operador.",
  "pools-unknown":
    "O nó deste bot não lista os pools, então não posso achar uma rota. Use /swap ou fale com o operador.",
  "pools-file-invalid": ({ reason }) => `O arquivo de pools tem erros: ${reason}`,
};
