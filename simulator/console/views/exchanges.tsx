/** What clients sent and what they got: live, and one exchange from its bytes to its answer. */
import { useSignal } from "@preact/signals";
import { type Answer, segment, tradingPath } from "../api.ts";
import { curlOf } from "../curl.ts";
import { standing } from "../feed.ts";
import { useLive } from "../live.ts";
import { Code, Copy, Fields, Panel, Shown, Time } from "../parts/parts.tsx";
import { go, to } from "../router.ts";
import { clockText, pretty, visible } from "../text.ts";

type Log = Answer<"exchange", "list">;
type Row = Log["exchanges"][number];
export type Exchange = Answer<"exchange", "read">;

export function ExchangesView({ parts: [id] }: { readonly parts: readonly string[] }) {
  const key = useSignal("");
  const status = useSignal("");
  const path = useSignal("");
  const query = new URLSearchParams({ limit: "100" });
  if (key.value !== "") query.set("key", key.value);
  if (/^(?:[1-5]xx|[1-5]\d\d|0)$/.test(status.value)) query.set("status", status.value);
  if (path.value !== "")
    query.set("path", path.value.startsWith("/api") ? path.value : tradingPath + path.value);
  const log = useLive<Log>(`/exchanges?${query}`, ["exchange", "epoch", "connections"]);
  const input = (label: string, of: typeof key, hint: string) => (
    <label>
      <span>{label}</span>
      <input
        value={of.value}
        placeholder={hint}
        onInput={(event) => (of.value = event.currentTarget.value.trim())}
      />
    </label>
  );
  return (
    <div class={id === undefined ? "split" : "split open"}>
      <Panel
        title="Exchanges"
        aside={
          <span class="soft">
            {standing.value?.connections ?? 0} WebSockets are open
            {log.data === undefined || log.data.dropped === 0
              ? ""
              : `; ${log.data.dropped} exchanges came too fast to be kept`}
          </span>
        }
      >
        <div class="filters">
          {input("Key", key, "trader")}
          {input("Status", status, "4xx")}
          {input("Path", path, "/order")}
        </div>
        <Shown
          live={log}
          isEmpty={(data) => data.exchanges.length === 0}
          empty={
            <>
              No request yet. <a href={to("place")}>Send an order from here</a>, or point your client at{" "}
              {location.origin}
              {tradingPath}.
            </>
          }
        >
          {(data) => <Table rows={data.exchanges.toReversed()} chosen={id} />}
        </Shown>
      </Panel>
      {id === undefined ? null : <One id={id} />}
    </div>
  );
}

const kindOf = (status: number): string =>
  status === 0 ? "failed" : status < 400 ? "ok" : status < 500 ? "refused" : "failed";

const Table = ({ rows, chosen }: { readonly rows: readonly Row[]; readonly chosen: string | undefined }) => (
  <div class="scroll">
    <table>
      <thead>
        <tr>
          <th>Time</th>
          <th>Status</th>
          <th>Key</th>
          <th>Request</th>
          <th class="right">ms</th>
          <th>Refused by</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(
          ({ number, requestId, receivedAt, status, code, key, method, target, durationMs, refusedBy }) => (
            <tr
              key={number}
              class={requestId === chosen ? "chosen" : ""}
              onClick={() => go("exchanges", requestId)}
            >
              <td class="stamp" title={receivedAt}>
                {clockText(receivedAt)}
              </td>
              <td>
                <span class={`badge ${kindOf(status)}`}>{status === 0 ? "no answer" : status}</span>
              </td>
              <td>{key ?? <span class="soft">unknown</span>}</td>
              <td class="mono target">
                <a href={to("exchanges", requestId)}>
                  {visible(`${method} ${target.replace(tradingPath, "")}`.trim() || "what could not be read")}
                </a>
              </td>
              <td class="number">{durationMs.toFixed(1)}</td>
              <td>{refusedBy === null ? (code ?? "") : visible(refusedBy)}</td>
            </tr>
          ),
        )}
      </tbody>
    </table>
  </div>
);

function One({ id }: { readonly id: string }) {
  const live = useLive<Exchange>(`/exchanges/${segment(id)}`, ["epoch"]);
  return (
    <Panel
      title="Exchange"
      aside={
        <a class="button small" href={to("exchanges")}>
          Close
        </a>
      }
    >
      <Shown live={live}>{(exchange) => <Tree exchange={exchange} />}</Shown>
    </Panel>
  );
}

function Tree({ exchange }: { readonly exchange: Exchange }) {
  const {
    requestId,
    receivedAt,
    status,
    code,
    key,
    client,
    method,
    target,
    durationMs,
    entries,
    checks,
    signature,
    request,
    answer,
    faults,
    stream,
    freedoms,
  } = exchange;
  return (
    <>
      <Fields
        of={[
          [
            "Request id",
            <>
              <span class="mono">{visible(requestId)}</span> <Copy text={requestId} />
            </>,
          ],
          ["Came at", <Time at={receivedAt} />],
          ["Key", key === null ? "unknown" : `${key}${client === null ? "" : ` of ${client}`}`],
          ["Took", `${durationMs.toFixed(2)} ms`],
          [
            "Answer",
            <>
              <span class={`badge ${kindOf(status)}`}>{status === 0 ? "no answer" : status}</span> {code}
            </>,
          ],
        ]}
      />
      {signature?.hint === null || signature === null ? null : (
        <p class="banner">{visible(signature.hint)}</p>
      )}
      <div class="buttons">
        <Copy text={curlOf(exchange, location.origin)} label="Copy as curl" />
        <Copy text={`gatewright why ${requestId}`} label="Copy gatewright why" />
        <Copy text="gatewright export --out case.yaml" label="Copy export as scenario" />
      </div>
      <details open>
        <summary>1. The request</summary>
        <p class="mono target">{visible(`${method} ${target}`)}</p>
        <Headers headers={request.headers} />
        <Body bytes={request.body} />
      </details>
      <details open>
        <summary>2. What was checked</summary>
        {checks.length === 0 ? (
          <p class="soft">
            {status === 0 ? "The connection ended before." : "Nothing: it was refused as it came in."}
          </p>
        ) : null}
        <ol class="checks">
          {checks.map(({ check, passed }) => (
            <li key={check} class={passed ? "passed" : "stopped"}>
              {passed ? "✓" : "✗"} {visible(check)}
            </li>
          ))}
        </ol>
        {faults.map(({ rule, kind }) => (
          <p key={rule}>
            The fault rule <b>{visible(rule)}</b> took effect: {kind}. <a href={to("faults")}>Fault rules</a>
          </p>
        ))}
        {Object.entries(freedoms).map(([freedom, option]) => (
          <p key={freedom} class="soft">
            {freedom} = {option}
          </p>
        ))}
      </details>
      {signature === null ? null : <Signature of={signature} />}
      <details open>
        <summary>{signature === null ? 3 : 4}. What it caused</summary>
        {entries === null ? (
          <p class="soft">No journal entry.</p>
        ) : (
          <p>
            {range(entries.first, entries.last).map((entry) => (
              <>
                <a href={to("journal", entry)}>entry {entry}</a>{" "}
              </>
            ))}{" "}
            <a href={to("orders", requestId)}>the story of its order</a>
          </p>
        )}
        {stream === null ? null : (
          <p>
            The WebSocket closed with {stream.code} {visible(stream.reason)}: {stream.received} messages came,{" "}
            {stream.sent} went. {stream.subscriptions.map(visible).join(", ")}
          </p>
        )}
      </details>
      <details open>
        <summary>{signature === null ? 4 : 5}. The answer</summary>
        <Body bytes={answer.body} />
        <Headers headers={answer.headers} />
      </details>
    </>
  );
}

const range = (first: number, last: number): number[] =>
  Array.from({ length: Math.min(20, last - first + 1) }, (_, at) => first + at);

const Headers = ({ headers }: { readonly headers: Exchange["request"]["headers"] }) => (
  <details>
    <summary class="soft">{headers.length} headers</summary>
    <table class="headers">
      <tbody>
        {headers.map(({ name, value }, at) => (
          <tr key={at}>
            <th scope="row">{visible(name)}</th>
            <td class="mono">{visible(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </details>
);

const shownText = 20_000;

function Body({ bytes: { length, text, base64 } }: { readonly bytes: Exchange["request"]["body"] }) {
  if (length === 0) return <p class="soft">No body.</p>;
  const shown = text === undefined ? (base64 ?? "") : pretty(text);
  return (
    <>
      <p class="soft">
        {length} bytes{text === undefined ? ", in base64" : ""}
      </p>
      <Code text={shown.slice(0, shownText)} label="Body" />
    </>
  );
}

/** Both texts, line by line: what should have been signed, and what was. */
function Signature({
  of: { hint, expectedCanonical, signedCanonical, state, mistakes },
}: {
  readonly of: NonNullable<Exchange["signature"]>;
}) {
  const wanted = expectedCanonical.split("\n");
  const signed = signedCanonical?.split("\n");
  const names = ["time", "nonce", "method", "path", "media type", "hash of the body"];
  return (
    <details open>
      <summary>3. The signature</summary>
      <p>
        <b>
          {hint === null
            ? state === "unexplained"
              ? "No known mistake explains it: is the secret that of this key?"
              : "The mistake was not searched to the end."
            : visible(hint)}
        </b>
      </p>
      {mistakes.length === 0 ? null : <p class="soft">{mistakes.join(", ")}</p>}
      <table class="canonical">
        <thead>
          <tr>
            <th>Line</th>
            <th>Should be signed</th>
            {signed === undefined ? null : <th>Was signed</th>}
          </tr>
        </thead>
        <tbody>
          {wanted.map((line, at) => (
            <tr key={at} class={signed !== undefined && signed[at] !== line ? "differs" : ""}>
              <th scope="row">{names[at] ?? at + 1}</th>
              <td class="mono">{visible(line)}</td>
              {signed === undefined ? null : (
                <td class="mono">
                  <Marked text={signed[at] ?? ""} beside={line} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {signed !== undefined && signed.length > wanted.length ? (
        <p>
          It has {signed.length} lines in place of {wanted.length}.
        </p>
      ) : null}
    </details>
  );
}

/** The part of a text that another one does not have. */
function Marked({ text, beside }: { readonly text: string; readonly beside: string }) {
  let from = 0;
  while (from < text.length && text[from] === beside[from]) from++;
  let end = 0;
  while (end < text.length - from && end < beside.length - from && text.at(-1 - end) === beside.at(-1 - end))
    end++;
  const to = text.length - end;
  return (
    <>
      {visible(text.slice(0, from))}
      {from < to ? <mark>{visible(text.slice(from, to))}</mark> : null}
      {visible(text.slice(to))}
    </>
  );
}
