import type { Story } from "../lib/shapes.ts";
import { visible } from "../lib/visible.ts";
import { EntryLink } from "./links.tsx";

/** The answer of `why`, one fact after another, each with the entry that it stands on. */
export const StoryList = ({ facts }: { readonly facts: Story["facts"] }) => (
  <ol class="story">
    {facts.map(({ code, sentence, values, entry }, index) => (
      <li key={`${index} ${code}`} class={/REFUSED|FAILED|REJECT/.test(code) ? "bad" : ""}>
        <span class="code-name">{code}</span> {entry !== null && <EntryLink seq={entry} />}
        <p>{visible(sentence)}</p>
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
