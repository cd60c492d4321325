/** Small pieces of text: times, amounts, states, bytes. */
import { grouped, isNegative } from "../lib/decimal.ts";
import { clockText, dayText, localText } from "../lib/time.ts";
import { cut, visible } from "../lib/visible.ts";
import { CopyButton } from "./copy.tsx";

/** The local time is spelled when somebody points at a time: to spell those of a whole table took longer than to draw it. */
export function tellLocal({ currentTarget }: { readonly currentTarget: HTMLTimeElement }): void {
  currentTarget.title = localText(currentTarget.dateTime);
}

export const Time = ({ at }: { readonly at: string }) => (
  <time class="num" dateTime={at} onPointerEnter={tellLocal}>
    {clockText(at)}
  </time>
);

export const DayTime = ({ at }: { readonly at: string }) => (
  <time class="num" dateTime={at} onPointerEnter={tellLocal}>
    {dayText(at)} {clockText(at)}
  </time>
);

export const Amount = ({ of, signed }: { readonly of: string | null; readonly signed?: boolean }) =>
  of === null ? (
    <span class="soft">–</span>
  ) : (
    <span class={signed === true && of !== "0" ? (isNegative(of) ? "num down" : "num up") : "num"}>
      {signed === true && !isNegative(of) && of !== "0" ? "+" : ""}
      {grouped(of)}
    </span>
  );

const tones: Readonly<Record<string, string>> = {
  OPEN: "info",
  PENDING: "warn",
  FILLED: "good",
  CONFIRMED: "good",
  FAILED: "bad",
  running: "good",
};

export const Status = ({ of }: { readonly of: string }) => (
  <span class={`tag ${tones[of] ?? ""}`}>{visible(of)}</span>
);

export const HttpStatus = ({ of }: { readonly of: number | null }) => (
  <span class={`tag ${of === null || of === 0 ? "warn" : of < 300 ? "good" : of < 500 ? "bad" : "warn"}`}>
    {of === null || of === 0 ? "no answer" : of}
  </span>
);

export const Side = ({ of }: { readonly of: string }) => (
  <span class={of === "BUY" ? "up" : "down"}>{of}</span>
);

export const shortId = (id: string): string => (id.length > 13 ? `${id.slice(0, 8)}…` : id);

/** A sentence of the simulator, in which names stand between backticks. */
export const Prose = ({ text }: { readonly text: string }) => (
  <>
    {text
      .split("`")
      .map((part, index) => (index % 2 === 1 ? <code key={index}>{visible(part)}</code> : visible(part)))}
  </>
);

interface CodeProps {
  readonly text: string;
  readonly label: string;
}

/** A text of somebody else or a command, with a button that copies it whole. */
export const Code = ({ text, label }: CodeProps) => {
  const shown = cut(text);
  return (
    <div class="code">
      <CopyButton text={text} label={`Copy ${label}`} />
      <pre tabIndex={0} role="region" aria-label={label}>
        {shown.text}
        {shown.left > 0 && <i>{`\n… and ${shown.left} more characters: the copy has them all`}</i>}
      </pre>
    </div>
  );
};
