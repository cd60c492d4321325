/** An order built by hand: its body, the text that is signed, hash and signature, each as one types; then it is sent. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useControl } from "../lib/resource.ts";
import { place } from "../lib/router.ts";
import { lastKey } from "../lib/session.ts";
import type { Faults, Key, Keys, Products } from "../lib/shapes.ts";
import { canSign, type Signed, sign } from "../lib/sign.ts";
import { ArmedNotice } from "../parts/armed.tsx";
import { type Field, FieldInput, type Values } from "../parts/forms.tsx";
import { Panel } from "../parts/panel.tsx";
import { Empty, Show } from "../parts/states.tsx";
import { Code } from "../parts/text.tsx";
import { path, post, type Sent } from "./place-order/post.ts";
import { Answered, Made } from "./place-order/signed.tsx";

export const PlaceOrder = () => {
  const keys = useControl<Keys>("/keys", "entries");
  const products = useControl<Products>("/products", "nothing");
  return (
    <>
      <h1>Place an order</h1>
      {canSign() ? (
        <Show of={keys.value}>
          {(all) =>
            all.length === 0 ? (
              <Empty>This world has no keys. Make one under Accounts.</Empty>
            ) : (
              <Builder
                keys={all}
                products={products.value.data?.products.map(({ product }) => product) ?? ["BTC-USD"]}
              />
            )
          }
        </Show>
      ) : (
        <Empty>
          A browser signs only on pages of this machine or of https. Open the console on 127.0.0.1, or use{" "}
          <code>gatewright sign</code>.
        </Empty>
      )}
    </>
  );
};

/** Ways to get it wrong on purpose, to see what the sandbox says. */
const mistakes: Readonly<Record<string, string>> = {
  none: "nothing",
  method: "the method in lower case",
  body: "a body that is changed after it was hashed",
  time: "a timestamp of an hour ago",
  secret: "another secret",
};

const fieldsOf = (type: string, side: string, products: readonly string[]): readonly Field[] => [
  { name: "product", label: "Product", options: products },
  { name: "side", label: "Side", options: ["BUY", "SELL"] },
  { name: "type", label: "Type", options: ["LIMIT", "MARKET", "STOP_LIMIT"] },
  type === "MARKET" && side === "BUY"
    ? { name: "quote_value", label: "Quote value" }
    : { name: "base_quantity", label: "Base quantity" },
  ...(type === "MARKET" ? [] : [{ name: "price", label: "Price" }]),
  ...(type === "STOP_LIMIT" ? [{ name: "stop_price", label: "Stop price" }] : []),
  { name: "client_order_id", label: "client_order_id", wide: true },
];

const initial = (): Values => ({
  product: "BTC-USD",
  side: "BUY",
  type: "LIMIT",
  base_quantity: "0.01",
  quote_value: "600",
  price: "50000",
  stop_price: "61000",
  client_order_id: crypto.randomUUID(),
  key: lastKey.peek(),
  mistake: "none",
  ...place.peek().query,
});

interface BuilderProps {
  readonly keys: Keys;
  readonly products: readonly string[];
}

const Builder = ({ keys, products }: BuilderProps) => {
  const values = useSignal<Values>(initial());
  const faults = useControl<Faults>("/faults", "both");
  const stamp = useSignal({ timestamp: String(Date.now()), nonce: crypto.randomUUID() as string });
  const { type = "", side = "", key: keyName = "", mistake = "none" } = values.value;
  const fields = fieldsOf(type, side, products);
  const key = keys.find(({ name }) => name === keyName) ?? keys[0];
  const body = JSON.stringify(Object.fromEntries(fields.map(({ name }) => [name, values.value[name] ?? ""])));
  const set = (name: string) => (value: string) => {
    values.value = { ...values.value, [name]: value };
  };
  const renew = (): void => {
    stamp.value = { timestamp: String(Date.now()), nonce: crypto.randomUUID() };
  };
  if (key === undefined) return null;
  return (
    <div class="grid split form">
      <Panel title="Order">
        <ArmedNotice of={faults.value.data} />
        <form class="action" onSubmit={(event) => event.preventDefault()}>
          <FieldInput
            field={{ name: "key", label: "Signed by", options: keys.map(({ name }) => name) }}
            value={key.name}
            onChange={(name) => {
              lastKey.value = name;
              set("key")(name);
            }}
          />
          {fields.map((field) => (
            <FieldInput
              key={field.name}
              field={field}
              value={values.value[field.name] ?? ""}
              onChange={set(field.name)}
            />
          ))}
          <button type="button" onClick={() => set("client_order_id")(crypto.randomUUID())}>
            New client_order_id
          </button>
          <label class="field wide">
            <span>Get this wrong</span>
            <select value={mistake} onChange={({ currentTarget }) => set("mistake")(currentTarget.value)}>
              {Object.entries(mistakes).map(([name, text]) => (
                <option key={name} value={name}>
                  {text}
                </option>
              ))}
            </select>
          </label>
        </form>
        <Code label="body" text={body} />
      </Panel>
      <Signature ofKey={key} body={body} stamp={stamp} mistake={mistake} onSent={renew} />
    </div>
  );
};

interface SignatureProps {
  readonly ofKey: Key;
  readonly body: string;
  readonly stamp: Signal<{ readonly timestamp: string; readonly nonce: string }>;
  readonly mistake: string;
  readonly onSent: () => void;
}

const hourMs = 3_600_000;

const Signature = ({ ofKey, body, stamp, mistake, onSent }: SignatureProps) => {
  const made = useSignal<Signed | null>(null);
  const sent = useSignal<Sent | null>(null);
  const parts = (now: { readonly timestamp: string; readonly nonce: string }) => ({
    ...now,
    timestamp: mistake === "time" ? String(Number(now.timestamp) - hourMs) : now.timestamp,
    method: mistake === "method" ? "post" : "POST",
    path,
    body,
    secret: mistake === "secret" ? `${ofKey.secret}x` : ofKey.secret,
  });
  useEffect(() => {
    let stale = false;
    void sign(parts(stamp.value)).then((signed) => {
      if (!stale) made.value = signed;
    });
    return () => {
      stale = true;
    };
  }, [ofKey, body, stamp.value, mistake]);
  const send = async (): Promise<void> => {
    const now = parts({ timestamp: String(Date.now()), nonce: crypto.randomUUID() });
    const { signature } = await sign(now);
    sent.value = await post(ofKey.keyId, now, signature, mistake === "body" ? `${body} ` : body);
    onSent();
  };
  return (
    <Panel
      title="Signature"
      aside={
        <button type="button" class="main" onClick={() => void send()}>
          Sign and send
        </button>
      }
    >
      {sent.value !== null && <Answered of={sent.value} />}
      {made.value !== null && <Made of={made.value} keyId={ofKey.keyId} stamp={stamp.value} />}
    </Panel>
  );
};
