/** fixtures/spec/ as the simulator's own tests read it. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";

export interface SpecField {
  readonly name: string;
  readonly type: string | readonly string[];
  readonly format?: string;
  readonly required: boolean;
  readonly requiredWhen?: readonly string[];
  readonly ignoredOtherwise?: boolean;
  readonly nullable: boolean;
  readonly enum?: string;
  readonly const?: string | boolean;
  readonly items?: string;
  readonly itemsEnum?: string;
  readonly values?: string;
  readonly record?: string;
  readonly sends?: string;
  readonly freedom?: string;
}

export interface SpecRecord {
  readonly open?: boolean;
  readonly fields: readonly SpecField[];
}

export interface SpecRoute {
  readonly method: string;
  readonly path: string;
  readonly request?: string;
  /** A record, or `array of` one. */
  readonly data: string;
  readonly status?: number;
}

export interface SpecClaim {
  readonly route: string;
  readonly claim?: string;
  readonly anyOf?: readonly string[];
  readonly signed?: boolean;
}

export interface SpecFields {
  readonly enums: Readonly<Record<string, { readonly values: readonly string[] }>>;
  readonly claims: { readonly routes: readonly SpecClaim[] };
  readonly headers: { readonly fields: readonly SpecField[] };
  readonly records: Readonly<Record<string, SpecRecord>>;
  readonly errorCodes: { readonly byStatus: Readonly<Record<string, readonly string[]>> };
  readonly routes: readonly SpecRoute[];
}

const read = (name: string): unknown =>
  parse(readFileSync(new URL(`../../../fixtures/spec/${name}`, import.meta.url), "utf8"));

// as: the structure of these files is checked by fixtures/spec/spec-data.test.ts.
export const specFields = read("fields.yaml") as SpecFields;
