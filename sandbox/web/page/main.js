/** Assembles the page: the chat on one side, the inspector on the other, one event stream for both. */
import { request } from "./base/api.js";
import { byId, element } from "./base/dom.js";
import { openFeed } from "./base/feed.js";
import { createChat } from "./chat/chat.js";
import { createChatModel } from "./chat/model.js";
import { createPeopleList } from "./chat/people.js";
import { createBalances } from "./inspector/balances.js";
import { createChain } from "./inspector/chain.js";
import { createDecoder } from "./inspector/decode.js";
import { createFaults } from "./inspector/faults.js";
import { createOrders } from "./inspector/orders.js";
import { createPools } from "./inspector/pools.js";
import { createTabs } from "./inspector/tabs.js";
import { createTransactions } from "./inspector/transactions.js";
import { createWire, isCall } from "./inspector/wire.js";
import { createPanes } from "./panes.js";
import { createStory } from "./story.js";
import { createTour } from "./tour.js";

const panes = createPanes();
const tabs = createTabs();
const model = createChatModel();
createPeopleList({ model, onChoose: () => panes.show("chat") });
const chat = createChat(model);
const tour = createTour(model);
const story = new URLSearchParams(location.search).has("story") ? createStory({ model, panes, tour }) : undefined;

const decode = createDecoder();
const wire = createWire(decode);
const orders = createOrders();
const faults = createFaults();
const views = [createBalances(), createPools(), createChain(), createTransactions()];
/** @param {import("./inspector/world.js").World} world */
const drawWorld = (world) => {
  views.forEach((view) => view.draw(world));
  faults.drawServices(world.node !== undefined);
  chat.drawAccounts(world);
  decode.know(world);
  tour.drawWorld(world);
  story?.drawWorld(world);
  byId("restart").replaceChildren(
    ...(world.isKept
      ? ["A restart keeps it, unless you ask for a new one (", element("code", "--fresh"), ")."]
      : ["A restart begins a new one."]),
  );
};

tabs.show("wire");

openFeed({
  url: "/_sim/events",
  readAll: async () => {
    const [functions, server, calls, world, faulty, allOrders] = await Promise.all([
      request("/_sim/functions"),
      request("/_sim/telegram/lacking"),
      request("/_sim/wire"),
      request("/_sim/world"),
      request("/_sim/faults"),
      request("/_sim/orders"),
      model.readAll(),
    ]);
    decode.name(functions);
    drawWorld(world);
    wire.replace(calls);
    faults.draw(faulty);
    faults.drawServer(server);
    orders.replace(allOrders);
  },
  apply: (event) => {
    if (event.type === "wire") {
      wire.add(event.entry);
      if (isCall(event.entry)) tour.onCall();
    } else if (event.type === "world") drawWorld(event.snapshot);
    else if (event.type === "order") orders.put(event.order);
    else if (event.type === "faults") faults.draw(event.current);
    else model.apply(event);
  },
  onState: (state) => {
    document.body.dataset["feed"] = state;
    byId("feed-state").textContent = state === "live" ? "live" : "connection lost, trying again…";
    if (state === "live") story?.begin();
    byId("connection").textContent = state === "live" ? "" : "Connection lost, trying again… What you type is kept.";
  },
});
