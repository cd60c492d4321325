/** The choices that the specification leaves open: which are in force, and the switch for those of the engine. */

import { nearestName } from "../domain/nearest-name.ts";
import type { Settings } from "../domain/settings.ts";
import { type Refused, refuse, refuseProblems, success } from "../http/route.ts";
import { decode } from "../schema/decode.ts";
import { section, text as textIn } from "../schema/fields.ts";
import { count, list, nullable, oneOfText, record, text } from "../wire/schema.ts";
import { type Freedom, knownFreedoms, settingAt, valueOf } from "../world/freedoms.ts";
import { SettingsSchema } from "../world/schema/settings.ts";
import { type ControlRoute, type Controls, controlReply, controlRoute } from "./control-route.ts";
import { asProblem } from "./read-body.ts";

const whens = ["run time", "start", "never"] as const;

/** When a freedom can be switched: a setting of the engine at any time, one of the server at a start. */
const whenOf = ({ venue }: Controls, { setting }: Freedom): (typeof whens)[number] =>
  setting === null ? "never" : Object.hasOwn(venue.state.settings, setting) ? "run time" : "start";

const rowOf = (controls: Controls, freedom: Freedom) => {
  const { id, gap, setting, options, reason } = freedom;
  return {
    id,
    option: optionInForce(controls, freedom),
    switchable: whenOf(controls, freedom),
    gap,
    setting,
    options: options.map((option) => ({ id: option.id, means: option.means })),
    reason,
  };
};

/** Numbers that are no option of the register are shown as they are. */
function optionInForce({ venue, server }: Controls, freedom: Freedom): string {
  if (freedom.setting === null) return freedom.default;
  const value = settingAt({ ...venue.state.settings, ...server }, freedom.setting);
  return freedom.options.find((option) => valueOf(option) === value)?.id ?? String(value);
}

const exampleRow = {
  id: "F-self-trade",
  option: "cancel-newest",
  switchable: "run time",
  gap: "What happens when two orders of one client meet.",
  setting: "stp",
  options: [{ id: "cancel-newest", means: "the incoming order ends" }],
  reason: "The most common rule.",
};

const readFreedoms: ControlRoute = {
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
      freedoms: list(
        record("A freedom.", {
          id: text("Its id."),
          option: text("The option in force."),
          switchable: oneOfText("When it can be switched.", whens),
          gap: text("What is left open."),
          setting: nullable(text("The setting behind it.")),
          options: list(record("An option.", { id: text("Its id."), means: text("What it means.") })),
          reason: text("Why the default is what it is."),
        }),
      ),
    }),
    example: { switchable: 23, fixed: 158, freedoms: [exampleRow] },
  },
  run: (controls) => {
    const freedoms = knownFreedoms().map((freedom) => rowOf(controls, freedom));
    const fixed = freedoms.filter(({ switchable }) => switchable === "never").length;
    return success({ switchable: freedoms.length - fixed, fixed, freedoms });
  },
};

const setFreedom = controlRoute({
  method: "PUT",
  path: "/freedoms/{freedom}",
  operationId: "setFreedom",
  verbs: [{ words: "freedom", args: ["option"] }],
  summary: "Switch a freedom of the engine to another option, or to another number.",
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
        'option is none of F-self-trade, did you mean "none"? It has cancel-newest, cancel-oldest, cancel-both, decrement, none',
      details: [
        {
          field: "option",
          issue:
            'is none of F-self-trade, did you mean "none"? It has cancel-newest, cancel-oldest, cancel-both, decrement, none',
        },
      ],
    },
    {
      code: "CONFLICT",
      when: "It cannot be switched while the venue runs.",
      params: { freedom: "F-signed-path" },
      body: { option: "either" },
      message:
        "F-signed-path is a setting of the server: start the sandbox with `settings: { auth: { signedPath: … } }` in its world",
    },
  ],
  run: async (controls, { freedom: id = "" }, { option }) => {
    const freedom = knownFreedoms().find((one) => one.id === id);
    if (freedom === undefined) return unknownFreedom(id);
    const when = whenOf(controls, freedom);
    if (when !== "run time") return fixedFreedom(freedom);
    const settings = { [freedom.setting ?? ""]: valueFor(freedom, option) };
    const read = decode(SettingsSchema, settings);
    if (!read.ok)
      return freedom.options.every(({ value }) => typeof value === "number")
        ? refuseProblems("VALIDATION_FAILED", read.error.map(asProblem))
        : unknownOption(freedom, option);
    const outcome = await controls.venue.submit({
      kind: "ChangeSettings",
      // as: the schema has vouched for the one setting that is there.
      settings: settings as Partial<Settings>,
    });
    return controlReply(outcome, { freedom: id, option: optionInForce(controls, freedom) });
  },
});

/** The value of an option; of another text, the number or the text itself, for the schema to judge. */
function valueFor({ options }: Freedom, given: string): unknown {
  const option = options.find(({ id }) => id === given);
  if (option !== undefined) return valueOf(option);
  return /^\d{1,15}$/.test(given) ? Number(given) : given;
}

function unknownFreedom(id: string): Refused {
  const near = nearestName(
    id,
    knownFreedoms().map((one) => one.id),
  );
  const meant = near === null ? "" : `did you mean ${JSON.stringify(near)}? `;
  return refuse("NOT_FOUND", `There is no freedom ${id}: ${meant}GET /freedoms lists them`);
}

function unknownOption({ id, options }: Freedom, given: string): Refused {
  const ids = options.map((option) => option.id);
  const near = nearestName(given, ids);
  const meant = near === null ? "" : `, did you mean ${JSON.stringify(near)}?`;
  const issue = `is none of ${id}${meant} It has ${ids.join(", ")}`;
  return refuseProblems("VALIDATION_FAILED", [{ field: "option", issue }]);
}

function fixedFreedom({ id, setting, reason }: Freedom): Refused {
  if (setting === null)
    return refuse("CONFLICT", `${id} cannot be switched, the simulator knows its one option only: ${reason}`);
  const [outer = "", inner] = setting.split(".");
  const inWorld = inner === undefined ? `${outer}: …` : `${outer}: { ${inner}: … }`;
  return refuse(
    "CONFLICT",
    `${id} is a setting of the server: start the sandbox with \`settings: { ${inWorld} }\` in its world`,
  );
}

export const freedomControls: readonly ControlRoute[] = [readFreedoms, setFreedom];
