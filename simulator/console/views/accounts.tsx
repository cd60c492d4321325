/** Clients with their money, fees, limits and keys; and what comes to them from outside. */
import { useSignal } from "@preact/signals";
import { act } from "../act.ts";
import { type Answer, call, segment } from "../api.ts";
import { useLive } from "../live.ts";
import { Badge, Copy, Fields, Form, Panel, Shown, Sure } from "../parts/parts.tsx";
import { to } from "../router.ts";
import { clockText, short } from "../text.ts";

type Client = Answer<"client", "show">;
type Ledger = Answer<"client", "ledger">;
type Keys = Answer<"key", "list">;

export function AccountsView({ parts: [named] }: { readonly parts: readonly string[] }) {
  const clients = useLive<Answer<"client", "list">>("/clients");
  const known = clients.data?.clients.map(({ name }) => name) ?? [];
  const name = named !== undefined && known.includes(named) ? named : known[0];
  const client = useLive<Client>(name === undefined ? null : `/clients/${segment(name)}`);
  const ledger = useLive<Ledger>(name === undefined ? null : `/clients/${segment(name)}/ledger?limit=50`);
  return (
    <>
      <nav class="tabs" aria-label="Clients">
        {known.map((one) => (
          <a key={one} href={to("accounts", one)} aria-current={one === name ? "page" : undefined}>
            <b>{one}</b>
          </a>
        ))}
      </nav>
      <div class="grid">
        <Panel title={`Balances of ${name ?? "…"}`}>
          <Shown live={client}>{(data) => <Wallets client={data} />}</Shown>
        </Panel>
        <Panel title="Money from outside">
          <Shown live={client}>{(data) => <Outside client={data} />}</Shown>
        </Panel>
        <Panel
          title="Ledger"
          wide
          aside={
            <span class="soft">{ledger.data === undefined ? "" : `${ledger.data.total} movements`}</span>
          }
        >
          <Shown live={ledger} isEmpty={(data) => data.movements.length === 0} empty="No money has moved.">
            {(data) => <Movements ledger={data} />}
          </Shown>
        </Panel>
        <Panel title="Fees and limits">
          <Shown live={client}>{(data) => <Rules client={data} />}</Shown>
        </Panel>
        <Panel title="API keys" wide>
          <KeyList of={name} />
        </Panel>
      </div>
    </>
  );
}

const Wallets = ({ client: { wallets, openOrders, tradingEnabled, name } }: { readonly client: Client }) => (
  <>
    <table>
      <thead>
        <tr>
          <th>Asset</th>
          <th class="right">Available</th>
          <th class="right">On hold</th>
          <th class="right">Balance</th>
        </tr>
      </thead>
      <tbody>
        {wallets.map(({ asset, available, hold, balance }) => (
          <tr key={asset}>
            <td>
              <b>{asset}</b>
            </td>
            <td class="number">{available}</td>
            <td class="number">{hold}</td>
            <td class="number">{balance}</td>
          </tr>
        ))}
      </tbody>
    </table>
    <div class="buttons">
      <span class="soft">
        {openOrders} open orders, trading is {tradingEnabled ? "allowed" : "forbidden"}
      </span>
      <button
        type="button"
        class="small"
        onClick={() =>
          act(`${name} ${tradingEnabled ? "may not trade now" : "may trade"}.`, () =>
            call("POST", `/clients/${segment(name)}/trading`, { enabled: !tradingEnabled }),
          )
        }
      >
        {tradingEnabled ? "Forbid trading" : "Allow trading"}
      </button>
    </div>
  </>
);

function Outside({ client: { name, wallets } }: { readonly client: Client }) {
  const assets = wallets.map(({ asset }) => asset);
  return (
    <>
      <h3>Credit or debit</h3>
      <Form
        action="Post"
        fields={[
          { name: "asset", label: "Asset", choices: assets, value: "USD" },
          { name: "amount", label: "Amount", value: "500" },
          { name: "direction", label: "Direction", choices: ["credit", "debit"], value: "credit" },
        ]}
        onDone={(values) =>
          act("The wallet has changed.", () => call("POST", `/clients/${segment(name)}/balance`, values))
        }
      />
      <h3>Deposit</h3>
      <Form
        action="Let it arrive"
        fields={[
          {
            name: "asset",
            label: "Asset",
            choices: assets.filter((asset) => asset !== "USD" && asset !== "EUR"),
            value: "BTC",
          },
          { name: "amount", label: "Amount", value: "0.5" },
          { name: "confirmations", label: "Confirmations", value: "3" },
        ]}
        onDone={(values) =>
          act("The deposit has arrived.", () =>
            call("POST", `/clients/${segment(name)}/deposits`, {
              ...values,
              confirmations: Number(values["confirmations"]),
            }),
          )
        }
      />
    </>
  );
}

const Movements = ({ ledger: { movements, deposits } }: { readonly ledger: Ledger }) => (
  <>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>Time</th>
            <th>Because of</th>
            <th>Asset</th>
            <th class="right">Change</th>
            <th class="right">Change on hold</th>
            <th class="right">Balance</th>
            <th>Entry</th>
          </tr>
        </thead>
        <tbody>
          {movements.map(({ entry, at, kind, asset, change, holdChange, balance }) => (
            <tr key={`${entry}${asset}`}>
              <td class="stamp" title={at}>
                {clockText(at)}
              </td>
              <td>{kind}</td>
              <td>{asset}</td>
              <td class={`number ${change.startsWith("-") ? "sell" : change === "0" ? "" : "buy"}`}>
                {change}
              </td>
              <td class="number">{holdChange}</td>
              <td class="number">{balance}</td>
              <td>{entry === 0 ? "start" : <a href={to("journal", entry)}>{entry}</a>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    {deposits.length === 0 ? null : <h3>Deposits</h3>}
    {deposits.map(({ id, asset, amount, status, confirmations, confirmationsRequired }) => (
      <div key={id} class="buttons">
        <span class="mono" title={id}>
          {short(id)}
        </span>{" "}
        {amount} {asset} <Badge text={status} /> {confirmations} of {confirmationsRequired} confirmations
        {status === "PENDING" ? (
          <>
            <button
              type="button"
              class="small"
              onClick={() =>
                act("One more confirmation.", () =>
                  call("POST", `/deposits/${segment(id)}/confirmations`, { confirmations: 1 }),
                )
              }
            >
              Confirm once
            </button>
            <Sure
              label="Fail it"
              onDone={() =>
                act("The deposit has failed.", () => call("POST", `/deposits/${segment(id)}/fail`, {}))
              }
            />
          </>
        ) : null}
      </div>
    ))}
  </>
);

const Rules = ({ client: { fees, rules } }: { readonly client: Client }) => (
  <>
    <Fields
      of={[
        ["Model", fees.type],
        ["Maker", fees.makerRate],
        ["Taker", fees.takerRate],
        ["Exchange, maker", fees.exchangeMakerRate],
        ["Exchange, taker", fees.exchangeTakerRate],
        ["Volume of 30 days", `${fees.tradingVolume} ${fees.currency}`],
      ]}
    />
    {rules.length === 0 ? <p class="soft">No limits of its own: those of each product apply.</p> : null}
    {rules.map(({ product, enabled, minOrderSize, maxOrderSize, minQuoteValue, maxQuoteValue }) => (
      <Fields
        key={product}
        of={[
          ["Product", product],
          ["May trade it", enabled ? "yes" : "no"],
          ["Quantity", `${minOrderSize ?? "–"} to ${maxOrderSize ?? "–"}`],
          ["Value", `${minQuoteValue ?? "–"} to ${maxQuoteValue ?? "–"}`],
        ]}
      />
    ))}
  </>
);

function KeyList({ of }: { readonly of: string | undefined }) {
  const keys = useLive<Keys>("/keys");
  const open = useSignal<string | null>(null);
  return (
    <Shown live={keys} isEmpty={(data) => data.length === 0}>
      {(data) => (
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th>Key</th>
                <th>Id</th>
                <th>Claims</th>
                <th>Secret</th>
                <th></th>
              </tr>
            </thead>
            <tbody>
              {data
                .filter(({ client }) => of === undefined || client === of || client === null)
                .map(({ name, keyId, secret, client, claims }) => (
                  <tr key={keyId}>
                    <td>
                      <b>{name}</b>
                      {client === null ? <span class="soft"> without a client</span> : null}
                    </td>
                    <td class="mono">
                      {keyId} <Copy text={keyId} />
                    </td>
                    <td>{claims.join(", ")}</td>
                    <td class="mono">
                      {open.value === keyId ? secret : "••••••••"}{" "}
                      <button
                        type="button"
                        class="small"
                        onClick={() => (open.value = open.value === keyId ? null : keyId)}
                      >
                        {open.value === keyId ? "Hide" : "Show"}
                      </button>{" "}
                      <Copy text={secret} />
                    </td>
                    <td>
                      <button
                        type="button"
                        class="small"
                        onClick={() =>
                          act(`${name} is disabled.`, () =>
                            call("POST", `/keys/${segment(name)}`, { enabled: false }),
                          )
                        }
                      >
                        Disable
                      </button>{" "}
                      <button
                        type="button"
                        class="small"
                        onClick={() =>
                          act(`${name} is enabled.`, () =>
                            call("POST", `/keys/${segment(name)}`, { enabled: true }),
                          )
                        }
                      >
                        Enable
                      </button>{" "}
                      <Sure
                        label="Rotate"
                        onDone={() =>
                          act(`${name} has another secret.`, () =>
                            call("POST", `/keys/${segment(name)}/rotate`, {}),
                          )
                        }
                      />
                    </td>
                  </tr>
                ))}
            </tbody>
          </table>
        </div>
      )}
    </Shown>
  );
}
