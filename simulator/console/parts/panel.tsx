/** Panels, lists of facts and tables. */
import type { ComponentChildren } from "preact";

interface PanelProps {
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

export const Panel = ({ title, aside, class: name, children }: PanelProps) => (
  <section class={`panel ${name ?? ""}`} aria-label={title}>
    <header>
      <h2>{title}</h2>
      {aside !== undefined && <div class="aside">{aside}</div>}
    </header>
    {children}
  </section>
);

export type FactRow = readonly [label: string, value: ComponentChildren];

export const Facts = ({ rows }: { readonly rows: readonly FactRow[] }) => (
  <dl class="facts">
    {rows.map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

interface TableProps {
  readonly label: string;
  readonly heads: readonly string[];
  /** Columns whose cells are numbers. */
  readonly numeric?: readonly number[];
  /** Columns whose cells are sentences. */
  readonly wrapping?: readonly number[];
  readonly rows: readonly {
    readonly key: string | number;
    readonly cells: readonly ComponentChildren[];
    readonly chosen?: boolean;
  }[];
}

export const Table = ({ label, heads, numeric = [], wrapping = [], rows }: TableProps) => (
  <div class="scroll" role="region" aria-label={label} tabIndex={0}>
    <table>
      <thead>
        <tr>
          {heads.map((head, column) => (
            <th key={head} scope="col" class={numeric.includes(column) ? "right" : ""}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells, chosen }) => (
          <tr
            key={key}
            class={chosen === true ? "chosen" : ""}
            aria-current={chosen === true ? "true" : undefined}
          >
            {cells.map((cell, column) => (
              <td
                key={heads[column]}
                class={numeric.includes(column) ? "right" : wrapping.includes(column) ? "wrap" : ""}
              >
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
