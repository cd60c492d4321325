/** Where the page is: `#/WORLD/VIEW/ID?filter=…`. Every object has such an address, and the browser's back button works. */
import { computed, signal } from "@preact/signals";

export const views = [
  "start",
  "market",
  "orders",
  "exchanges",
  "accounts",
  "time",
  "journal",
  "worlds",
  "place",
] as const;
export type View = (typeof views)[number];

export const viewTitles: Readonly<Record<View, string>> = {
  start: "First minute",
  market: "Market",
  orders: "Orders",
  exchanges: "Exchanges",
  accounts: "Accounts",
  time: "Time and faults",
  journal: "Journal",
  worlds: "Worlds",
  place: "Place an order",
};

export interface Place {
  readonly world: string;
  readonly view: View;
  /** Of the object, or empty. */
  readonly id: string;
  readonly query: Readonly<Record<string, string>>;
}

const read = (hash: string): Place => {
  const [path = "", search = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [world = "", view = "", ...id] = path.split("/").map(decoded);
  return {
    world: world === "" ? "main" : world,
    view: views.find((one) => one === view) ?? "start",
    id: id.join("/"),
    query: Object.fromEntries(new URLSearchParams(search)),
  };
};

/** An address that somebody typed may hold anything. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const place = signal<Place>(read(location.hash));
export const world = computed(() => place.value.world);
export const view = computed(() => place.value.view);

export function startRouter(): void {
  const arrive = (): void => {
    const { view: before } = place.value;
    place.value = read(location.hash);
    // Another view begins at its top.
    if (place.value.view !== before) scrollTo(0, 0);
  };
  addEventListener("hashchange", arrive);
  arrive();
}

/** The address of a place; what is not named stays as it is. */
export function to(next: Partial<Place>): string {
  const { world: inWorld, view: inView, id, query } = { ...place.value, id: "", query: {}, ...next };
  const parts = [inWorld, inView, ...(id === "" ? [] : [id])].map(encodeURIComponent);
  const search = String(new URLSearchParams(Object.entries(query).filter(([, value]) => value !== "")));
  return `#/${parts.join("/")}${search === "" ? "" : `?${search}`}`;
}

export function go(next: Partial<Place>): void {
  location.hash = to(next);
}

/** Changes a filter without a step for the back button. */
export function refine(query: Readonly<Record<string, string>>): void {
  const { id } = place.value;
  history.replaceState(null, "", to({ id, query: { ...place.value.query, ...query } }));
  place.value = read(location.hash);
}
