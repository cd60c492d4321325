/** The market of a product: candles, depth, the book with its owners, trades; and what an operator does to it. */
import { useSignal } from "@preact/signals";
import { act } from "../act.ts";
import { type Answer, call, get, segment } from "../api.ts";
import { useLive } from "../live.ts";
import { Candles } from "../parts/candles.tsx";
import { Depth } from "../parts/depth.tsx";
import { Badge, Fields, Form, Panel, Shown, Time } from "../parts/parts.tsx";
import { go, to } from "../router.ts";
import { clockText, short } from "../text.ts";

type Book = Answer<"product", "depth">;
type Level = Book["bids"][number];
type Trade = Answer<"trade", "show">;

export function Market({ parts: [named = "BTC-USD"] }: { readonly parts: readonly string[] }) {
  const products = useLive<Answer<"product", "list">>("/products");
  const known = products.data?.products ?? [];
  // Until the products are known, the named one is asked for: the first view waits for one answer, not for two.
  const product = known.some((one) => one.product === named) ? named : (known[0]?.product ?? named);
  const path = `/products/${segment(product)}`;
  const book = useLive<Book>(`${path}/book?limit=25`);
  const candles = useLive<Answer<"product", "candles">>(`${path}/candles?limit=240`);
  const trades = useLive<Answer<"product", "trades">>(`${path}/trades`);
  return (
    <>
      <nav class="tabs" aria-label="Products">
        {known.map((one) => (
          <a
            key={one.product}
            href={to("market", one.product)}
            aria-current={one.product === product ? "page" : undefined}
          >
            <b>{one.product}</b> <span class="number">{one.lastPrice}</span>
            {one.halted ? <Badge text="HALTED" /> : null}
          </a>
        ))}
      </nav>
      <div class="grid market">
        <Panel title={`${product}, one minute`} wide>
          <Shown
            live={candles}
            isEmpty={(data) => data.candles.length === 0}
            empty="No trade yet. Move the clock, print a trade, or place an order that crosses."
          >
            {(data) => (
              <Candles candles={data.candles} increment={book.data?.product.priceIncrement ?? "0.01"} />
            )}
          </Shown>
        </Panel>
        <Panel
          title="Book"
          aside={book.data === undefined ? null : <span class="soft">change {book.data.bookSequence}</span>}
        >
          <Shown live={book}>{(data) => <Levels book={data} />}</Shown>
        </Panel>
        <Panel title="Trades">
          <Shown live={trades} isEmpty={(data) => data.trades.length === 0} empty="No trade yet.">
            {(data) => <Trades trades={data.trades} />}
          </Shown>
        </Panel>
        <Panel title="Act on the market">
          <Shown live={book}>{(data) => <Actions product={data.product} />}</Shown>
        </Panel>
      </div>
    </>
  );
}

function Levels({ book: { bids, asks, product } }: { readonly book: Book }) {
  return (
    <>
      <Depth bids={bids} asks={asks} />
      <div class="book" role="table" aria-label="Order book">
        <div class="levels asks">
          {asks
            .slice(0, 12)
            .reverse()
            .map((level) => (
              <Row key={level.price} level={level} side="sell" />
            ))}
        </div>
        <div class="last">
          <span class="number">{product.lastPrice}</span> <span class="soft">last price</span>
        </div>
        <div class="levels bids">
          {bids.slice(0, 12).map((level) => (
            <Row key={level.price} level={level} side="buy" />
          ))}
        </div>
      </div>
      {bids.length + asks.length === 0 ? <p class="soft">The book is empty on both sides.</p> : null}
    </>
  );
}

const Row = ({
  level: { price, quantity, orders },
  side,
}: {
  readonly level: Level;
  readonly side: "buy" | "sell";
}) => (
  <div class={`level ${side}`} role="row">
    <span class="number price" role="cell">
      {price}
    </span>
    <span class="number" role="cell">
      {quantity}
    </span>
    <span class="owners" role="cell">
      {orders.map(({ order, client, quantity: rest }) => (
        <a key={order} href={to("orders", order)} title={`${rest} of ${client}, order ${order}`}>
          {client}
        </a>
      ))}
    </span>
  </div>
);

function Trades({ trades }: { readonly trades: Answer<"product", "trades">["trades"] }) {
  const open = useSignal<Trade | null>(null);
  const show = (trade: number): void =>
    void act("", async () => {
      open.value = await get<Trade>(`/trades/${trade}`);
    });
  const side = (of: Trade["taker"]) =>
    of === null ? (
      "the synthetic market"
    ) : (
      <a href={to("orders", of.order)}>
        {of.client}, order {short(of.order)}
      </a>
    );
  return (
    <>
      {open.value === null ? null : (
        <div class="card" aria-label={`Trade ${open.value.trade}`}>
          <Fields
            of={[
              ["Trade", `${open.value.trade}`],
              ["At", <Time at={open.value.at} />],
              ["Took it", side(open.value.taker)],
              ["Was there before", side(open.value.maker)],
              ["Journal entry", <a href={to("journal", open.value.entry)}>{open.value.entry}</a>],
            ]}
          />
          <button type="button" class="small" onClick={() => (open.value = null)}>
            Close
          </button>
        </div>
      )}
      <table>
        <thead>
          <tr>
            <th>Time</th>
            <th class="right">Price</th>
            <th class="right">Quantity</th>
            <th>Who</th>
          </tr>
        </thead>
        <tbody>
          {trades.slice(0, 20).map(({ trade, at, price, quantity, takerSide }) => (
            <tr key={trade}>
              <td class="stamp" title={at}>
                {clockText(at)}
              </td>
              <td class={`number ${takerSide === "BUY" ? "buy" : "sell"}`}>{price}</td>
              <td class="number">{quantity}</td>
              <td>
                <button
                  type="button"
                  class="small"
                  onClick={() => show(trade)}
                  aria-label={`Who met in trade ${trade}`}
                >
                  who
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Actions({
  product: { product, halted, enabled, lastPrice, bestBid, bestAsk },
}: {
  readonly product: Book["product"];
}) {
  const path = `/products/${segment(product)}`;
  const change = (what: "halted" | "enabled", to: boolean, done: string) => (): void =>
    void act(done, () => call("POST", `${path}/${what}`, { [what]: to }));
  const spread = bestBid === null || bestAsk === null ? undefined : `${bestBid} to ${bestAsk}`;
  return (
    <>
      <Fields
        of={[
          ["Best prices", spread ?? "one side is empty"],
          ["State", halted ? "halted" : enabled ? "trading" : "disabled for clients"],
        ]}
      />
      <div class="buttons">
        <button
          type="button"
          onClick={change("halted", !halted, halted ? `${product} trades again.` : `${product} is halted.`)}
        >
          {halted ? "Resume trading" : "Halt trading"}
        </button>
        <button
          type="button"
          onClick={change(
            "enabled",
            !enabled,
            enabled ? `${product} is disabled for clients.` : `${product} is enabled.`,
          )}
        >
          {enabled ? "Disable for clients" : "Enable for clients"}
        </button>
        <button type="button" class="primary" onClick={() => go("place", product)}>
          Place an order
        </button>
      </div>
      <h3>Print a trade</h3>
      <p class="soft">
        The synthetic market trades at this price: it fills clients' orders first, then moves the last price,
        the candles and the stops.
      </p>
      <Form
        key={product}
        action="Print"
        fields={[
          { name: "price", label: "Price", value: lastPrice },
          { name: "quantity", label: "Quantity", value: "0.01" },
        ]}
        onDone={(values) =>
          act(`A trade of ${product} at ${values["price"]} was printed.`, () =>
            call("POST", `${path}/trades`, values),
          )
        }
      />
    </>
  );
}
