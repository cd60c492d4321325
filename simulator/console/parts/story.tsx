import { to } from "../lib/router.ts";
import type { Story } from "../lib/shapes.ts";
import { visible } from "../lib/visible.ts";
import { EntryLink } from "./links.tsx";

type Facts = Story["facts"];
type Values = Facts[number]["values"];

/** What holds now, which stands last in the story: what an open order waits for, or how one has ended. */
export const Now = ({ facts }: { readonly facts: Facts }) => {
  const open = facts.filter(({ code }) => /^(WAITS|NEVER|HALTED)/.test(code));
  const shown = open.length > 0 ? open : facts.filter(({ code }) => code !== "SYNCED").slice(-1);
  return (
    <div class="card">
      {shown.map(({ code, sentence }) => (
        <p key={code}>
          <b>Now:</b> <Sentence text={sentence} />
        </p>
      ))}
    </div>
  );
};

/** A sentence in which each "entry N" leads to that entry. */
const Sentence = ({ text }: { readonly text: string }) => (
  <>
    {text.split(/\bentry (\d+)/).map((part, index) =>
      index % 2 === 0 ? (
        visible(part)
      ) : (
        <span key={index}>
          entry <EntryLink seq={Number(part)} />
        </span>
      ),
    )}
  </>
);

const TradeLink = ({ facts, trade }: { readonly facts: Facts; readonly trade: Values[string] }) => {
  const product = facts.find(({ values }) => typeof values["product"] === "string")?.values["product"];
  const address = to({ view: "market", id: String(product ?? ""), query: { trade: String(trade) } });
  return <a href={address}>both sides of trade {String(trade)}</a>;
};

/** The answer of `why`, one fact after another, each with the entry that it stands on. */
export const StoryList = ({ facts }: { readonly facts: Facts }) => (
  <ol class="story">
    {facts.map(({ code, sentence, values, entry }, index) => (
      <li key={`${index} ${code}`} class={/REFUSED|FAILED|REJECT/.test(code) ? "bad" : ""}>
        <span class="code-name">{code}</span> {entry !== null && <EntryLink seq={entry} />}{" "}
        {code === "TRADED" && <TradeLink facts={facts} trade={values["trade"]} />}
        <p>
          <Sentence text={sentence} />
        </p>
        {Object.keys(values).length > 0 && (
          <details>
            <summary>Numbers</summary>
            <dl class="facts">
              {Object.entries(values).map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd class="mono">{visible(typeof value === "string" ? value : JSON.stringify(value))}</dd>
                </div>
              ))}
            </dl>
          </details>
        )}
      </li>
    ))}
  </ol>
);
