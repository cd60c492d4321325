/** The market clock, what happens to orders and answers, and what the specification leaves open. */
import { type Answer, ask } from "../lib/api.ts";
import { useControl } from "../lib/resource.ts";
import type { Clock } from "../lib/shapes.ts";
import { durationMs } from "../lib/time.ts";
import { Act, ActionForm } from "../parts/forms.tsx";
import { Facts, Panel } from "../parts/panel.tsx";
import { Show } from "../parts/states.tsx";
import { DayTime } from "../parts/text.tsx";
import { FaultPanel } from "./time/faults.tsx";
import { FreedomPanel } from "./time/freedoms.tsx";
import { OutcomePanel } from "./time/outcomes.tsx";

export const TimeAndFaults = () => (
  <>
    <h1>Time and faults</h1>
    <div class="grid">
      <ClockPanel />
      <FaultPanel />
      <OutcomePanel />
      <FreedomPanel />
    </div>
  </>
);

const ClockPanel = () => {
  const clock = useControl<Clock>("/clock", "entries");
  const mode = (name: string) => () => ask("POST", "/clock", { mode: name });
  return (
    <Panel title="Market clock">
      <Show of={clock.value}>
        {({ mode: now, now: at, nextDue }) => (
          <Facts
            rows={[
              ["Pace", <b>{paces[now]}</b>],
              ["Market time", <DayTime at={at} />],
              ["Next due", nextDue === null ? "nothing" : <DayTime at={nextDue} />],
            ]}
          />
        )}
      </Show>
      <div class="actions">
        <Act run={mode("manual")} done="The market clock stands still.">
          Freeze
        </Act>
        <Act run={mode("real")} done="The market clock runs.">
          Run
        </Act>
        <Act run={mode("skip-idle")} done="The market clock skips idle time.">
          Skip idle
        </Act>
      </div>
      <ActionForm
        label="Advance"
        done="The clock has moved; everything that fell due has happened."
        fields={[{ name: "by", label: "By", initial: "1m", hint: "90s, 1h30m" }]}
        run={({ by = "" }) => advance(by)}
      />
      <ActionForm
        label="Run until"
        done="It has happened, and the clock stands there."
        fields={[
          { name: "order", label: "Order", hint: "id or client_order_id" },
          {
            name: "status",
            label: "Has the status",
            options: ["FILLED", "OPEN", "CANCELLED", "EXPIRED", "FAILED"],
          },
        ]}
        run={(until) => ask("POST", "/clock", { until })}
      />
    </Panel>
  );
};

const paces: Readonly<Record<string, string>> = {
  real: "runs like real time",
  manual: "frozen: it moves when you move it",
  "skip-idle": "runs, and skips idle time",
};

async function advance(by: string): Promise<Answer<unknown>> {
  const advanceMs = durationMs(by);
  if (advanceMs !== null) return ask("POST", "/clock", { advanceMs });
  const message = `A duration has units, such as 90s or 1h30m; this was ${by}`;
  return { ok: false, refusal: { status: 0, code: "NO_DURATION", message, details: [] } };
}
