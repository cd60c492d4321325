/** Orders of all clients; one of them with its story, and what the exchange may do to it. */
import { useSignal } from "@preact/signals";
import { act } from "../act.ts";
import { type Answer, call, segment } from "../api.ts";
import { useLive } from "../live.ts";
import { Badge, Copy, Fields, Form, Panel, Shown, Sure } from "../parts/parts.tsx";
import { go, to } from "../router.ts";
import { clockText, short, visible } from "../text.ts";

type Orders = Answer<"order", "list">;
type Row = Orders["orders"][number];
type Story = Answer<"explain", "read">;

const statuses = ["open ones", "PENDING", "OPEN", "FILLED", "CANCELLED", "EXPIRED", "FAILED"];
const any = "all";

export function OrdersView({ parts: [id] }: { readonly parts: readonly string[] }) {
  const client = useSignal(any);
  const product = useSignal(any);
  const status = useSignal("open ones");
  const clients = useLive<Answer<"client", "list">>("/clients", ["epoch"]).data?.clients ?? [];
  const products = useLive<Answer<"product", "list">>("/products", ["epoch"]).data?.products ?? [];
  const query = new URLSearchParams({ limit: "200" });
  if (client.value !== any) query.set("client", client.value);
  if (product.value !== any) query.set("product", product.value);
  if (status.value !== "open ones") query.set("status", status.value);
  const orders = useLive<Orders>(`/orders?${query}`);
  const pick = (label: string, of: typeof client, choices: readonly string[]) => (
    <label>
      <span>{label}</span>
      <select value={of.value} onChange={(event) => (of.value = event.currentTarget.value)}>
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    </label>
  );
  return (
    <div class={id === undefined ? "split" : "split open"}>
      <Panel
        title="Orders"
        aside={orders.data === undefined ? null : <span class="soft">{orders.data.total} in all</span>}
      >
        <div class="filters">
          {pick("Status", status, statuses)}
          {pick("Client", client, [any, ...clients.map(({ name }) => name)])}
          {pick("Product", product, [any, ...products.map((one) => one.product)])}
        </div>
        <Shown
          live={orders}
          isEmpty={(data) => data.orders.length === 0}
          empty={
            <>
              No order is like that. <a href={to("place")}>Place one</a>, or choose another status.
            </>
          }
        >
          {(data) => <Table orders={data.orders} chosen={id} />}
        </Shown>
      </Panel>
      {id === undefined ? null : <One id={id} />}
    </div>
  );
}

const Table = ({
  orders,
  chosen,
}: {
  readonly orders: readonly Row[];
  readonly chosen: string | undefined;
}) => (
  <div class="scroll">
    <table>
      <thead>
        <tr>
          <th>Time</th>
          <th>Order</th>
          <th>Client</th>
          <th>Product</th>
          <th>Side</th>
          <th>Type</th>
          <th class="right">Quantity</th>
          <th class="right">Price</th>
          <th class="right">Filled</th>
          <th>Status</th>
        </tr>
      </thead>
      <tbody>
        {orders.map(({ client, order }) => (
          <tr
            key={order.id}
            class={order.id === chosen ? "chosen" : ""}
            onClick={() => go("orders", order.id)}
          >
            <td class="stamp" title={order.createdAt}>
              {clockText(order.createdAt)}
            </td>
            <td class="stamp">
              <a href={to("orders", order.id)}>{short(order.id)}</a>
            </td>
            <td>{visible(client)}</td>
            <td>{order.productId}</td>
            <td class={order.side === "BUY" ? "buy" : "sell"}>{order.side}</td>
            <td>{order.type}</td>
            <td class="number">{order.baseQuantity ?? `for ${order.quoteValue ?? "?"}`}</td>
            <td class="number">{order.limitPrice ?? "–"}</td>
            <td class="number">{order.filledQuantity}</td>
            <td>
              <Badge text={order.status} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

function One({ id }: { readonly id: string }) {
  const story = useLive<Story>(`/explain/${segment(id)}`);
  const all = useLive<Orders>("/orders?limit=1000").data?.orders ?? [];
  const row = all.find(({ order }) => order.id === story.data?.subject.id);
  const status = story.data?.subject.status ?? "";
  return (
    <Panel
      title="Order"
      aside={
        <a class="button small" href={to("orders")}>
          Close
        </a>
      }
    >
      <Shown live={story}>
        {({ subject, facts }) => (
          <>
            <Fields
              of={[
                [
                  "Id",
                  <>
                    <span class="mono">{visible(subject.id)}</span> <Copy text={subject.id} />
                  </>,
                ],
                [
                  "client_order_id",
                  subject.clientOrderId === null ? null : (
                    <span class="mono">{visible(subject.clientOrderId)}</span>
                  ),
                ],
                ["Status", subject.status === null ? "it became no order" : <Badge text={subject.status} />],
                ...(row === undefined
                  ? []
                  : ([
                      ["Client", row.client],
                      [
                        "What",
                        `${row.order.side} ${row.order.baseQuantity ?? ""} ${row.order.productId} ${row.order.type} ${row.order.limitPrice ?? ""}`,
                      ],
                    ] as const)),
              ]}
            />
            {status === "OPEN" || status === "PENDING" ? <Actions id={subject.id} status={status} /> : null}
            <h3>Why</h3>
            <ol class="story">
              {facts.map((fact, at) => (
                <li key={at}>
                  <span class="code-name">{fact.code}</span>
                  <p>{visible(fact.sentence)}</p>
                  {fact.entry === null ? null : <a href={to("journal", fact.entry)}>entry {fact.entry}</a>}
                </li>
              ))}
            </ol>
          </>
        )}
      </Shown>
    </Panel>
  );
}

function Actions({ id, status }: { readonly id: string; readonly status: string }) {
  const does = (verb: string, done: string) => () =>
    act(done, () => call("POST", `/orders/${segment(id)}/${verb}`, {}));
  return (
    <div class="card">
      {status === "PENDING" ? (
        <div class="buttons">
          <button type="button" onClick={does("confirm", "The exchange has confirmed the order.")}>
            Confirm
          </button>
          <button type="button" onClick={does("reject", "The exchange has rejected the order.")}>
            Reject
          </button>
          <button type="button" onClick={does("hold", "The exchange says nothing about the order for now.")}>
            Hold
          </button>
        </div>
      ) : (
        <Form
          action="Fill"
          fields={[
            { name: "quantity", label: "Quantity", hint: "all that is left", optional: true },
            { name: "price", label: "Price", hint: "its own", optional: true },
          ]}
          onDone={(values) =>
            act("The order was filled.", () => call("POST", `/orders/${segment(id)}/fill`, values))
          }
        />
      )}
      <div class="buttons">
        <Sure label="Cancel it" onDone={does("cancel", "The order is cancelled.")} />
        <Sure label="Let it expire" onDone={does("expire", "The order has expired.")} />
      </div>
    </div>
  );
}
