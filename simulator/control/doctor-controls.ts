/** The signature doctor finds the mistake in a signature that was pasted. The secret stays here. */
import { checkSettings } from "../auth/settings.ts";
import { diagnosePasted } from "../doctor/diagnose-pasted.ts";
import { invariant } from "../domain/invariant.ts";
import { success } from "../http/route.ts";
import { maybe, section, text } from "../schema/fields.ts";
import { flag, list, record, text as textOut } from "../wire/schema.ts";
import { type ControlledWorld, controlRoute, notFound } from "./control-route.ts";
import { diagnosisMembers, exampleDiagnosis } from "./diagnosis.ts";

/** The most that a text in a body of the control surface may have. */
const mostText = 4096;

const unknown = "the keys that `serve --json` printed are known here, and those of every world";

const [timestamp = "", nonce = ""] = exampleDiagnosis.expectedCanonical.split("\n");

const pasted = section(
  {
    method: text(32, "Method, as sent."),
    target: text(mostText, "Path and query, as sent."),
    host: maybe(text(mostText, "The header `Host`.")),
    contentType: maybe(text(mostText, "The header `Content-Type`.")),
    keyId: text(mostText, "The header `X-API-KEY`."),
    timestamp: text(mostText, "The header `X-API-TIMESTAMP`."),
    nonce: text(mostText, "The header `X-API-NONCE`."),
    signature: text(mostText, "The header `X-API-SIGNATURE`."),
    bodyBase64: maybe(text(mostText, "The body in base64.")),
  },
  "A signed request.",
);

const diagnose = controlRoute({
  method: "POST",
  path: "/doctor",
  operationId: "diagnoseSignature",
  verbs: [{ words: "doctor", file: true }],
  summary:
    "What is wrong with the signature of a request: the mistake, and both texts. Nothing of it is executed.",
  body: {
    shape: pasted,
    example: {
      method: "GET",
      target: "/api/v1/trading/order/open",
      keyId: "gw_demo_trader",
      timestamp,
      nonce,
      signature: "0".repeat(64),
    },
  },
  answer: {
    schema: record("A diagnosis.", {
      key: textOut("Name of the key."),
      world: textOut("Its world."),
      verifies: flag("The signature is right. Then nothing is searched."),
      remarks: list(textOut("A sentence."), "What else a venue refuses: timestamp or nonce of another form."),
      ...diagnosisMembers,
    }),
    example: { key: "trader", world: "main", verifies: false, remarks: [], ...exampleDiagnosis },
  },
  refusals: [
    {
      code: "NOT_FOUND",
      when: "No world has a key with this id.",
      body: {
        method: "GET",
        target: "/api/v1/trading/order/open",
        keyId: "gw_demo_nobody",
        timestamp,
        nonce,
        signature: "0".repeat(64),
      },
      message: `There is no key gw_demo_nobody: ${unknown}`,
    },
  ],
  run: async ({ worlds }, _params, { bodyBase64, host, contentType, ...sent }) => {
    const owner = ownerOf(worlds.all(), sent.keyId);
    if (owner === undefined) return notFound("key", sent.keyId, unknown);
    const { world, key } = owner;
    const settings = checkSettings(world.built.server.auth);
    invariant(settings.ok, "a world that runs has settings that were checked");
    const diagnosis = await diagnosePasted(
      {
        ...sent,
        host: host ?? undefined,
        contentType: contentType ?? undefined,
        body: Buffer.from(bodyBase64 ?? "", "base64"),
      },
      key.secret,
      settings.value,
      new Map(world.keys.filter((one) => one !== key).map(({ name, secret }) => [name, secret])),
    );
    return success({ key: key.name, world: world.name, ...diagnosis });
  },
});

function ownerOf(worlds: readonly ControlledWorld[], keyId: string) {
  for (const world of worlds) {
    const key = world.keys.find((one) => one.keyId === keyId);
    if (key !== undefined) return { world, key };
  }
  return undefined;
}

export const doctorControls = [diagnose] as const;
