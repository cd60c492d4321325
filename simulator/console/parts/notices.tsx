/** What an action has led to, said once at the edge of the page and to screen readers. */
import { signal } from "@preact/signals";
import type { Answer } from "../lib/api.ts";
import { visible } from "../lib/visible.ts";

interface Notice {
  readonly number: number;
  readonly good: boolean;
  readonly text: string;
}

const notices = signal<readonly Notice[]>([]);
let last = 0;

export function tell(text: string, good: boolean): void {
  last += 1;
  const notice = { number: last, good, text };
  notices.value = [...notices.value.slice(-2), notice];
  if (good) setTimeout(() => dismiss(notice), 5000);
}

function dismiss(notice: Notice): void {
  notices.value = notices.value.filter((one) => one !== notice);
}

/** Says how a call went; true when it was taken. */
export function report(answer: Answer<unknown>, done: string): boolean {
  tell(answer.ok ? done : `${answer.refusal.status || ""} ${answer.refusal.message}`.trim(), answer.ok);
  return answer.ok;
}

export const Notices = () => (
  <div class="notices" role="status" aria-live="polite">
    {notices.value.map((notice) => (
      <div key={notice.number} class={notice.good ? "notice good" : "notice bad"}>
        <span>{visible(notice.text)}</span>
        <button type="button" class="small" aria-label="Dismiss" onClick={() => dismiss(notice)}>
          ×
        </button>
      </div>
    ))}
  </div>
);
