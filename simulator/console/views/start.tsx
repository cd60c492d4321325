/** The first minute: what is here, the reader's own keys in commands that work, and what to do next. */
import { type Answer, tradingPath } from "../api.ts";
import { standing } from "../feed.ts";
import { useLive } from "../live.ts";
import { Code, Copy, Fields, Panel, Shown, Time } from "../parts/parts.tsx";
import { to } from "../router.ts";

export function StartView() {
  const health = useLive<Answer<"health", "read">>("/health", ["seq", "mode", "epoch"]);
  const keys = useLive<Answer<"key", "list">>("/keys", ["epoch"]);
  const isEmpty = (standing.value?.exchange ?? 0) === 0;
  const trader = keys.data?.find(({ name }) => name === "trader") ?? keys.data?.[0];
  return (
    <div class="grid two">
      <Panel title={isEmpty ? "The first minute" : "What to do here"}>
        <ol class="steps">
          <li>
            <h3>Send an order</h3>
            <p>
              <a class="button primary" href={to("place")}>
                Place one here
              </a>{" "}
              and watch how it is signed; or let the command sign it:
            </p>
            <Code
              label="Command that places an order"
              text={`gatewright sign --sign ${trader?.name ?? "trader"} --method POST --path ${tradingPath}/order \\\n  --body '{"side":"BUY","type":"LIMIT","base_quantity":"0.01","price":"50000","product":"BTC-USD","client_order_id":"${crypto.randomUUID()}"}'`}
            />
          </li>
          <li>
            <h3>See what became of it</h3>
            <p>
              <a href={to("orders")}>Orders</a> tell why they did not fill;{" "}
              <a href={to("exchanges")}>exchanges</a> show each request with the check that refused it.
            </p>
          </li>
          <li>
            <h3>Let something go wrong</h3>
            <p>
              Under <a href={to("faults")}>Time and faults</a> the next orders of a key end PENDING, time out,
              or are rejected; and the clock stands or jumps.
            </p>
          </li>
          <li>
            <h3>Keep it</h3>
            <p>
              The <a href={to("journal")}>journal</a> goes back to any entry, forks there, and becomes a file
              that anyone can replay.
            </p>
          </li>
        </ol>
      </Panel>
      <Panel title="This sandbox">
        <Shown live={health}>
          {(data) => (
            <Fields
              of={[
                ["Base URL", <Address text={`${location.origin}${tradingPath}`} />],
                ["Stream", <Address text={`${location.origin.replace(/^http/, "ws")}${tradingPath}/ws`} />],
                ["State", data.trouble ?? data.mode],
                ["Market time", <Time at={data.marketTime} />],
                ["Seed", data.seed],
                ["Journal", `${data.seq} entries, hash ${data.hash.slice(0, 12)}`],
                ["Version", data.version],
              ]}
            />
          )}
        </Shown>
        <h3>Keys</h3>
        <Shown live={keys}>
          {(data) => (
            <table>
              <thead>
                <tr>
                  <th>Key</th>
                  <th>Id</th>
                  <th>Secret</th>
                </tr>
              </thead>
              <tbody>
                {data.slice(0, 4).map(({ name, keyId, secret }) => (
                  <tr key={keyId}>
                    <td>
                      <b>{name}</b>
                    </td>
                    <td class="mono">
                      {keyId} <Copy text={keyId} label="Copy id" />
                    </td>
                    <td>
                      <Copy text={secret} label="Copy secret" />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </Shown>
        <p class="soft">
          All of them, with their claims: <a href={to("accounts")}>Accounts</a>. The API in full:{" "}
          <a href="docs">documentation</a>.
        </p>
      </Panel>
    </div>
  );
}

const Address = ({ text }: { readonly text: string }) => (
  <>
    <span class="mono">{text}</span> <Copy text={text} />
  </>
);
