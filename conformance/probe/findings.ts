import type { Presence } from "../model/profile.ts";

/** What the probe can say of an operation: how it is mapped, or unknown with what was seen. Never absent. */
export interface OperationFinding {
  readonly operation: string;
  readonly mapping?: Readonly<Record<string, string>>;
  readonly evidence: string;
}

export interface ProbeFindings {
  readonly requests: number;
  readonly clockSkew: string;
  readonly signedPath: { readonly value: "path" | "pathAndQuery" | "unknown"; readonly evidence: string };
  readonly openOrders: OperationFinding;
  readonly operations: readonly OperationFinding[];
  /** Role to the claims that some answer showed, and what was tried. */
  readonly claims: Readonly<Record<string, { readonly shown: readonly string[]; readonly evidence: string }>>;
  readonly products: readonly ProductFinding[];
  /** Where a stream can be opened, when a place asked for an upgrade. */
  readonly stream?: { readonly url: string; readonly evidence: string };
  readonly capabilities: readonly {
    readonly name: string;
    readonly presence: Presence;
    readonly evidence: string;
  }[];
  /** Other things that an owner should know, one line each. */
  readonly remarks: readonly string[];
}

export interface ProductFinding {
  readonly id: string;
  readonly buyFar?: string;
  readonly sellFar?: string;
  readonly qty?: string;
}
