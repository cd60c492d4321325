import { sum, toDraw } from "../../lib/decimal.ts";
import { go } from "../../lib/router.ts";
import type { Book, Level } from "../../lib/shapes.ts";
import { OrderLink } from "../../parts/links.tsx";
import { Amount } from "../../parts/text.tsx";

const shownOfSide = 12;

/** The best prices of both sides, with the orders of clients at each. */
export const BookTable = ({ book: { bids, asks, product } }: { readonly book: Book }) => {
  const [sellers, buyers] = [asks.slice(0, shownOfSide), bids.slice(0, shownOfSide)];
  const most = Math.max(...[...sellers, ...buyers].map(({ quantity }) => toDraw(quantity)));
  return (
    <div class="scroll" role="region" aria-label="Order book" tabIndex={0}>
      <table class="book">
        <thead>
          <tr>
            <th scope="col" class="right">
              Price
            </th>
            <th scope="col" class="right">
              Quantity
            </th>
            <th scope="col" class="right">
              Total
            </th>
            <th scope="col">Orders of clients</th>
          </tr>
        </thead>
        <tbody>
          {withTotals(sellers)
            .reverse()
            .map((one) => (
              <LevelRow key={one.level.price} side="down" {...one} most={most} product={product.product} />
            ))}
          <tr class="last">
            <td class="right num">{product.lastPrice}</td>
            <td colSpan={3} class="soft">
              last price
            </td>
          </tr>
          {withTotals(buyers).map((one) => (
            <LevelRow key={one.level.price} side="up" {...one} most={most} product={product.product} />
          ))}
        </tbody>
      </table>
    </div>
  );
};

interface Totalled {
  readonly level: Level;
  readonly total: string;
}

export function withTotals(levels: readonly Level[]): Totalled[] {
  let total = "0";
  return levels.map((level) => {
    total = sum(total, level.quantity);
    return { level, total };
  });
}

interface RowProps extends Totalled {
  readonly side: "up" | "down";
  readonly most: number;
  readonly product: string;
}

const LevelRow = ({ level: { price, quantity, orders }, total, side, most, product }: RowProps) => (
  <tr class={orders.length > 0 ? "owned" : ""}>
    <td class="right">
      <button
        type="button"
        class={`plain num ${side}`}
        title="Place an order at this price"
        onClick={() => go({ view: "place", query: { product, price } })}
      >
        {price}
      </button>
    </td>
    <td
      class={`right bar-cell ${side}`}
      style={{ backgroundSize: `${((toDraw(quantity) / most) * 100).toFixed(1)}% 80%` }}
    >
      <Amount of={quantity} />
    </td>
    <td class="right">
      <Amount of={total} />
    </td>
    <td>
      {orders.map(({ order, client, quantity: rest }) => (
        <span key={order} class="chip">
          {client} <Amount of={rest} /> <OrderLink id={order} />
        </span>
      ))}
    </td>
  </tr>
);
