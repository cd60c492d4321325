import { ask } from "../../lib/api.ts";
import { useControl } from "../../lib/resource.ts";
import { to } from "../../lib/router.ts";
import type { Client } from "../../lib/shapes.ts";
import { Act, ActionForm, given } from "../../parts/forms.tsx";
import { Facts, Panel, Table } from "../../parts/panel.tsx";
import { Empty, Show } from "../../parts/states.tsx";
import { Amount } from "../../parts/text.tsx";
import { KeyPanel } from "./keys.tsx";
import { LedgerPanel } from "./ledger.tsx";

/** Balances, fees, limits, keys and ledger of a client. */
export const OneClient = ({ name }: { readonly name: string }) => {
  const path = `/clients/${encodeURIComponent(name)}`;
  const client = useControl<Client>(path, "entries");
  return (
    <Show of={client.value}>
      {(shown) => (
        <div class="grid">
          <Balances client={shown} path={path} />
          <KeyPanel client={shown} />
          <Fees client={shown} path={path} />
          <Limits client={shown} path={path} />
          <LedgerPanel path={path} />
        </div>
      )}
    </Show>
  );
};

interface PartProps {
  readonly client: Client;
  readonly path: string;
}

const Balances = ({ client: { name, wallets, tradingEnabled, openOrders }, path }: PartProps) => {
  const assets = wallets.map(({ asset }) => asset);
  return (
    <Panel
      title="Balances"
      aside={
        <Act
          run={() => ask("POST", `${path}/trading`, { enabled: !tradingEnabled })}
          done={`${name} ${tradingEnabled ? "may not trade" : "may trade"}.`}
        >
          {tradingEnabled ? "Forbid to trade" : "Allow to trade"}
        </Act>
      }
    >
      <Table
        label="Balances"
        heads={["Asset", "Available", "On hold", "Balance"]}
        numeric={[1, 2, 3]}
        rows={wallets.map(({ asset, available, hold, balance }) => ({
          key: asset,
          cells: [
            <b>{asset}</b>,
            <Amount of={available} />,
            hold === "0" ? <span class="soft">0</span> : <Amount of={hold} />,
            <Amount of={balance} />,
          ],
        }))}
      />
      <p>
        <a href={to({ view: "orders", query: { client: name } })}>{openOrders} open orders</a>
      </p>
      <ActionForm
        label="Move money"
        done="The wallet has changed."
        fields={[
          { name: "direction", label: "Direction", options: ["credit", "debit"] },
          { name: "asset", label: "Asset", options: assets },
          { name: "amount", label: "Amount", initial: "100" },
        ]}
        run={(values) => ask("POST", `${path}/balance`, values)}
      />
      <ActionForm
        label="Deposit"
        done="The deposit has arrived: it waits for its confirmations in the ledger."
        fields={[
          { name: "asset", label: "Asset", options: assets },
          { name: "amount", label: "Amount", initial: "0.5" },
        ]}
        run={(values) => ask("POST", `${path}/deposits`, values)}
      />
    </Panel>
  );
};

const Fees = ({ client: { fees }, path }: PartProps) => (
  <Panel title="Fees">
    <Facts
      rows={[
        ["Model", fees.type],
        ["Maker", fees.makerRate],
        ["Taker", fees.takerRate],
        ["Exchange maker", fees.exchangeMakerRate],
        ["Exchange taker", fees.exchangeTakerRate],
      ]}
    />
    <ActionForm
      label="Change fees"
      done="New orders pay these fees."
      fields={[
        { name: "feeModel", label: "Model", options: ["ALL_IN", "COST_PLUS"], initial: fees.type },
        { name: "makerRate", label: "Maker", initial: fees.makerRate },
        { name: "takerRate", label: "Taker", initial: fees.takerRate },
        {
          name: "exchangeMakerRate",
          label: "Exchange maker",
          optional: true,
          initial: fees.exchangeMakerRate,
        },
        {
          name: "exchangeTakerRate",
          label: "Exchange taker",
          optional: true,
          initial: fees.exchangeTakerRate,
        },
      ]}
      run={(values) => ask("POST", `${path}/fees`, given(values))}
    />
  </Panel>
);

const Limits = ({ client: { rules }, path }: PartProps) => (
  <Panel title="Limits">
    {rules.length === 0 ? (
      <Empty>No rules of its own: those of each product hold.</Empty>
    ) : (
      <Table
        label="Limits"
        heads={["Product", "May trade", "Least size", "Most size", "Least value", "Most value"]}
        numeric={[2, 3, 4, 5]}
        rows={rules.map((rule) => ({
          key: rule.product,
          cells: [
            rule.product,
            rule.enabled ? "yes" : "no",
            <Amount of={rule.minOrderSize} />,
            <Amount of={rule.maxOrderSize} />,
            <Amount of={rule.minQuoteValue} />,
            <Amount of={rule.maxQuoteValue} />,
          ],
        }))}
      />
    )}
    <ActionForm
      label="Set limits"
      done="The limits hold for new orders."
      fields={[
        { name: "product", label: "Product", initial: rules[0]?.product ?? "BTC-USD" },
        { name: "enabled", label: "May trade", options: ["true", "false"] },
        { name: "minOrderSize", label: "Least size", optional: true },
        { name: "maxOrderSize", label: "Most size", optional: true },
        { name: "minQuoteValue", label: "Least value", optional: true },
        { name: "maxQuoteValue", label: "Most value", optional: true },
      ]}
      run={({ enabled, ...values }) =>
        ask("POST", `${path}/rules`, { ...given(values), enabled: enabled === "true" })
      }
    />
  </Panel>
);
