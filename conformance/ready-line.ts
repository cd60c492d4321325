import { UsageError } from "./model/position.ts";
import { didYouMean } from "./model/suggest.ts";
import { mostBytes, readCapped } from "./parse/read-capped.ts";

// tidy-allow-file absence: a line of JSON that another program prints, which leaves a member out or says null

/** The output of `gatewright serve --json` when it is ready; the kit reads it as data, like any other file. */
export interface ReadyLine {
  readonly baseUrl: string;
  /** Null or missing if the control surface is off. */
  readonly controlUrl?: string | null;
  readonly controlToken?: string | null;
  /** Missing if there is no stream. */
  readonly wsUrl?: string | null;
  readonly keys: readonly { readonly name: string; readonly keyId: string; readonly secret: string }[];
}

export async function readReadyFile(file: string): Promise<ReadyLine> {
  const text = await readCapped("ready file", file, mostBytes.small);
  const line = text.split("\n").find((candidate) => candidate.trimStart().startsWith("{")) ?? text;
  let ready: unknown;
  try {
    ready = JSON.parse(line);
  } catch {
    throw new UsageError(`the ready file ${file} holds no JSON line`);
  }
  if (!isReadyLine(ready))
    throw new UsageError(
      `the ready file ${file} has no baseUrl and keys: is it the line of "gatewright serve --json"?`,
    );
  return ready;
}

/** The key of this name; if there is none, the error names the existing ones. */
export function keyIn(
  { keys }: ReadyLine,
  name: string,
): { readonly keyId: string; readonly secret: string } {
  const found = keys.find((key) => key.name === name);
  if (found !== undefined) return { keyId: found.keyId, secret: found.secret };
  const names = keys.map((key) => key.name);
  const hint =
    didYouMean(name, names) ?? `it has ${names.join(", ")}; choose one with --sign ${names[0] ?? "NAME"}`;
  throw new UsageError(`the ready file has no key "${name}": ${hint}`);
}

function isReadyLine(value: unknown): value is ReadyLine {
  const line = value as Partial<ReadyLine> | null;
  return (
    typeof line?.baseUrl === "string" &&
    Array.isArray(line.keys) &&
    line.keys.every((key: unknown) => {
      const { name, keyId, secret } = (key ?? {}) as Record<string, unknown>;
      return [name, keyId, secret].every((part) => typeof part === "string");
    })
  );
}

/** The variables of fixtures/profiles/simulator.yaml, from the ready line. */
export function environmentOf(ready: ReadyLine): Record<string, string> {
  const keys = ready.keys.flatMap(({ name, keyId, secret }) => {
    const prefix = `GATEWRIGHT_${name.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}`;
    return [
      [`${prefix}_KEY_ID`, keyId],
      [`${prefix}_SECRET`, secret],
    ] as const;
  });
  return {
    GATEWRIGHT_BASE_URL: ready.baseUrl,
    ...(typeof ready.wsUrl === "string" ? { GATEWRIGHT_WS_URL: ready.wsUrl } : {}),
    ...(typeof ready.controlUrl === "string" ? { GATEWRIGHT_CONTROL_URL: ready.controlUrl } : {}),
    ...(typeof ready.controlToken === "string" ? { GATEWRIGHT_CONTROL_TOKEN: ready.controlToken } : {}),
    ...Object.fromEntries(keys),
  };
}
