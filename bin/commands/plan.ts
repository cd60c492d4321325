/** It goes the way of `conform`, up to the point where something would be sent. */
import type { Command } from "@commander-js/extra-typings";
import * as kit from "../../conformance/commands.ts";
import type { FlagsOf } from "../flag-values.ts";
import { jsonText, show } from "../screen.ts";
import { withSelectionFlags } from "../selection-flags.ts";
import { targetOf, tellOfEarlierRuns, withTargetFlags } from "../target-flags.ts";

type RunPlan = Awaited<ReturnType<(typeof kit)["planRun"]>>;

const declare = (program: Command) =>
  withSelectionFlags(
    withTargetFlags(
      program
        .command("plan")
        .description(
          "Show what a conformance run would send to a target, what it would not send, and why. Sends nothing.",
        ),
    ),
  ).option("--json", "print the plan as JSON");

export const register = (program: Command): void => void declare(program).action(plan);

type PlanFlags = FlagsOf<typeof declare>;

async function plan(flags: PlanFlags): Promise<void> {
  const { scenarios, only, skip, level } = flags;
  const target = await targetOf(flags);
  const planned = await kit.planRun({ ...target, scenarios, only, skip, level });
  await tellOfEarlierRuns(flags, target);
  show(flags.json === true ? `${jsonText(planned)}\n` : shown(planned));
}

function shown({
  target,
  baseUrl,
  allow,
  budget,
  paths,
  cases,
  totals,
  limits,
  time,
  beyondBudget,
}: RunPlan): string {
  const { printable, byReason, someOf } = kit;
  const money = (notional: Readonly<Record<string, string>>): string =>
    Object.entries(notional)
      .map(([quote, amount]) => `${amount} ${quote}`)
      .join(", ");
  const running = cases.filter(({ gate }) => gate === "runs");
  const kept = (["blocked", "not applicable"] as const).flatMap((gate) =>
    byReason(cases.filter((planned) => planned.gate === gate)).map(
      ({ reason, ids }) => `${gate.toUpperCase()} ${ids.length} × ${printable(reason)} (${someOf(ids, 3)})`,
    ),
  );
  const lines = running.map((planned) =>
    [
      planned.safety.padEnd(11),
      `≤${planned.most.requests}`.padStart(5),
      `${planned.orders}/≤${planned.most.orders}`.padStart(7),
      ` ${printable(planned.id)}`,
    ].join(" "),
  );
  const notional = money(totals.notional);
  return [
    "safety      reqs  orders  case (orders: at a target that conforms / at one that accepts all)",
    ...lines,
    "",
    ...kept,
    ...(kept.length === 0 ? [] : [""]),
    `${printable(target)} at ${baseUrl}: ${totals.runs} cases run, ${totals.blocked} blocked, ${totals.notApplicable} not applicable; up to "${allow}"`,
    `at most ${totals.most.requests} of ${budget.requests} requests (${budget.rps} a second), ${totals.orders} of ${budget.orders} orders${notional === "" ? "" : `, ${notional}`}`,
    ...(limits === undefined ? [] : limitLines(limits, money)),
    ...(paths.length === 0 ? [] : [`opened by safety.paths: ${printable(paths.join(", "))}`]),
    ...timeLines(time),
    ...beyondBudget.map((problem) => `BEYOND THE BUDGET: ${printable(problem)}`),
    "Nothing was sent.",
    "",
  ].join("\n");
}

function limitLines(
  { times, perOrder, notional }: NonNullable<RunPlan["limits"]>,
  money: (notional: Readonly<Record<string, string>>) => string,
): string[] {
  const lines = Object.entries(perOrder).map(([product, { quantity, notional: cost }]) => {
    const [base = "", quote = ""] = product.split("-");
    const known = [...(quantity ? [`${quantity} ${base}`] : []), ...(cost ? [`${cost} ${quote}`] : [])];
    return `  ${product}: ${known.join(", ") || "known when the target has been asked"}`;
  });
  return [
    `no order is sent that is more than ${times} times a usual one of its product:`,
    ...lines,
    `no order is sent that makes the run come to more than ${money(notional) || "nothing yet: safety.products states no amounts"} (safety.notional)`,
  ];
}

function timeLines({
  rps,
  requests,
  waitSeconds,
  seconds,
  mostSeconds,
  propertySeconds,
  propertiesFollow,
}: RunPlan["time"]): string[] {
  return [
    `it takes about ${duration(seconds)}: ${requests} requests at ${rps} a second, and ${duration(waitSeconds)} of waiting; at most ${duration(mostSeconds)}, if every poll lasts to its end`,
    propertiesFollow
      ? "this is the time of the cases; on this machine the properties run after them and take several times as long (--properties off leaves them out)"
      : `on another machine --properties on adds at most ${duration(propertySeconds)}`,
  ];
}

function duration(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 120 ? `${whole} s` : `${Math.round(whole / 60)} min`;
}
