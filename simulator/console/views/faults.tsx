/** Time, and what goes wrong on purpose: the clock, outcomes of the next orders, fault rules, freedoms, hostile mode. */
import { useSignal } from "@preact/signals";
import { act } from "../act.ts";
import { type Answer, call, segment } from "../api.ts";
import { useLive } from "../live.ts";
import { Badge, Code, Fields, Form, Panel, Shown, Sure, Time } from "../parts/parts.tsx";
import { visible } from "../text.ts";

type Clock = Answer<"clock", "read">;
type Outcomes = Answer<"outcomes", "read">;
type Faults = Answer<"faults", "read">;
type Freedoms = Answer<"freedoms", "read">;

export function FaultsView() {
  const clock = useLive<Clock>("/clock", ["seq", "clock", "marketTime"]);
  const outcomes = useLive<Outcomes>("/outcomes", ["epoch"]);
  const keys = useLive<Answer<"key", "list">>("/keys", ["epoch"]);
  const faults = useLive<Faults>("/faults");
  const freedoms = useLive<Freedoms>("/freedoms");
  return (
    <div class="grid">
      <Panel title="Market clock">
        <Shown live={clock}>{(data) => <ClockCard clock={data} />}</Shown>
      </Panel>
      <Panel title="The next orders of a key">
        <Shown live={outcomes}>
          {(data) => <Next outcomes={data} keys={keys.data?.map(({ name }) => name) ?? ["trader"]} />}
        </Shown>
      </Panel>
      <Panel title="Fault rules" wide>
        <Shown live={faults}>{(data) => <Rules faults={data} />}</Shown>
      </Panel>
      <Panel
        title="Freedoms of the specification"
        wide
        aside={
          <span class="soft">
            {freedoms.data === undefined ? "" : `${freedoms.data.switchable} can be switched`}
          </span>
        }
      >
        <Shown live={freedoms}>{(data) => <Choices freedoms={data} />}</Shown>
      </Panel>
    </div>
  );
}

function ClockCard({ clock: { mode, now, nextDue } }: { readonly clock: Clock }) {
  const move = (done: string, body: object) => () => act(done, () => call("POST", "/clock", body));
  return (
    <>
      <Fields
        of={[
          ["Mode", mode],
          ["Market time", <Time at={now} />],
          ["Next due", nextDue === null ? "nothing" : <Time at={nextDue} />],
        ]}
      />
      <div class="buttons">
        <button type="button" onClick={move("The clock stands.", { mode: "manual" })}>
          Freeze
        </button>
        <button type="button" onClick={move("The clock runs.", { mode: "real" })}>
          Run
        </button>
        <button type="button" onClick={move("The clock skips what is idle.", { mode: "skip-idle" })}>
          Skip idle time
        </button>
      </div>
      <div class="buttons">
        {(
          [
            ["1 s", 1_000],
            ["1 min", 60_000],
            ["1 h", 3_600_000],
            ["1 day", 86_400_000],
          ] as const
        ).map(([label, advanceMs]) => (
          <button
            key={label}
            type="button"
            disabled={mode === "real"}
            onClick={move(`The clock went on by ${label}.`, { advanceMs })}
          >
            + {label}
          </button>
        ))}
      </div>
      {mode === "real" ? <p class="soft">A clock that runs cannot be moved: freeze it first.</p> : null}
    </>
  );
}

function Next({
  outcomes: { outcomes },
  keys,
}: {
  readonly outcomes: Outcomes;
  readonly keys: readonly string[];
}) {
  const forced = outcomes.filter(({ forced: isForced }) => isForced);
  const chosen = useSignal(forced[0]?.code ?? "");
  const one = forced.find(({ code }) => code === chosen.value);
  const give = (event: SubmitEvent): void => {
    event.preventDefault();
    const values = new FormData(event.currentTarget as HTMLFormElement);
    const body = { code: chosen.value, key: String(values.get("key")), count: Number(values.get("count")) };
    void act(
      `The next ${body.count === 1 ? "order" : `${body.count} orders`} of ${body.key}: ${body.code}.`,
      () => call("POST", "/outcomes/next", body),
    );
  };
  return (
    <form class="row-form" onSubmit={give}>
      <label>
        <span>Outcome</span>
        <select value={chosen.value} onChange={(event) => (chosen.value = event.currentTarget.value)}>
          {forced.map(({ code }) => (
            <option key={code}>{code}</option>
          ))}
        </select>
      </label>
      <label>
        <span>Key</span>
        <select name="key">
          {keys.map((key) => (
            <option key={key}>{key}</option>
          ))}
        </select>
      </label>
      <label>
        <span>Orders</span>
        <input name="count" type="number" min="1" max="10000" defaultValue="1" required />
      </label>
      <button type="submit" class="primary">
        Give it
      </button>
      {one === undefined ? null : (
        <p class="soft">
          {visible(one.does.replaceAll("`", ""))}. A <code>client_order_id</code> that begins with{" "}
          <code>{one.prefix}</code> meets it, too.
        </p>
      )}
    </form>
  );
}

function Rules({ faults: { rules, counts = [] } }: { readonly faults: Faults }) {
  const countOf = (id: string) => counts.find((one) => one.id === id);
  const written = useSignal('{ "id": "lost-answer", "outcome": "LOST_ANSWER", "nth": 1 }');
  const add = (): void =>
    void act("The rule is in force.", async () => {
      let rule: unknown;
      try {
        rule = JSON.parse(written.value);
      } catch (error) {
        throw new Error(`The rule is no JSON: ${(error as Error).message}`);
      }
      return call("POST", "/faults/rules", rule);
    });
  return (
    <>
      {rules.length === 0 ? (
        <p class="soft">
          No rule is in force: nothing goes wrong, but for reserved beginnings of <code>client_order_id</code>
          .
        </p>
      ) : null}
      {rules.map((rule) => (
        <div key={rule.id} class="card">
          <b>{rule.id}</b>{" "}
          <span class="soft">
            met {countOf(rule.id)?.matched ?? 0} requests, fired {countOf(rule.id)?.fired ?? 0} times
          </span>
          <Code text={JSON.stringify(rule)} label={`Rule ${rule.id}`} />
        </div>
      ))}
      <label class="block">
        <span>A rule, as JSON</span>
        <textarea
          rows={2}
          value={written.value}
          onInput={(event) => (written.value = event.currentTarget.value)}
        />
      </label>
      <div class="buttons">
        <button type="button" class="primary" onClick={add}>
          Add the rule
        </button>
        {rules.length === 0 ? null : (
          <Sure
            label="Remove all rules"
            onDone={() => act("No fault rule is left.", () => call("DELETE", "/faults"))}
          />
        )}
        <a class="button small" href="docs" target="_blank" rel="noreferrer">
          What a rule can say
        </a>
      </div>
    </>
  );
}

function Choices({ freedoms: { freedoms, hostile } }: { readonly freedoms: Freedoms }) {
  const search = useSignal("");
  const all = useSignal(false);
  const words = search.value.toLowerCase();
  const found = freedoms.filter(
    ({ id, gap, switchable }) =>
      (all.value || switchable === "run time") && `${id} ${gap}`.toLowerCase().includes(words),
  );
  return (
    <>
      <div class="filters">
        <label>
          <span>Search</span>
          <input
            value={search.value}
            placeholder="self-trade"
            onInput={(event) => (search.value = event.currentTarget.value)}
          />
        </label>
        <label class="check">
          <input type="checkbox" checked={all.value} onChange={() => (all.value = !all.value)} /> also those
          that cannot be switched now
        </label>
        <Form
          action={hostile === null ? "Switch hostile mode on" : `Hostile: seed ${hostile}`}
          fields={[{ name: "seed", label: "Seed", value: "7" }]}
          onDone={({ seed }) =>
            act("A seed has chosen the freedoms.", () => call("PUT", "/hostile", { seed: Number(seed) }))
          }
        />
        {hostile === null ? null : (
          <button
            type="button"
            onClick={() => act("Hostile mode is off.", () => call("PUT", "/hostile", { seed: null }))}
          >
            Switch it off
          </button>
        )}
      </div>
      <div class="scroll tall">
        <table>
          <thead>
            <tr>
              <th>Freedom</th>
              <th>What is open</th>
              <th>Option</th>
            </tr>
          </thead>
          <tbody>
            {found.map(({ id, gap, option, options, switchable, whyFixed }) => (
              <tr key={id}>
                <td class="mono">{id}</td>
                <td>
                  {gap}
                  {whyFixed === null ? null : <p class="soft">{whyFixed}</p>}
                </td>
                <td>
                  {switchable === "run time" && options.some((one) => one.id === option) ? (
                    <select
                      aria-label={id}
                      value={option}
                      onChange={(event) => {
                        const { value } = event.currentTarget;
                        void act(`${id} is ${value} now.`, () =>
                          call("PUT", `/freedoms/${segment(id)}`, { option: value }),
                        );
                      }}
                    >
                      {options.map((one) => (
                        <option key={one.id} value={one.id} title={one.means}>
                          {one.id}
                        </option>
                      ))}
                    </select>
                  ) : (
                    <Badge text={option} />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {found.length === 0 ? <p class="soft">No freedom is like that.</p> : null}
      </div>
    </>
  );
}
