/** Small parts of every view. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { say } from "../act.ts";
import type { Live } from "../live.ts";
import { dateText, localText, visible } from "../text.ts";

export const Panel = (props: {
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
  readonly wide?: boolean;
}) => (
  <section class={props.wide === true ? "panel wide" : "panel"} aria-label={props.title}>
    <header>
      <h2>{props.title}</h2>
      <div class="aside">{props.aside}</div>
    </header>
    <div class="body">{props.children}</div>
  </section>
);

/** What is there, or why nothing is. */
export function Shown<T>(props: {
  readonly live: Live<T>;
  readonly isEmpty?: (data: T) => boolean;
  readonly empty?: ComponentChildren;
  readonly children: (data: T) => ComponentChildren;
}) {
  const { data, error, reload } = props.live;
  if (error !== undefined)
    return (
      <div class="state refused" role="alert">
        <p>{visible(error)}</p>
        <button type="button" onClick={reload}>
          Try again
        </button>
      </div>
    );
  if (data === undefined)
    return (
      <div class="state" aria-busy="true">
        Reading …
      </div>
    );
  if (props.isEmpty?.(data) === true)
    return <div class="state">{props.empty ?? "There is nothing yet."}</div>;
  return <>{props.children(data)}</>;
}

export const Time = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={localText(at)}>
    {dateText(at)}
  </time>
);

export const Badge = ({ text }: { readonly text: string }) => (
  <span class={`badge ${text.toLowerCase().replaceAll(/[^a-z]/g, "-")}`}>{text}</span>
);

export function Copy({ text, label = "Copy" }: { readonly text: string; readonly label?: string }) {
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => say("done", `${label === "Copy" ? "Copied" : `${label}: copied`}.`),
      () => say("refused", "The browser did not allow copying: select the text instead."),
    );
  };
  return (
    <button type="button" class="small" onClick={copy}>
      {label}
    </button>
  );
}

export const Code = ({ text, label }: { readonly text: string; readonly label?: string }) => (
  <div class="code">
    <pre tabIndex={0} role="region" aria-label={label ?? "Text"}>
      {visible(text)}
    </pre>
    <Copy text={text} />
  </div>
);

export const Fields = ({ of }: { readonly of: readonly (readonly [string, ComponentChildren])[] }) => (
  <dl class="fields">
    {of.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value ?? "–"}</dd>
      </div>
    ))}
  </dl>
);

export interface FieldOf {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly hint?: string;
  readonly optional?: true;
}

/** A form whose values are texts: an empty optional one is left out. */
export function Form(props: {
  readonly fields: readonly FieldOf[];
  readonly action: string;
  readonly danger?: true;
  readonly onDone: (values: Readonly<Record<string, string>>) => unknown;
}) {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const values = [...new FormData(event.currentTarget as HTMLFormElement)];
    props.onDone(
      Object.fromEntries(values.flatMap(([name, value]) => (value === "" ? [] : [[name, String(value)]]))),
    );
  };
  return (
    <form class="row-form" onSubmit={submit}>
      {props.fields.map(({ name, label, value = "", choices, hint, optional }) => (
        <label key={name}>
          <span>{label}</span>
          {choices === undefined ? (
            <input
              name={name}
              defaultValue={value}
              placeholder={hint ?? ""}
              required={optional !== true}
              autoComplete="off"
            />
          ) : (
            <select name={name} defaultValue={value}>
              {choices.map((choice) => (
                <option key={choice} value={choice} selected={choice === value}>
                  {choice}
                </option>
              ))}
            </select>
          )}
        </label>
      ))}
      <button type="submit" class={props.danger === true ? "danger" : "primary"}>
        {props.action}
      </button>
    </form>
  );
}

/** A button that asks once more: the second click within a few seconds does it. */
export function Sure({ label, onDone }: { readonly label: string; readonly onDone: () => unknown }) {
  const asked = useSignal(false);
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const click = (): void => {
    if (asked.value) {
      asked.value = false;
      onDone();
      return;
    }
    asked.value = true;
    timer.current = window.setTimeout(() => (asked.value = false), 4_000);
  };
  return (
    <button type="button" class="danger small" onClick={click}>
      {asked.value ? `${label}: sure?` : label}
    </button>
  );
}
