/** `gatewright doctor`: the mistake behind the signature of a pasted request. The request is not sent anywhere. */
import process from "node:process";
import { type Command, Option } from "@commander-js/extra-typings";
import * as kit from "../../conformance/commands.ts";
import { exitCodes } from "../../conformance/exit-codes.ts";
import { diagnoseSignature, type SignatureDiagnosis } from "../../simulator/index.ts";
import { count, flag, listOf, oneOf, orNull, record, text } from "../answer-shape.ts";
import { CommandFailure } from "../command-failure.ts";
import { type Access, accessIn, readAnswer, withAccessFlags } from "../control-access.ts";
import { type Pasted, readPasted } from "../doctor/pasted.ts";
import { unreadable } from "../doctor/pasted-http.ts";
import { textsShown } from "../doctor/texts.ts";
import { secretFrom } from "../flag-values.ts";
import { jsonText, show } from "../screen.ts";
import { standardInput } from "../standard-input.ts";

export function register(program: Command): void {
  withAccessFlags(
    program
      .command("doctor")
      .description(
        "Name the mistake in the signature of a pasted request: a curl command, raw HTTP, or an entry of a HAR file.",
      ),
  )
    .argument("<file>", "the file with the request; - reads standard input")
    .option("--key-id <id>", "the key id that the request must have, without a sandbox")
    .option("--secret-env <variable>", "environment variable that holds the secret, without a sandbox")
    .addOption(
      new Option("--signed-path <form>", "without a sandbox: whether the target signs the query too")
        .choices(["path", "path-and-query"] as const)
        .default("path" as const),
    )
    .option("--json", "print the diagnosis as one line of JSON")
    .action(async (file, flags) => {
      const bytes = await bytesOf(file);
      // Without a secret, the sandbox is asked, and its secrets stay there.
      const access = flags.secretEnv === undefined ? await accessIn(flags) : undefined;
      const pasted = readPasted(bytes);
      const diagnosis =
        access === undefined ? await diagnoseHere(pasted, flags) : await askSandbox(pasted, access);
      show(flags.json === true ? `${jsonText(diagnosis)}\n` : textOf(diagnosis));
      const isKnown = diagnosis.verifies || diagnosis.state === "found";
      process.exitCode = isKnown ? exitCodes.ok : exitCodes.nonConformant;
    });
}

async function bytesOf(file: string): Promise<Buffer> {
  const most = kit.mostBytes.small;
  if (file !== "-") return kit.readBytesCapped("pasted request", file, most);
  return standardInput("the pasted request cannot be read", most);
}

const diagnosisShape = record({
  verifies: flag,
  remarks: listOf(text),
  state: oneOf("found", "unexplained", "unfinished", "notSearched"),
  mistakes: listOf(text),
  hint: orNull(text),
  expectedCanonical: text,
  signedCanonical: orNull(text),
  firstDifference: orNull(record({ line: count, byte: count })),
  tried: count,
});

interface Flags {
  readonly keyId?: string | undefined;
  readonly secretEnv?: string | undefined;
  readonly signedPath: "path" | "path-and-query";
}

function diagnoseHere(pasted: Pasted, flags: Flags): Promise<SignatureDiagnosis> {
  const { keyId = pasted.keyId, secretEnv = "", signedPath } = flags;
  if (keyId !== pasted.keyId)
    throw new CommandFailure(
      `the request has the key ${kit.printable(pasted.keyId)}, and --key-id is ${keyId}: give the secret of its key`,
    );
  return diagnoseSignature(pasted, secretFrom(secretEnv), signedPath);
}

/** A text in a body of the control surface is not longer, and base64 takes a third more. */
const mostAsked = 3072;

async function askSandbox(pasted: Pasted, access: Access): Promise<SignatureDiagnosis> {
  const { body, ...sent } = pasted;
  if (body.length > mostAsked)
    throw unreadable(`its body has more than ${mostAsked} bytes: give its secret with --secret-env`);
  const asked = { ...sent, ...(body.length === 0 ? {} : { bodyBase64: body.toString("base64") }) };
  return readAnswer(access, { method: "POST", path: "/doctor", body: asked }, diagnosisShape);
}

function textOf(diagnosis: SignatureDiagnosis): string {
  const { verifies, hint, tried, remarks, firstDifference, state } = diagnosis;
  const right =
    "The signature is right. If the request was refused, it was too old, or its nonce was used before: sign each request anew.";
  const unfinished = state === "unfinished" ? ", and there was no time for the others" : "";
  const nothing = `None of the ${tried} mistakes and pairs of mistakes that were tried gives this signature${unfinished}. Most likely the secret is another, or the body was changed after signing.`;
  const texts = textsShown(
    {
      ...diagnosis,
      differsInLine: firstDifference?.line ?? null,
      differsAtByte: firstDifference?.byte ?? null,
    },
    "  ",
  );
  const lines = verifies ? [right, ...remarks] : [hint ?? nothing, ...remarks, "", texts];
  return `${lines.join("\n")}\n`;
}
