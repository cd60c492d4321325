/** Reads the profile of a target, once for all environments in which it is used. */
import { createHash } from "node:crypto";
import { dirname, resolve } from "node:path";
import { lintProfile, writtenSecrets } from "./lint/lint-profile.ts";
import { inOneRound, type Problem, UsageError } from "./model/position.ts";
import type { Profile } from "./model/profile.ts";
import { type Environment, toProfile } from "./parse/profile.ts";
import { mostBytes, readCapped } from "./parse/read-capped.ts";
import { checkSchema } from "./parse/schema-check.ts";
import { readSource } from "./parse/source.ts";
import { YamlReader } from "./parse/yaml-reader.ts";
import { withCertificates } from "./tls-files.ts";

export async function readProfile(file: string, environment: Environment): Promise<Profile> {
  return (await readProfileFile(file))(environment);
}

/** A file that is read once for several targets: each has its own environment. */
export async function readProfileFile(file: string): Promise<(environment: Environment) => Promise<Profile>> {
  using reader = new YamlReader();
  return await profileFrom(file, reader);
}

export async function profileFrom(
  file: string,
  reader: YamlReader,
): Promise<(environment: Environment) => Promise<Profile>> {
  const text = await readCapped("profile", file, mostBytes.small);
  const reading = await readSource(file, text, reader);
  const { source } = reading;
  const misspelt = reading.ok ? [] : reading.problems;
  if (source === undefined) throw new UsageError("the profile is not valid", misspelt);
  const found = inOneRound(misspelt, checkSchema(source, "profile"), lintProfile(source));
  const secrets = writtenSecrets(source);
  return async (environment) => {
    const profile = toProfile(source, environment, found);
    if (!profile.ok)
      throw new UsageError(
        "the profile is not valid",
        profile.problems.map((problem) => withoutSecrets(problem, secrets)),
      );
    const tls = await withCertificates(profile.profile.tls, source);
    const read = {
      ...profile.profile,
      tls,
      digest: `sha256:${createHash("sha256").update(text).digest("hex")}`,
    };
    const { expectations } = read;
    return expectations === undefined
      ? read
      : { ...read, expectations: resolve(dirname(file), expectations) };
  };
}

/** Removes secrets from the shown line, because it goes to terminals and to CI logs. */
function withoutSecrets(problem: Problem, secrets: readonly string[]): Problem {
  const hidden = (text: string): string =>
    secrets.reduce((shown, secret) => shown.replaceAll(secret, "*".repeat(8)), text);
  const { message, excerpt } = problem;
  return {
    ...problem,
    message: hidden(message),
    ...(excerpt === undefined ? {} : { excerpt: hidden(excerpt) }),
  };
}
