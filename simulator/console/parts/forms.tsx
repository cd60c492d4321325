/** Forms as data: fields, and the call that their values make. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Answer } from "../lib/api.ts";
import { report } from "./notices.tsx";

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly options?: readonly string[];
  readonly initial?: string;
  readonly hint?: string;
  readonly optional?: true;
  readonly wide?: true;
}

export type Values = Readonly<Record<string, string>>;

interface FieldProps {
  readonly field: Field;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export const FieldInput = ({ field, value, onChange }: FieldProps) => {
  const { name, label, options, hint, optional, wide } = field;
  return (
    <label class={wide === true ? "field wide" : "field"}>
      <span>
        {label}
        {optional === true && <i> (optional)</i>}
      </span>
      {options === undefined ? (
        <input
          name={name}
          value={value}
          placeholder={hint ?? ""}
          required={optional !== true}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      ) : (
        <select name={name} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          {options.map((option) => (
            <option key={option} value={option}>
              {option === "" ? (hint ?? "any") : option}
            </option>
          ))}
        </select>
      )}
    </label>
  );
};

interface FormProps {
  readonly label: string;
  readonly fields: readonly Field[];
  /** What is said when the call was taken. */
  readonly done: string;
  readonly tone?: "danger";
  readonly run: (values: Values) => Promise<Answer<unknown>>;
}

const initialOf = ({ initial, options }: Field): string => initial ?? options?.[0] ?? "";

/** One call of the sandbox. What was typed stays when it is refused. */
export const ActionForm = ({ label, fields, done, tone, run }: FormProps) => {
  const values = useSignal<Values>({});
  const busy = useSignal(false);
  const all = (): Values =>
    Object.fromEntries(fields.map((field) => [field.name, values.value[field.name] ?? initialOf(field)]));
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (busy.value) return;
    busy.value = true;
    report(await run(all()), done);
    busy.value = false;
  };
  return (
    <form class="action" onSubmit={(event) => void submit(event)}>
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          value={values.value[field.name] ?? initialOf(field)}
          onChange={(value) => (values.value = { ...values.value, [field.name]: value })}
        />
      ))}
      <button type="submit" class={tone ?? ""} aria-busy={busy.value}>
        {label}
      </button>
    </form>
  );
};

interface ActProps {
  readonly children: ComponentChildren;
  readonly done: string;
  readonly tone?: "danger";
  /** Asked before, when what it does cannot be undone. */
  readonly sure?: string;
  readonly title?: string;
  readonly run: () => Promise<Answer<unknown>>;
}

/** A button that makes one call. */
export const Act = ({ children, done, tone, sure, title, run }: ActProps) => {
  const asking = useSignal(false);
  const act = async (): Promise<void> => {
    if (sure !== undefined && !asking.value) {
      asking.value = true;
      return;
    }
    asking.value = false;
    report(await run(), done);
  };
  return (
    <button
      type="button"
      class={asking.value ? "danger" : (tone ?? "")}
      title={title}
      onClick={() => void act()}
      onBlur={() => (asking.value = false)}
    >
      {asking.value ? sure : children}
    </button>
  );
};

/** Members that were left empty are not sent. */
export const given = (values: Values): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
