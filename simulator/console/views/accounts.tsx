/** Clients with their money, and one client with all that can be done to it. */
import { useControl } from "../lib/resource.ts";
import { place, to } from "../lib/router.ts";
import type { Clients } from "../lib/shapes.ts";
import { visible } from "../lib/visible.ts";
import { Empty, Show } from "../parts/states.tsx";
import { OneClient } from "./accounts/one-client.tsx";

export const Accounts = () => {
  const clients = useControl<Clients>("/clients", "entries");
  return (
    <>
      <h1>Accounts</h1>
      <Show of={clients.value}>
        {({ clients: all }) => {
          const chosen = place.value.id === "" ? all[0]?.name : place.value.id;
          return (
            <>
              <nav class="tabs" aria-label="Clients">
                {all.map(({ name, openOrders, tradingEnabled }) => (
                  <a
                    key={name}
                    href={to({ view: "accounts", id: name })}
                    aria-current={name === chosen ? "page" : undefined}
                  >
                    <b>{visible(name)}</b> {openOrders} open
                    {!tradingEnabled && <span class="tag bad">may not trade</span>}
                  </a>
                ))}
              </nav>
              {chosen === undefined ? (
                <Empty>This world has no clients. Name some in its world file (docs/world.md).</Empty>
              ) : (
                <OneClient key={chosen} name={chosen} />
              )}
            </>
          );
        }}
      </Show>
    </>
  );
};
