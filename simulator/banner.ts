/** The text that `gatewright serve` prints when it is ready. */
import type { Simulator } from "./index.ts";
import type { SimulatorOptions } from "./options.ts";
import { version } from "./version.ts";

type Running = Pick<Simulator, "baseUrl" | "keys" | "control" | "seed">;

export interface Start {
  readonly db: string;
  readonly entries: number;
  readonly control: NonNullable<SimulatorOptions["control"]>;
  /** Base URLs for other machines. */
  readonly others: readonly string[];
}

const mostKeys = 12;

export function banner(
  { baseUrl, keys, control, seed }: Running,
  { db, entries, others, ...start }: Start,
): string {
  const trader = keys.find((key) => key.name === "trader") ?? keys[0];
  const rest = keys.flatMap((key) => (key === trader ? [] : [key.keyId]));
  const more = rest.length > mostKeys ? ` and ${rest.length - mostKeys} more (serve --json)` : "";
  const off =
    start.control === "off"
      ? "off, because of --control off"
      : "off: without --control remote it answers on loopback only";
  const lines = [
    `Gatewright ${version}: a sandbox of the Order Trading Gateway`,
    "",
    `  Base URL      ${baseUrl}`,
    ...others.map((url) => `  Elsewhere     ${url}`),
    ...(control === null
      ? [
          `  Guide         ${off}`,
          `  API docs      ${off}`,
          `  Console       ${off}`,
          `  Control       ${off}`,
        ]
      : [
          `  Guide         ${control.url}/guide`,
          `  API docs      ${control.url}/docs`,
          `  Console       ${control.url}/console#token=${control.token}`,
          `  Control token ${control.token}`,
        ]),
    `  Database      ${db === ":memory:" ? "in memory: gone when this ends" : db} (${entries} entries, seed ${seed})`,
    ...(trader === undefined ? [] : [`  Key           ${trader.keyId}`, `  Secret        ${trader.secret}`]),
    ...(rest.length === 0 ? [] : [`  Other keys    ${rest.slice(0, mostKeys).join(", ")}${more}`]),
    "",
    "Ctrl-C stops it.",
    "",
  ];
  return lines.join("\n");
}
