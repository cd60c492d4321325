/** Links to objects. */
import { to } from "../lib/router.ts";
import { visible } from "../lib/visible.ts";
import { shortId } from "./text.tsx";

interface IdProps {
  readonly id: string;
}

export const OrderLink = ({ id }: IdProps) => (
  <a class="mono" href={to({ view: "orders", id })} title={visible(id)}>
    {visible(shortId(id))}
  </a>
);

export const ExchangeLink = ({ id }: IdProps) => (
  <a class="mono" href={to({ view: "exchanges", id })} title={visible(id)}>
    {visible(id.length > 24 ? `${id.slice(0, 20)}…` : id)}
  </a>
);

export const ClientLink = ({ id }: IdProps) => <a href={to({ view: "accounts", id })}>{visible(id)}</a>;

export const EntryLink = ({ seq }: { readonly seq: number }) => (
  <a class="mono" href={to({ view: "journal", id: String(seq) })}>
    #{seq}
  </a>
);

/** The entries of a request. */
export const EntriesLink = ({
  of,
}: {
  readonly of: { readonly first: number; readonly last: number } | null;
}) => {
  if (of === null) return <span class="soft">–</span>;
  return (
    <>
      <EntryLink seq={of.first} />
      {of.last > of.first && (
        <>
          –<EntryLink seq={of.last} />
        </>
      )}
    </>
  );
};
