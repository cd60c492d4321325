/** A form that shows how a request is signed while one types, and sends it. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { say } from "../act.ts";
import { type Answer, tradingPath } from "../api.ts";
import { useLive } from "../live.ts";
import { Badge, Code, Panel, Shown } from "../parts/parts.tsx";
import { to } from "../router.ts";
import { type Signed, sign } from "../sign.ts";
import { pretty, visible } from "../text.ts";

type Keys = Answer<"key", "list">;
type Products = Answer<"product", "list">;

interface Sent {
  readonly status: number;
  readonly requestId: string;
  readonly text: string;
  readonly order: string | undefined;
}

export function PlaceView({ parts: [product] }: { readonly parts: readonly string[] }) {
  const keys = useLive<Keys>("/keys");
  const products = useLive<Products>("/products", ["epoch"]);
  return (
    <Shown live={keys}>
      {(known) => (
        <Shown live={products}>
          {(data) => <Ticket keys={known} products={data.products} named={product} />}
        </Shown>
      )}
    </Shown>
  );
}

const amounts = {
  LIMIT: ["base_quantity", "price"],
  "MARKET BUY": ["quote_value"],
  "MARKET SELL": ["base_quantity"],
  STOP_LIMIT: ["base_quantity", "price", "stop_price"],
} as const;

function Ticket({
  keys,
  products,
  named,
}: {
  readonly keys: Keys;
  readonly products: Products["products"];
  readonly named: string | undefined;
}) {
  const first = products.find((one) => one.product === named) ?? products[0];
  const form = useSignal<Readonly<Record<string, string>>>({
    key: keys[0]?.name ?? "",
    product: first?.product ?? "BTC-USD",
    side: "BUY",
    type: "LIMIT",
    base_quantity: "0.01",
    price: first?.bestBid ?? first?.lastPrice ?? "1",
    quote_value: "1000",
    stop_price: first?.bestAsk ?? first?.lastPrice ?? "1",
    client_order_id: crypto.randomUUID(),
  });
  const stamp = useSignal({ timestamp: String(Date.now()), nonce: crypto.randomUUID() as string });
  const renew = (): void => {
    stamp.value = { timestamp: String(Date.now()), nonce: crypto.randomUUID() };
  };
  const signed = useSignal<Signed | null>(null);
  const sent = useSignal<Sent | null>(null);
  const busy = useSignal(false);

  const { side = "", type = "", ...values } = form.value;
  const key = keys.find(({ name }) => name === values["key"]);
  const used =
    type === "MARKET"
      ? amounts[side === "BUY" ? "MARKET BUY" : "MARKET SELL"]
      : amounts[type as "LIMIT" | "STOP_LIMIT"];
  const body = JSON.stringify({
    side,
    type,
    ...Object.fromEntries(used.map((name) => [name, values[name] ?? ""])),
    client_order_id: values["client_order_id"],
    product: values["product"],
  });
  const path = `${tradingPath}/order`;
  const { timestamp, nonce } = stamp.value;
  const request = {
    method: "POST",
    path,
    body,
    keyId: key?.keyId ?? "",
    secret: key?.secret ?? "",
    timestamp,
    nonce,
  };

  useEffect(() => {
    let isOld = false;
    void sign(request).then((made) => {
      if (!isOld) signed.value = made;
    });
    return () => {
      isOld = true;
    };
  }, [body, timestamp, nonce, key?.keyId, key?.secret]);

  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    busy.value = true;
    // What is sent is signed at the moment of sending: a time that is half a minute old is refused.
    renew();
    try {
      const { headers } = await sign({ ...request, ...stamp.value });
      const reply = await fetch(path, { method: "POST", headers, body });
      const text = await reply.text();
      const [, order] = /"order":\{"id":"([0-9a-f-]{36})"/.exec(text) ?? [];
      sent.value = { status: reply.status, requestId: reply.headers.get("x-request-id") ?? "", text, order };
    } catch (error) {
      say("refused", `The sandbox did not answer: ${(error as Error).message}`);
    }
    busy.value = false;
  };

  const set = (name: string) => (event: { readonly currentTarget: { readonly value: string } }) => {
    form.value = { ...form.value, [name]: event.currentTarget.value };
  };
  const pick = (name: string, label: string, choices: readonly string[]) => (
    <label>
      <span>{label}</span>
      <select value={form.value[name]} onChange={set(name)}>
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    </label>
  );
  return (
    <div class="grid two">
      <Panel title="Order">
        <form class="ticket" onSubmit={send}>
          {pick(
            "key",
            "Sign with",
            keys.map(({ name }) => name),
          )}
          {pick(
            "product",
            "Product",
            products.map((one) => one.product),
          )}
          {pick("side", "Side", ["BUY", "SELL"])}
          {pick("type", "Type", ["LIMIT", "MARKET", "STOP_LIMIT"])}
          {[...used, "client_order_id"].map((name) => (
            <label key={name} class={name === "client_order_id" ? "long" : ""}>
              <span>{name}</span>
              <input
                class="mono"
                value={form.value[name]}
                onInput={set(name)}
                autoComplete="off"
                spellcheck={false}
              />
            </label>
          ))}
          <div class="buttons">
            <button type="submit" class="primary" disabled={busy.value}>
              Sign and send
            </button>
            <button
              type="button"
              onClick={() => (form.value = { ...form.value, client_order_id: crypto.randomUUID() })}
            >
              Another client_order_id
            </button>
          </div>
          <p class="soft">
            Sent twice with the same <code>client_order_id</code>, the second answer is DUPLICATE_REPLAY with
            the first order.
          </p>
        </form>
        {sent.value === null ? null : <Answered sent={sent.value} />}
      </Panel>
      <HowSigned body={body} signed={signed.value} onAnother={renew} />
    </div>
  );
}

const HowSigned = ({
  body,
  signed,
  onAnother,
}: {
  readonly body: string;
  readonly signed: Signed | null;
  readonly onAnother: () => void;
}) => (
  <Panel title="How it is signed">
    <h3>1. The body, to the byte</h3>
    <Code text={body} label="Body" />
    <h3>2. Six lines, joined by a line feed</h3>
    <table class="canonical">
      <tbody>
        {signed?.lines.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="mono">{visible(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
    <h3>3. HMAC-SHA256 of these, keyed with the secret</h3>
    <Code text={signed?.signature ?? "…"} label="Signature" />
    <h3>4. The headers</h3>
    <Code
      text={Object.entries(signed?.headers ?? {})
        .map(([name, value]) => `${name}: ${value}`)
        .join("\n")}
      label="Headers"
    />
    <div class="buttons">
      <button type="button" onClick={onAnother}>
        Another time and nonce
      </button>
    </div>
  </Panel>
);

const Answered = ({ sent: { status, requestId, text, order } }: { readonly sent: Sent }) => (
  <div class="card" role="status">
    <div class="buttons">
      <Badge text={String(status)} />
      <a href={to("exchanges", requestId)}>the exchange</a>
      {order === undefined ? null : <a href={to("orders", order)}>the order and its story</a>}
    </div>
    <Code text={pretty(text)} label="Answer" />
  </div>
);
