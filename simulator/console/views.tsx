/** The views, in the order of the menu. */
import type { ComponentType } from "preact";
import { AccountsView } from "./views/accounts.tsx";
import { ExchangesView } from "./views/exchanges.tsx";
import { FaultsView } from "./views/faults.tsx";
import { JournalView } from "./views/journal.tsx";
import { Market } from "./views/market.tsx";
import { OrdersView } from "./views/orders.tsx";
import { PlaceView } from "./views/place.tsx";
import { StartView } from "./views/start.tsx";
import { WorldsView } from "./views/worlds.tsx";

export interface View {
  readonly name: string;
  readonly title: string;
  readonly sign: string;
  readonly component: ComponentType<{ readonly parts: readonly string[] }>;
}

const start: View = { name: "", title: "Start", sign: "⌂", component: StartView };

export const views: readonly View[] = [
  start,
  { name: "market", title: "Market", sign: "▤", component: Market },
  { name: "orders", title: "Orders", sign: "≡", component: OrdersView },
  { name: "exchanges", title: "Exchanges", sign: "⇄", component: ExchangesView },
  { name: "accounts", title: "Accounts", sign: "◍", component: AccountsView },
  { name: "faults", title: "Time and faults", sign: "◷", component: FaultsView },
  { name: "journal", title: "Journal", sign: "▦", component: JournalView },
  { name: "worlds", title: "Worlds", sign: "◎", component: WorldsView },
  { name: "place", title: "Place an order", sign: "✎", component: PlaceView },
];

export const viewOf = (name: string): View => views.find((view) => view.name === name) ?? start;
