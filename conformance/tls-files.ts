import { UsageError } from "./model/position.ts";
import type { Profile } from "./model/profile.ts";
import { mostBytes, readCapped } from "./parse/read-capped.ts";
import type { Source } from "./parse/source.ts";

/** The files of `tls`, and what each holds. */
const pemFiles = {
  ca: ["certificate authority", /-----BEGIN CERTIFICATE-----/],
  cert: ["certificate", /-----BEGIN CERTIFICATE-----/],
  key: ["private key", /-----BEGIN (?:\w+ )?PRIVATE KEY-----/],
} as const;

/** Reads the files of `tls` together with the profile, so that every later connection has them. */
export async function withCertificates(tls: Profile["tls"], source: Source): Promise<Profile["tls"]> {
  const refuse = (member: string, message: string): never => {
    throw new UsageError("the profile is not valid", [source.problem(["tls", member], message)]);
  };
  if ((tls.cert === undefined) !== (tls.key === undefined))
    refuse(tls.cert === undefined ? "key" : "cert", "tls.cert and tls.key belong together: name both files");
  const read: Record<string, string> = {};
  for (const [member, [what, content]] of Object.entries(pemFiles)) {
    // as: the members of the table are those of `tls`.
    const file = tls[member as keyof typeof pemFiles];
    if (file === undefined) continue;
    const text = await readCapped(what, file, mostBytes.small).catch((error: Error) =>
      refuse(member, error.message),
    );
    if (!content.test(text)) refuse(member, `${file} holds no ${what} in PEM`);
    read[member] = text;
  }
  return { ...tls, ...read };
}
