/** Controls of the settings: the choices that the specification leaves open. */
import { defaultSettings, type Settings } from "../domain/settings.ts";
import { refuseProblems, success } from "../http/route.ts";
import { spellPath } from "../schema/problem.ts";
import type { Problem } from "../wire/body.ts";
import { SettingsSchema } from "../world/schema/settings.ts";
import { defaultServerSettings } from "../world/server-settings.ts";
import { byPost, controlReply, controlRoute } from "./control-route.ts";
import { settingsInForce } from "./switch-freedoms.ts";

const settingsAnswered = (changed: Partial<Settings>) => ({
  schema: SettingsSchema,
  example: { ...defaultSettings, ...defaultServerSettings, ...changed },
});

const lessDelay = { matchDelayMs: 0, stp: "none" } as const;

const changeSettings = controlRoute({
  method: "PUT",
  path: "/settings",
  operationId: "changeSettings",
  verbs: [{ words: "settings set", file: true }],
  summary:
    "Change settings of the engine, spelled as GET shows them; what is not named stays, and what only a start can change must be as it is.",
  body: { shape: SettingsSchema, example: lessDelay },
  answer: settingsAnswered(lessDelay),
  refusals: [
    {
      code: "VALIDATION_FAILED",
      when: "Another value for a setting of the server: only a start can change it.",
      body: { validation: { unknownQuery: "ignore" } },
      message: 'validation.unknownQuery is "reject" until the next start: change it in the world file',
      details: [
        {
          field: "validation.unknownQuery",
          issue: 'is "reject" until the next start: change it in the world file',
        },
      ],
    },
  ],
  run: async (controls, _params, body) => {
    const { auth, diagnostics, validation, candles, rateLimit, limits, ...settings } = body;
    const fixed = fixedChanges(
      { auth, diagnostics, validation, candles, rateLimit, limits },
      controls.built.server,
    );
    if (fixed.length > 0) return refuseProblems("VALIDATION_FAILED", fixed);
    const outcome = await controls.venue.submit({ kind: "ChangeSettings", settings });
    return controlReply(outcome, settingsInForce(controls));
  },
});

/** Everything in `given` that is not as it is in force. */
function fixedChanges(given: object, inForce: object, path: readonly string[] = []): readonly Problem[] {
  const present = new Map<string, unknown>(Object.entries(inForce));
  return Object.entries(given).flatMap(([name, value]: [string, unknown]): readonly Problem[] => {
    const at = [...path, name];
    const now = present.get(name);
    if (value === undefined || value === now) return [];
    if (typeof value === "object" && value !== null && typeof now === "object" && now !== null)
      return fixedChanges(value, now, at);
    const issue = `is ${JSON.stringify(now)} until the next start: change it in the world file`;
    return [{ field: spellPath(at), issue }];
  });
}

export const settingsControls = [
  controlRoute({
    method: "GET",
    path: "/settings",
    operationId: "readSettings",
    verbs: [{ words: "settings" }],
    summary:
      "All settings in force: those of the engine, and those of the server that only a start can change.",
    answer: settingsAnswered({}),
    run: (controls) => success(settingsInForce(controls)),
  }),
  changeSettings,
  byPost(changeSettings),
] as const;
