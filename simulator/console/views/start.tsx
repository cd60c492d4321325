/** The first minute: what an empty sandbox is for, with the reader's own keys in commands that are ready to run. */
import { useControl } from "../lib/resource.ts";
import { to, world } from "../lib/router.ts";
import { tradingPrefix } from "../lib/session.ts";
import type { Exchanges, Key, Keys } from "../lib/shapes.ts";
import { quoted, signedCurl } from "../lib/shell.ts";
import { Facts, Panel } from "../parts/panel.tsx";
import { Empty, Show } from "../parts/states.tsx";
import { Code } from "../parts/text.tsx";

export const Start = () => {
  const keys = useControl<Keys>("/keys", "nothing");
  const exchanges = useControl<Exchanges>("/exchanges?limit=1", "exchanges");
  const isNew = exchanges.value.data?.exchanges.length === 0;
  return (
    <>
      <h1>First minute</h1>
      <p>
        {isNew
          ? "This is a whole exchange on your machine, and nobody has sent it anything yet. Three ways to begin:"
          : "This is a whole exchange on your machine. Requests have come in: see them under Exchanges."}
      </p>
      <Show of={keys.value}>
        {(all) => {
          const key = all.find(({ name }) => name === "trader") ?? all[0];
          return key === undefined ? (
            <Empty>This world has no keys. Make one under Accounts.</Empty>
          ) : (
            <Steps ofKey={key} />
          );
        }}
      </Show>
    </>
  );
};

const order = (id: string): string =>
  JSON.stringify({
    product: "BTC-USD",
    side: "BUY",
    type: "LIMIT",
    base_quantity: "0.01",
    price: "50000",
    client_order_id: id,
  });

const Steps = ({ ofKey: { name, keyId, secret } }: { readonly ofKey: Key }) => {
  const base = location.origin + tradingPrefix;
  const command = signedCurl(
    location.origin,
    `${tradingPrefix}/order`,
    keyId,
    secret,
    order(crypto.randomUUID?.() ?? ""),
  );
  return (
    <div class="grid">
      <Panel title="1 · Place an order here">
        <p>
          The form shows the text that is signed, its hash and its signature while you type. It is the
          quickest way to learn how to sign.
        </p>
        <a class="button main" href={to({ view: "place" })}>
          Place an order
        </a>
      </Panel>
      <Panel title="2 · Point your client at it">
        <Facts
          rows={[
            ["Base URL", <span class="mono">{base}</span>],
            ["WebSocket", <span class="mono">{base.replace(/^http/, "ws")}/ws</span>],
            ["Key id", <span class="mono">{keyId}</span>],
            ["Secret", <span class="mono">{secret}</span>],
          ]}
        />
        <Code
          label="environment"
          text={`export GATEWRIGHT_BASE_URL=${quoted(base)}\nexport GATEWRIGHT_KEY_ID=${quoted(keyId)}\nexport GATEWRIGHT_SECRET=${quoted(secret)}`}
        />
      </Panel>
      <Panel title="3 · From a shell" class="wide">
        <p>With openssl and curl alone, signed by the key {name}:</p>
        <Code label="signed order" text={command} />
        {world.value === "main" && (
          <>
            <p>Or watch what arrives, with the check that refused it:</p>
            <Code label="tail command" text="gatewright tail --why" />
          </>
        )}
      </Panel>
      <Panel title="Then" class="wide">
        <ul>
          <li>
            A request was refused? <a href={to({ view: "exchanges" })}>Exchanges</a> shows each check, and the
            bytes of your signed text that differ.
          </li>
          <li>
            An order does not fill? <a href={to({ view: "orders" })}>Orders</a> tells its story and what it
            waits for.
          </li>
          <li>
            How does your client take a lost answer? <a href={to({ view: "time" })}>Time and faults</a> makes
            the next order meet one.
          </li>
          <li>
            <kbd>Ctrl K</kbd> finds every view, product, client and id.
          </li>
        </ul>
      </Panel>
    </div>
  );
};
