import type { ServiceName } from "../../fault.js";
import type { Incident } from "../../model/operator-event.js";
import type { AuditAction } from "../../services/operator/audit.js";
import type { Messages } from "../en/index.js";

const services: Record<ServiceName, string> = {
  node: "Nó",
  quotation: "Cotação",
  exchange: "Corretora",
  telegram: "Telegram",
};
const actions: Record<AuditAction, string> = {
  pause: "Pausou as operações",
  resume: "Retomou as operações",
  approve: "Deixou uma pessoa entrar",
  decline: "Recusou uma pessoa",
  withdraw: "Tirou o acesso de uma pessoa",
  broadcast: "Enviou a todos",
};

const incidents: Record<Incident, string> = {
  "router-mismatch":
    "⚠️ O contrato de indicação troca por outro roteador, e não o de ROUTER_CONTRACT. Ninguém pode trocar.",
  "chain-mismatch": "⚠️ O nó é de outra rede, e não a de CHAIN_ID. Ninguém pode operar.",
  "second-poller": "⚠️ Outra cópia deste bot recebe as mensagens dele. Pare uma das duas.",
  "late-alerts": "⚠️ Um alerta espera há mais de um minuto para sair.",
  "full-disk": "⚠️ O disco com os dados está quase cheio.",
  "node-outage": "⚠️ O nó está falhando: ninguém pode operar.",
  "quotation-outage": "⚠️ O serviço de cotação está falhando: ninguém pode trocar.",
  "exchange-outage": "⚠️ A corretora está falhando: as ordens acompanhadas não são vistas.",
  "telegram-outage": "⚠️ O Telegram falhou: ninguém conseguia falar comigo.",
};

export const admin: Messages["admin"] = {
  title: "Operador",
  open: "✅ As operações estão abertas",
  pausedSince: (time) => `⏸ Operações pausadas desde ${time}`,
  updatesWaiting: (count) => `Mensagens em tratamento: ${count}`,
  alertsWaiting: (people) => `Pessoas com alertas na fila: ${people}`,
  oldest: (duration) => `↳ o mais antigo há ${duration}`,
  servicesTitle: "Serviços",
  service: (service) => services[service],
  failing: (duration) => `falhando há ${duration}`,
  notAsked: "ainda não consultado",
  callsTitle: "Chamadas",
  today: "Hoje",
  total: "No total",
  calls: (ok, failed, unknown) => `✅ ${ok} ❌ ${failed} ⚠️ ${unknown}`,
  underWay: (count) => `Em andamento: ${count}`,
  peopleTitle: "Pessoas que pediram um cartão",
  unknownButton: (count) => `⚠️ Incertas: ${count}`,
  feesButton: "💰 Taxas",
  auditButton: "📜 O que foi feito",
  pauseButton: "⏸ Pausar operações",
  resumeButton: "▶️ Retomar operações",
  feesTitle: "Taxas recebidas (dias em UTC)",
  feesNone: "nenhuma ainda",
  unknownTitle: "Chamadas com resultado desconhecido",
  unknownNone: "Não há nenhuma.",
  unknownAdvice:
    "Nunca envio uma destas de novo. Veja no endereço se ela foi executada e avise a pessoa: o cartão dela diz o mesmo.",
  unknownPush: "⚠️ O resultado de uma chamada é desconhecido",
  unknownPushExplain: (owner) => `É uma chamada da pessoa ${owner}. Não vou enviá-la de novo.`,
  incident: (incident) => incidents[incident],
  since: (time) => `Desde ${time}.`,
  returned: (service, since) => `✅ ${services[service]} voltou a responder. Estava falhando desde ${since}.`,
  look: "🔎 Ver",
  ofPerson: (id, time) => `Pessoa ${id} · ${time}`,
  auditTitle: "O que os operadores fizeram",
  auditNone: "Nada ainda.",
  action: (action) => actions[action],
  newcomer: "🙋 Alguém pede acesso",
  letIn: "✅ Deixar entrar",
  decline: "✖️ Recusar",
  shutOut: "🚪 Tirar o acesso",
  isIn: "Esta pessoa pode usar o bot",
  isOut: "Esta pessoa não pode usar o bot",
  answeredBefore: "Isto já foi respondido.",
  howToPause: "Envie /admin pause e um motivo, que as pessoas vão ler. Por exemplo:",
  pauseExample: "/admin pause O nó está sendo atualizado, volta às 14:00 UTC",
  pauseQuestion: "Pausar as operações de todos?",
  pauseExplain: "Nada poderá ser confirmado até você retomar. As pessoas vão ler:",
  pauseNowButton: "⏸ Pausar agora",
  paused: "As operações estão pausadas. Nenhuma chamada sai a partir de agora.",
  resumeQuestion: "Deixar as pessoas operarem de novo?",
  resumed: "As operações estão abertas de novo.",
  reasonTooLong: (maximum) => `O motivo pode ter até ${maximum} caracteres.`,
};
