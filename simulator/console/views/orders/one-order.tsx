import { ask, search } from "../../lib/api.ts";
import { useControl } from "../../lib/resource.ts";
import { to } from "../../lib/router.ts";
import type { OrderRow, Orders, Story } from "../../lib/shapes.ts";
import { Act, ActionForm, given } from "../../parts/forms.tsx";
import { ClientLink } from "../../parts/links.tsx";
import { Facts, Panel } from "../../parts/panel.tsx";
import { Show } from "../../parts/states.tsx";
import { Now, StoryList } from "../../parts/story.tsx";
import { Amount, Code, DayTime, Side, Status } from "../../parts/text.tsx";

/** An order by its id, its client_order_id, or the id of the request that failed to become one. */
export const OneOrder = ({ id }: { readonly id: string }) => {
  const story = useControl<Story>(`/explain/${encodeURIComponent(id)}`, "entries");
  const subject = story.value.data?.subject;
  const status = subject?.kind === "order" ? (subject.status ?? "") : "";
  const same = useControl<Orders>(
    status === "" ? null : `/orders${search({ status, limit: 1000 })}`,
    "entries",
  );
  const found = same.value.data?.orders.find(({ order }) => order.id === subject?.id);
  return (
    <Panel
      title="Why"
      aside={
        <a class="button small" href={to({ view: "orders" })}>
          Close
        </a>
      }
    >
      <Show of={story.value}>
        {({ subject: { id: known, kind, status: now }, facts }) => (
          <>
            <Now facts={facts} />
            {found !== undefined && <Terms row={found} />}
            {kind === "order" && <OrderActions id={known} status={now ?? ""} />}
            <StoryList facts={facts} />
            <Code label="command" text={`gatewright why ${known}`} />
          </>
        )}
      </Show>
    </Panel>
  );
};

const Terms = ({ row: { client, order } }: { readonly row: OrderRow }) => (
  <Facts
    rows={[
      ["Order", <span class="mono">{order.id}</span>],
      ["client_order_id", <span class="mono">{order.clientOrderId}</span>],
      ["Client", <ClientLink id={client} />],
      [
        "Terms",
        <>
          <Side of={order.side} /> {order.type} {order.baseQuantity ?? order.quoteValue} {order.productId}
          {order.limitPrice !== null && ` at ${order.limitPrice}`}
          {order.stopPrice !== null && `, stop ${order.stopPrice}`} · {order.timeInForce}
        </>,
      ],
      ["Status", <Status of={order.status} />],
      [
        "Filled",
        <>
          <Amount of={order.filledQuantity} /> at <Amount of={order.averageFilledPrice} />, fees{" "}
          <Amount of={order.fees} />
        </>,
      ],
      ["Created", <DayTime at={order.createdAt} />],
      ["Synced", order.synced ? "yes" : "not yet"],
    ]}
  />
);

const OrderActions = ({ id, status }: { readonly id: string; readonly status: string }) => {
  const act = (verb: string) => () => ask("POST", `/orders/${id}/${verb}`, {});
  if (status !== "OPEN" && status !== "PENDING") return null;
  return (
    <div class="actions">
      {status === "PENDING" && (
        <>
          <Act run={act("confirm")} done="The exchange has confirmed it.">
            Confirm
          </Act>
          <Act run={act("reject")} done="The exchange has rejected it." tone="danger">
            Reject
          </Act>
          <Act run={act("hold")} done="The exchange says nothing about it.">
            Hold
          </Act>
        </>
      )}
      {status === "OPEN" && (
        <ActionForm
          label="Fill"
          done="It is filled."
          fields={[
            { name: "quantity", label: "Quantity", optional: true, hint: "all that is left" },
            { name: "price", label: "Price", optional: true, hint: "its own" },
          ]}
          run={(values) => ask("POST", `/orders/${id}/fill`, given(values))}
        />
      )}
      <Act run={act("cancel")} done="The exchange has cancelled it.">
        Cancel
      </Act>
      <Act run={act("expire")} done="It has expired.">
        Expire
      </Act>
    </div>
  );
};
