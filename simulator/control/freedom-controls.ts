/** The choices that the specification leaves open: which are in force, and the switch for each. */
import { nearestName } from "../domain/nearest-name.ts";
import { type Refused, refuse, success } from "../http/route.ts";
import { section, text as textIn } from "../schema/fields.ts";
import { count, list, nullable, oneOfText, record, text } from "../wire/schema.ts";
import { type Freedom, knownFreedoms, optionInForce, whenOf, whens, whyFixed } from "../world/freedoms.ts";
import { type Controls, controlRoute } from "./control-route.ts";
import { fixedFreedom, hostileMember, seedIn, settingsInForce, switchTo } from "./switch-freedoms.ts";

const rowOf = (controls: Controls, freedom: Freedom) => {
  const { id, gap, setting, options, reason } = freedom;
  return {
    id,
    option: optionInForce(freedom, settingsInForce(controls)),
    switchable: whenOf(freedom),
    gap,
    setting,
    options: options.map((option) => ({ id: option.id, means: option.means })),
    reason,
    whyFixed: whyFixed(freedom),
  };
};

const exampleRow = {
  id: "F-self-trade",
  option: "cancel-newest",
  switchable: "run time",
  gap: "What happens when two orders of one client meet.",
  setting: "stp",
  options: [{ id: "cancel-newest", means: "the incoming order ends" }],
  reason: "The most common rule.",
  whyFixed: null,
};

const readFreedoms = controlRoute({
  method: "GET",
  path: "/freedoms",
  operationId: "listFreedoms",
  verbs: [{ words: "freedoms" }],
  summary:
    "Every choice that the specification leaves open, with the option in force and when it can be switched.",
  answer: {
    schema: record("The register.", {
      switchable: count("How many can be switched at run time or at a start."),
      fixed: count("How many cannot."),
      hostile: hostileMember,
      freedoms: list(
        record("A freedom.", {
          id: text("Its id."),
          option: text("The option in force."),
          switchable: oneOfText("When it can be switched.", whens),
          gap: text("What is left open."),
          setting: nullable(text("The setting behind it; null for a variation of answers, and for none.")),
          options: list(record("An option.", { id: text("Its id."), means: text("What it means.") })),
          reason: text("Why the default is what it is."),
          whyFixed: nullable(text("Why it cannot be switched; null for one that can.")),
        }),
      ),
    }),
    example: { switchable: 50, fixed: 138, hostile: null, freedoms: [exampleRow] },
  },
  run: (controls) => {
    const freedoms = knownFreedoms().map((freedom) => rowOf(controls, freedom));
    const fixed = freedoms.filter(({ switchable }) => switchable === "never").length;
    const hostile = seedIn(controls.venue.state.settings);
    return success({ switchable: freedoms.length - fixed, fixed, hostile, freedoms });
  },
});

const setFreedom = controlRoute({
  method: "PUT",
  path: "/freedoms/{freedom}",
  operationId: "setFreedom",
  verbs: [{ words: "freedom", args: ["option"], joined: true }],
  summary: "Switch a freedom to another option, or to another number.",
  body: {
    shape: section({ option: textIn(40, "Id of the option, or a number where the setting takes one.") }),
    example: { option: "none" },
  },
  answer: {
    schema: record("What is in force.", { freedom: text("Id of the freedom."), option: text("Its option.") }),
    example: { freedom: "F-self-trade", option: "none" },
  },
  refusals: [
    {
      code: "NOT_FOUND",
      when: "There is no such freedom.",
      params: { freedom: "F-self-tarde" },
      message: 'There is no freedom F-self-tarde: did you mean "F-self-trade"? GET /freedoms lists them',
    },
    {
      code: "VALIDATION_FAILED",
      when: "The freedom has no such option.",
      body: { option: "noen" },
      message:
        'freedoms.F-self-trade has no option "noen" that can be chosen: it has cancel-newest, cancel-oldest, cancel-both, decrement, none: did you mean "none"?',
      details: [
        {
          field: "freedoms.F-self-trade",
          issue:
            'has no option "noen" that can be chosen: it has cancel-newest, cancel-oldest, cancel-both, decrement, none: did you mean "none"?',
        },
      ],
    },
    {
      code: "CONFLICT",
      when: "It cannot be switched while the venue runs.",
      params: { freedom: "F-signed-path" },
      body: { option: "either" },
      message:
        "F-signed-path is a setting of the server: start the sandbox with --freedom F-signed-path=OPTION, or make a world with it",
    },
  ],
  run: async (controls, { freedom: id = "" }, { option }) => {
    const freedom = knownFreedoms().find((one) => one.id === id);
    if (freedom === undefined) return unknownFreedom(id);
    if (whenOf(freedom) !== "run time") return fixedFreedom(freedom);
    const reply = await switchTo(controls, controls.venue.state.settings, { [id]: option });
    return reply.ok
      ? success({ freedom: id, option: optionInForce(freedom, settingsInForce(controls)) }, "Done")
      : reply;
  },
});

function unknownFreedom(id: string): Refused {
  const near = nearestName(
    id,
    knownFreedoms().map((one) => one.id),
  );
  const meant = near === null ? "" : `did you mean ${JSON.stringify(near)}? `;
  return refuse("NOT_FOUND", `There is no freedom ${id}: ${meant}GET /freedoms lists them`);
}

export const freedomControls = [readFreedoms, setFreedom] as const;
