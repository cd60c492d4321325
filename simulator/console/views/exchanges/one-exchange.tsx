import type { ComponentChildren } from "preact";
import { useControl } from "../../lib/resource.ts";
import { place, to } from "../../lib/router.ts";
import type { Exchange, Journal, Story } from "../../lib/shapes.ts";
import { curl } from "../../lib/shell.ts";
import { pretty, visible } from "../../lib/visible.ts";
import { CopyButton } from "../../parts/copy.tsx";
import { Differing } from "../../parts/differing.tsx";
import { EntriesLink, EntryLink } from "../../parts/links.tsx";
import { Facts, Panel } from "../../parts/panel.tsx";
import { Show } from "../../parts/states.tsx";
import { StoryList } from "../../parts/story.tsx";
import { Code, DayTime, HttpStatus } from "../../parts/text.tsx";

/** One exchange from its bytes to its answer, in the order in which it happened. */
export const OneExchange = ({ id }: { readonly id: string }) => {
  const found = useControl<Exchange>(`/exchanges/${encodeURIComponent(id)}`, "nothing");
  const closeTo = to({ view: "exchanges", query: place.value.query });
  return (
    <Panel
      title="Exchange"
      aside={
        <a class="button small" href={closeTo}>
          Close
        </a>
      }
    >
      <Show of={found.value}>
        {(exchange) => (
          <>
            <Head of={exchange} />
            {exchange.signature !== null && <Signature of={exchange.signature} />}
            <Checks of={exchange.checks} />
            <Branch title="Request" note={`${exchange.request.body.length} bytes of body`}>
              <Message of={exchange.request} label="request" />
            </Branch>
            {exchange.entries !== null && <Entries of={exchange.entries} />}
            <Branch title="Answer" note={`${exchange.answer.body.length} bytes of body`}>
              <Message of={exchange.answer} label="answer" />
            </Branch>
            <Told id={exchange.requestId} />
            <Branch title="Take it along">
              <Code label="why command" text={`gatewright why ${exchange.requestId}`} />
              <Code label="capsule command" text="gatewright capsule --out bug.capsule" />
              <Code label="scenario command" text="gatewright export bug.capsule --out case.yaml" />
            </Branch>
          </>
        )}
      </Show>
    </Panel>
  );
};

interface BranchProps {
  readonly title: string;
  readonly note?: string;
  readonly children: ComponentChildren;
}

const Branch = ({ title, note, children }: BranchProps) => (
  <details class="branch" open>
    <summary>
      {title} {note !== undefined && <small>{note}</small>}
    </summary>
    {children}
  </details>
);

const Head = ({ of }: { readonly of: Exchange }) => {
  const command = curl({
    method: of.method,
    url: location.origin + of.target,
    headers: of.request.headers,
    body: of.request.body.text ?? "",
  });
  return (
    <>
      <Facts
        rows={[
          ["Request", <b class="mono">{visible(`${of.method} ${of.target}`)}</b>],
          [
            "Answer",
            <>
              <HttpStatus of={of.status} /> {of.code !== null && visible(of.code)} in {of.durationMs} ms
            </>,
          ],
          [
            "Key",
            visible(`${of.key ?? "none that is known"}${of.client === null ? "" : ` of ${of.client}`}`),
          ],
          ["Received", <DayTime at={of.receivedAt} />],
          ["From", visible(of.address)],
          ["Entries", <EntriesLink of={of.entries} />],
          ...of.faults.map(({ rule, kind }) => ["Fault", visible(`${kind}, by the rule ${rule}`)] as const),
          ...Object.entries(of.freedoms).map(([name, option]) => ["Freedom", `${name} = ${option}`] as const),
        ]}
      />
      <div class="actions">
        <CopyButton text={command} label="Copy as curl">
          Copy as curl
        </CopyButton>
        <span class="soft">The log has no credentials: fill them in.</span>
      </div>
    </>
  );
};

const Checks = ({ of }: { readonly of: Exchange["checks"] }) => (
  <Branch title="Checks" note={`${of.filter(({ passed }) => passed).length} of ${of.length} passed`}>
    <ol class="checks">
      {of.map(({ check, passed }) => (
        <li key={check} class={passed ? "good" : "bad"}>
          <span aria-hidden="true">{passed ? "✓" : "✗"}</span> {check}
          {!passed && <b> – refused here</b>}
        </li>
      ))}
    </ol>
  </Branch>
);

/** What is left when no mistake fits, and how to tell one from the other. */
const unexplained = ({ state, tried }: NonNullable<Exchange["signature"]>): string =>
  `No known mistake explains it (${state}, ${tried} tried). Compare the text below with what your client signed: if all lines are equal, it has another secret; if only the last line differs, the body was changed after it was hashed; if the first or second line differs, the timestamp or nonce was made twice, once for the header and once for the text.`;

const Signature = ({ of }: { readonly of: NonNullable<Exchange["signature"]> }) => (
  <Branch title="The doctor says">
    <p class="problem">{visible(of.hint ?? unexplained(of))}</p>
    {of.signedCanonical === null ? (
      <Code label="Should have been signed" text={of.expectedCanonical} />
    ) : (
      <Differing
        expected={of.expectedCanonical}
        actual={of.signedCanonical}
        names={["Should have been signed", "Was signed"]}
      />
    )}
  </Branch>
);

const withoutSecrets = "The log holds the name of a key in place of its id, and no signature.";

const Message = ({
  of: { headers, body },
  label,
}: {
  readonly of: Exchange["request"];
  readonly label: string;
}) => (
  <>
    <Code
      label={`headers of the ${label}`}
      text={headers.map(({ name, value }) => `${name}: ${value}`).join("\n")}
    />
    {headers.some(({ name }) => name.toLowerCase() === "x-api-key") && <p class="soft">{withoutSecrets}</p>}
    {body.length > 0 && <Body text={body.text ?? `base64: ${body.base64 ?? ""}`} label={label} />}
  </>
);

/** The bytes that were signed, blanks included. */
const Body = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <>
    <h3>Body, as it was sent</h3>
    <Code label={`body of the ${label}`} text={text} />
    {pretty(text) !== text && (
      <details>
        <summary>The same with line breaks</summary>
        <Code label={`body of the ${label} with line breaks`} text={pretty(text)} />
      </details>
    )}
  </>
);

const Entries = ({ of: { first, last } }: { readonly of: NonNullable<Exchange["entries"]> }) => {
  const journal = useControl<Journal>(
    `/journal?from=${first}&limit=${Math.min(last - first + 1, 20)}`,
    "nothing",
  );
  return (
    <Branch title="Entries and events">
      <Show of={journal.value}>
        {({ entries }) =>
          entries.map(({ seq, kind, events }) => (
            <div key={seq}>
              <EntryLink seq={seq} /> <b>{kind}</b>
              <Code label={`events of entry ${seq}`} text={JSON.stringify(events, null, 2)} />
            </div>
          ))
        }
      </Show>
    </Branch>
  );
};

const Told = ({ id }: { readonly id: string }) => {
  const story = useControl<Story>(`/explain/${encodeURIComponent(id)}`, "nothing");
  return (
    <Branch title="Why">
      <Show of={story.value}>{({ facts }) => <StoryList facts={facts} />}</Show>
    </Branch>
  );
};
