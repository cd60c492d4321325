/** What the palette offers. */
import { report } from "../parts/notices.tsx";
import { ask } from "./api.ts";
import { standing } from "./feed.ts";
import { go, views, viewTitles } from "./router.ts";
import { setTheme, themes } from "./theme.ts";

export interface Command {
  readonly name: string;
  readonly hint: string;
  readonly run: () => void;
}

/** Names of the world, so that they can be found from anywhere. */
export interface Names {
  readonly products: readonly string[];
  readonly clients: readonly string[];
}

const mostShown = 12;

export function commandsFor(typed: string, names: Names): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const named = allCommands(names).filter(({ name }) =>
    words.every((word) => name.toLowerCase().includes(word)),
  );
  return [...ofId(typed.trim()), ...named].slice(0, mostShown);
}

function allCommands({ products, clients }: Names): Command[] {
  const clock = (name: string, body: object, done: string): Command => ({
    name,
    hint: "clock",
    run: () => void ask("POST", "/clock", body).then((answer) => report(answer, done)),
  });
  return [
    ...views.map((view) => ({ name: viewTitles[view], hint: "view", run: () => go({ view }) })),
    clock("Freeze the market clock", { mode: "manual" }, "The market clock stands still."),
    clock("Run the market clock", { mode: "real" }, "The market clock runs."),
    clock("Advance the market clock by a minute", { advanceMs: 60_000 }, "A minute has gone by."),
    clock("Advance the market clock by an hour", { advanceMs: 3_600_000 }, "An hour has gone by."),
    ...products.map((id) => ({
      name: `Market ${id}`,
      hint: "product",
      run: () => go({ view: "market", id }),
    })),
    ...clients.map((id) => ({
      name: `Account ${id}`,
      hint: "client",
      run: () => go({ view: "accounts", id }),
    })),
    ...(standing.value?.worlds ?? []).map((world) => ({
      name: `Switch to world ${world}`,
      hint: "world",
      run: () => go({ world, view: "market" }),
    })),
    { name: "Ask the signature doctor", hint: "tool", run: () => go({ view: "exchanges", id: "doctor" }) },
    ...themes.map((theme) => ({ name: `Theme: ${theme}`, hint: "look", run: () => setTheme(theme) })),
  ];
}

/** An id that somebody pastes. */
function ofId(text: string): Command[] {
  if (/^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(text))
    return [
      {
        name: `Order ${text}`,
        hint: "order id or client_order_id",
        run: () => go({ view: "orders", id: text }),
      },
    ];
  if (/^#?\d+$/.test(text)) {
    const id = text.replace("#", "");
    return [{ name: `Journal entry ${id}`, hint: "entry", run: () => go({ view: "journal", id }) }];
  }
  if (text.startsWith("req-"))
    return [
      { name: `Exchange ${text}`, hint: "x-request-id", run: () => go({ view: "exchanges", id: text }) },
    ];
  return [];
}
