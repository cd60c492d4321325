/** Orders of all clients with filters; one order with its story and what can be done to it. */
import { search } from "../lib/api.ts";
import { useControl } from "../lib/resource.ts";
import { go, place, refine, to } from "../lib/router.ts";
import type { Clients, Orders as OrderList, OrderRow, Products } from "../lib/shapes.ts";
import { visible } from "../lib/visible.ts";
import { FieldInput } from "../parts/forms.tsx";
import { ClientLink } from "../parts/links.tsx";
import { Panel, Table } from "../parts/panel.tsx";
import { Empty, Show } from "../parts/states.tsx";
import { Amount, DayTime, Side, Status, shortId } from "../parts/text.tsx";
import { OneOrder } from "./orders/one-order.tsx";

export const statuses = ["PENDING", "OPEN", "FILLED", "CANCELLED", "EXPIRED", "FAILED"] as const;

const wholeId = /^\s*[0-9a-f]{8}-[0-9a-f-]{27}\s*$/i;

export const Orders = () => {
  const { client = "", product = "", status = "" } = place.value.query;
  const orders = useControl<OrderList>(
    `/orders${search({ client, product, status, limit: 200 })}`,
    "entries",
  );
  const clients = useControl<Clients>("/clients", "nothing");
  const { id } = place.value;
  return (
    <>
      <h1>Orders</h1>
      <Filters clients={clients.value.data} />
      <div class={id === "" ? "" : "grid split"}>
        <Panel title={status === "" ? "Live orders" : `Orders ${status}`}>
          <Show of={orders.value}>
            {({ orders: shown, total }) =>
              shown.length === 0 ? (
                <Empty>
                  No such orders. Those that have ended are behind a status above, or{" "}
                  <a href={to({ view: "place", query: {} })}>place one</a>.
                </Empty>
              ) : (
                <>
                  <OrderTable orders={shown} clients={clients.value.data} />
                  {total > shown.length && <Empty>{`The newest ${shown.length} of ${total}.`}</Empty>}
                </>
              )
            }
          </Show>
        </Panel>
        {id !== "" && <OneOrder key={id} id={id} />}
      </div>
    </>
  );
};

const Filters = ({ clients }: { readonly clients: Clients | null }) => {
  const products = useControl<Products>("/products", "nothing");
  const { client = "", product = "", status = "" } = place.value.query;
  const choose = (name: string, label: string, value: string, options: readonly string[], hint = "any") => (
    <FieldInput
      field={{ name, label, hint, options: ["", ...options] }}
      value={value}
      onChange={(next) => refine({ [name]: next })}
    />
  );
  return (
    <form class="filters" role="search" aria-label="Orders" onSubmit={(event) => event.preventDefault()}>
      <FieldInput
        field={{ name: "find", label: "Id or client_order_id", hint: "paste it here", optional: true }}
        value=""
        onChange={(id) => {
          if (wholeId.test(id)) go({ view: "orders", id: id.trim(), query: place.value.query });
        }}
      />
      {choose("client", "Client", client, clients?.clients.map(({ name }) => name) ?? [])}
      {choose("product", "Product", product, products.value.data?.products.map((one) => one.product) ?? [])}
      {choose("status", "Status", status, statuses, "live (PENDING, OPEN)")}
    </form>
  );
};

/** An order belongs to a client, and any key of the client may have signed it. */
const KeysOf = ({ client, clients }: { readonly client: string; readonly clients: Clients | null }) => {
  const [first, ...more] = clients?.clients.find(({ name }) => name === client)?.keys ?? [];
  if (first === undefined) return null;
  return (
    <small class="soft" title={visible([first, ...more].join(", "))}>
      {` · ${visible(first)}${more.length === 0 ? "" : ` +${more.length}`}`}
    </small>
  );
};

interface OrderTableProps {
  readonly orders: readonly OrderRow[];
  readonly clients: Clients | null;
}

const OrderTable = ({ orders, clients }: OrderTableProps) => (
  <Table
    label="Orders"
    heads={[
      "Order",
      "Status",
      "Side",
      "Price",
      "Quantity",
      "Filled",
      "Client · keys",
      "Product",
      "Type",
      "Created",
    ]}
    numeric={[3, 4, 5]}
    rows={orders.map(({ client, order }) => ({
      key: order.id,
      chosen: order.id === place.value.id || order.clientOrderId === place.value.id,
      cells: [
        <a
          class="mono"
          href={to({ view: "orders", id: order.id, query: place.value.query })}
          title={order.id}
        >
          {shortId(order.id)}
        </a>,
        <Status of={order.status} />,
        <Side of={order.side} />,
        <Amount of={order.limitPrice} />,
        <Amount of={order.baseQuantity} />,
        <Amount of={order.filledQuantity} />,
        <>
          <ClientLink id={client} />
          <KeysOf client={client} clients={clients} />
        </>,
        order.productId,
        order.type,
        <DayTime at={order.createdAt} />,
      ],
    }))}
  />
);
