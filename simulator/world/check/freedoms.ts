/** Chosen freedoms of a world file: unknown ids and options, and settings that are given twice. */
import { withChoices } from "../choose-freedoms.ts";
import { type Choices, knownFreedoms, settingAt } from "../freedoms.ts";
import type { Reporter } from "./reporter.ts";

export function checkFreedoms(world: { readonly [name: string]: unknown }, report: Reporter): void {
  const { freedoms, settings } = world;
  if (!isChoices(freedoms)) return;
  const read = withChoices({}, freedoms);
  for (const { freedom, kind, issue, advice } of read.ok ? [] : read.error)
    report[kind === "option" ? "value" : "key"](["freedoms", freedom], issue, advice);
  for (const { id, setting } of knownFreedoms())
    if (setting !== null && Object.hasOwn(freedoms, id) && isGiven(settings, setting))
      report.key(["freedoms", id], `is settings.${setting}, which this file gives, too`);
}

const isChoices = (value: unknown): value is Choices =>
  typeof value === "object" && value !== null && Object.values(value).every((one) => typeof one === "string");

const isGiven = (settings: unknown, path: string): boolean =>
  typeof settings === "object" && settings !== null && settingAt(settings, path) !== undefined;
