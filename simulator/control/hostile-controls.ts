/** Many freedoms at once: those of a list, of a named set, or what a seed chooses. */
import { integer, list, maybe, oneOf, orNull, section, text as textIn } from "../schema/fields.ts";
import { mapOf, record, text } from "../wire/schema.ts";
import { type Choices, choicesOf, freedomSets, knownFreedoms, whenOf } from "../world/freedoms.ts";
import { hostileFreedoms } from "../world/hostile.ts";
import { controlRoute } from "./control-route.ts";
import { fixedFreedom, hostileMember, optionNow, switchTo } from "./switch-freedoms.ts";

const seed = (description: string) => integer(0, Number.MAX_SAFE_INTEGER, description);

const inForce = {
  schema: record("What is in force.", {
    hostile: hostileMember,
    freedoms: mapOf(text("Id of an option."), "The option of every freedom that does not have its default."),
    left: mapOf(
      text("Id of an option."),
      "Options that only a start can choose. They were left as they are.",
    ),
  }),
  example: { hostile: null, freedoms: { "F-self-trade": "none" }, left: {} },
};

const setFreedoms = controlRoute({
  method: "PUT",
  path: "/freedoms",
  operationId: "setFreedoms",
  verbs: [
    {
      words: "freedoms set",
      file: true,
      does: "Switch many freedoms at once. FILE is spelled as GET shows them.",
    },
    {
      words: "freedoms use",
      args: ["set"],
      flags: [],
      does: "Switch to a named set: polite, prime-like or strict.",
    },
  ],
  summary:
    "Switch many freedoms at once, to a named set or as a list says; of a list, what is not named stays.",
  body: {
    shape: section(
      {
        set: maybe(oneOf(freedomSets, "The named set that is to be in force.")),
        freedoms: maybe(
          list(
            section({ id: textIn(60, "Its id."), option: textIn(40, "Its option.") }, "A freedom.", {
              additionalProperties: true,
            }),
            "Freedoms, as GET shows them.",
          ),
        ),
        hostile: maybe(seed("The seed that chose them, as GET shows it: what health then names.")),
        switchable: maybe(seed("As GET shows it; nothing depends on it.")),
        fixed: maybe(seed("As GET shows it; nothing depends on it.")),
      },
      "Options of freedoms.",
    ),
    example: { freedoms: [{ id: "F-self-trade", option: "none" }] },
  },
  answer: inForce,
  refusals: [
    {
      code: "VALIDATION_FAILED",
      when: "There is no such freedom, or it has no such option.",
      body: { freedoms: [{ id: "F-self-tarde", option: "none" }] },
      message: 'freedoms.F-self-tarde is no freedom: did you mean "F-self-trade"?',
      details: [{ field: "freedoms.F-self-tarde", issue: 'is no freedom: did you mean "F-self-trade"?' }],
    },
    {
      code: "CONFLICT",
      when: "One of them cannot be switched while the venue runs.",
      body: { freedoms: [{ id: "F-signed-path", option: "either" }] },
      message:
        "F-signed-path is a setting of the server: start the sandbox with --freedom F-signed-path=OPTION, or make a world with it",
    },
  ],
  run: async (controls, _params, { set = null, freedoms = null, hostile = null }) => {
    const named = (freedoms ?? []).filter(({ id, option }) => optionNow(controls, id) !== option);
    const fixed = knownFreedoms().find(
      (freedom) => whenOf(freedom) !== "run time" && named.some(({ id }) => id === freedom.id),
    );
    if (fixed !== undefined) return fixedFreedom(fixed);
    const begin = set === null ? {} : { ...defaults(), ...choicesOf(set) };
    const listed = Object.fromEntries(named.map(({ id, option }) => [id, option]));
    const { settings } = controls.venue.state;
    return switchTo(controls, hostile === null ? settings : { ...settings, hostile }, {
      ...begin,
      ...listed,
    });
  },
});

/** Every freedom that can be switched at run time, as it is by default. */
const defaults = (): Choices =>
  Object.fromEntries(
    knownFreedoms().flatMap((freedom) =>
      whenOf(freedom) === "run time" ? [[freedom.id, freedom.default]] : [],
    ),
  );

const setHostile = controlRoute({
  method: "PUT",
  path: "/hostile",
  operationId: "setHostile",
  verbs: [
    { words: "hostile", args: ["seed"], does: "Let a seed choose an option of every freedom." },
    { words: "hostile off", fixed: { seed: null }, does: "Put back the freedoms that the world began with." },
  ],
  summary:
    "Let a seed choose an option of every freedom, none of which breaks a clause; null puts back what the world began with.",
  body: {
    shape: section({
      seed: orNull(seed("The seed; null: no hostile mode.")),
    }),
    example: { seed: 7 },
  },
  answer: { ...inForce, example: { hostile: 7, freedoms: { "F-self-trade": "none" }, left: {} } },
  run: (controls, _params, { seed }) =>
    switchTo(
      controls,
      { ...controls.built.writtenSettings, hostile: seed ?? "off" },
      seed === null ? {} : hostileFreedoms(seed),
    ),
});

export const hostileControls = [setFreedoms, setHostile] as const;
