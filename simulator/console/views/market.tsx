/** A product: candles, depth, book with owners, trades; and what moves it. */
import { ask, search } from "../lib/api.ts";
import { standing } from "../lib/feed.ts";
import { useControl } from "../lib/resource.ts";
import { place, to } from "../lib/router.ts";
import type { Book, Product, Products } from "../lib/shapes.ts";
import { Act, ActionForm } from "../parts/forms.tsx";
import { Panel } from "../parts/panel.tsx";
import { Empty, Show } from "../parts/states.tsx";
import { Amount } from "../parts/text.tsx";
import { BookTable } from "./market/book-table.tsx";
import { CandlePanel } from "./market/candle-panel.tsx";
import { Depth } from "./market/depth.tsx";
import { TradePanel } from "./market/trade-panel.tsx";

export const Market = () => {
  const products = useControl<Products>("/products", "entries");
  return (
    <>
      <h1>Market</h1>
      <Show of={products.value}>
        {({ products: all }) => {
          const chosen = all.find(({ product }) => product === place.value.id) ?? all[0];
          return chosen === undefined ? (
            <Empty>This world has no products. Name some in its world file (docs/world.md).</Empty>
          ) : (
            <>
              <Products all={all} chosen={chosen} />
              <OneMarket product={chosen} />
            </>
          );
        }}
      </Show>
    </>
  );
};

const Products = ({ all, chosen }: { readonly all: readonly Product[]; readonly chosen: Product }) => (
  <nav class="tabs" aria-label="Products">
    {all.map(({ product, lastPrice, halted, enabled }) => (
      <a
        key={product}
        href={to({ view: "market", id: product })}
        aria-current={product === chosen.product ? "page" : undefined}
      >
        <b>{product}</b> <Amount of={lastPrice} /> {halted && <span class="tag bad">halted</span>}
        {!enabled && <span class="tag warn">disabled</span>}
      </a>
    ))}
  </nav>
);

const OneMarket = ({ product }: { readonly product: Product }) => {
  const id = product.product;
  const book = useControl<Book>(`/products/${id}/book${search({ limit: 40 })}`, "entries");
  return (
    <>
      <Actions product={product} />
      <div class="grid market">
        <CandlePanel product={product} />
        <Panel title="Book" aside={<Spread product={product} />}>
          <Show of={book.value}>
            {(shown) =>
              shown.bids.length + shown.asks.length === 0 ? (
                <Empty>
                  The book is empty. Place an order, or lay a book with gatewright ctl product book.
                </Empty>
              ) : (
                <BookTable book={shown} />
              )
            }
          </Show>
        </Panel>
        <Panel title="Depth">{book.value.data !== null && <Depth book={book.value.data} />}</Panel>
        <TradePanel key={id} product={id} />
      </div>
    </>
  );
};

const Spread = ({ product: { bestBid, bestAsk } }: { readonly product: Product }) => (
  <span>
    <span class="up">
      <Amount of={bestBid} />
    </span>{" "}
    /{" "}
    <span class="down">
      <Amount of={bestAsk} />
    </span>
  </span>
);

const Actions = ({ product: { product, halted, enabled, lastPrice } }: { readonly product: Product }) => {
  const set = (what: "halted" | "enabled", value: boolean) => () =>
    ask("POST", `/products/${product}/${what}`, { [what]: value });
  return (
    <div class="actions">
      <Act run={set("halted", !halted)} done={`${product} is ${halted ? "resumed" : "halted"}.`}>
        {halted ? "Resume" : "Halt"}
      </Act>
      <Act run={set("enabled", !enabled)} done={`${product} is ${enabled ? "disabled" : "enabled"}.`}>
        {enabled ? "Disable" : "Enable"}
      </Act>
      <ActionForm
        key={product}
        label="Print a trade"
        done="The trade is printed."
        fields={[
          { name: "price", label: "Price", initial: lastPrice },
          { name: "quantity", label: "Quantity", initial: "0.1" },
        ]}
        run={(values) => ask("POST", `/products/${product}/trades`, values)}
      />
      <Act run={() => ask("POST", "/clock", { advanceMs: 60_000 })} done="A minute has gone by.">
        Clock +1 min
      </Act>
      {standing.value?.clock === "real" && (
        <Act run={() => ask("POST", "/clock", { mode: "manual" })} done="The market clock stands still.">
          Freeze
        </Act>
      )}
      <a class="button" href={to({ view: "place", query: { product } })}>
        Place an order
      </a>
    </div>
  );
};
