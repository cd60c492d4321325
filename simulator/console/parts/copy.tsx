import { useSignal } from "@preact/signals";

interface CopyProps {
  readonly text: string;
  readonly label: string;
  readonly children?: string;
}

/** Copies a text, and says so. */
export const CopyButton = ({ text, label, children = "Copy" }: CopyProps) => {
  const said = useSignal("");
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => (said.value = "Copied"),
      () => (said.value = "Not allowed here"),
    );
  };
  return (
    <button
      type="button"
      class="small copy"
      aria-label={label}
      onClick={copy}
      onBlur={() => (said.value = "")}
    >
      {said.value || children}
    </button>
  );
};
