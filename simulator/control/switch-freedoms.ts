/** The switch behind every control of freedoms: one command changes all settings that the choices stand for. */
import type { Settings } from "../domain/settings.ts";
import { type Refused, refuse, refuseProblems } from "../http/route.ts";
import type { Problem } from "../wire/body.ts";
import { count, nullable } from "../wire/schema.ts";
import { type ChoiceProblem, withChoices } from "../world/choose-freedoms.ts";
import {
  type Choices,
  choicesInForce,
  type Freedom,
  knownFreedoms,
  optionInForce,
  whenOf,
  whyFixed,
} from "../world/freedoms.ts";
import { type Controls, controlReply } from "./control-route.ts";

export const hostileMember = nullable(count("The seed that chose the freedoms; null when none did."));

export const seedIn = ({ hostile }: Settings): number | null =>
  typeof hostile === "number" ? hostile : null;

/** Those that can be set, spelled as a world file spells them. */
export function settingsInForce({ venue, built: { server } }: Controls) {
  const { hostile: _, ...settings } = venue.state.settings;
  return { answerDelayMs: 0, variations: [], ...settings, ...server };
}

/** Null for an id that is not in the register. */
export function optionNow(controls: Controls, id: string): string | null {
  const freedom = knownFreedoms().find((one) => one.id === id);
  return freedom === undefined ? null : optionInForce(freedom, settingsInForce(controls));
}

export const idsOf = (when: ReturnType<typeof whenOf>): ReadonlySet<string> =>
  new Set(knownFreedoms().flatMap((freedom) => (whenOf(freedom) === when ? [freedom.id] : [])));

const choiceProblem = ({ freedom, issue, advice }: ChoiceProblem): Problem => ({
  field: `freedoms.${freedom}`,
  issue: advice === null ? issue : `${issue}: ${advice}`,
});

/** Puts the settings `from`, with the choices that a running venue can take, in force; the others are named in the answer. */
export async function switchTo(controls: Controls, from: Settings, choices: Choices) {
  const atStart = idsOf("start");
  const { hostile = "off", ...engine } = from;
  const entries = Object.entries(choices);
  const chosen = withChoices(engine, Object.fromEntries(entries.filter(([id]) => !atStart.has(id))));
  if (!chosen.ok) return refuseProblems("VALIDATION_FAILED", chosen.error.map(choiceProblem));
  // as: only settings of the engine were chosen, and the schema has vouched for them.
  const settings = { answerDelayMs: 0, variations: [], ...chosen.value, hostile } as Partial<Settings>;
  const outcome = await controls.venue.submit({ kind: "ChangeSettings", settings });
  const left = entries.filter(([id, option]) => atStart.has(id) && optionNow(controls, id) !== option);
  return controlReply(outcome, {
    hostile: seedIn(controls.venue.state.settings),
    freedoms: choicesInForce(controls.venue.state.settings, controls.built.server),
    left: Object.fromEntries(left),
  });
}

export function fixedFreedom(freedom: Freedom): Refused {
  const { id } = freedom;
  const why = whyFixed(freedom);
  return why !== null
    ? refuse("CONFLICT", `${id} cannot be switched, the simulator knows its one option only: ${why}`)
    : refuse(
        "CONFLICT",
        `${id} is a setting of the server: start the sandbox with --freedom ${id}=OPTION, or make a world with it`,
      );
}
