import type { Presence } from "../model/profile.ts";

/** The result of the probe for an operation: its mapping, or unknown with the evidence. Never absent. */
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
  /** For each role, the claims that an answer showed and the requests that were tried. */
  readonly claims: Readonly<Record<string, { readonly shown: readonly string[]; readonly evidence: string }>>;
  readonly products: readonly ProductFinding[];
  /** The address of a stream, if a place asked for an upgrade. */
  readonly stream?: { readonly url: string; readonly evidence: string };
  readonly capabilities: readonly {
    readonly name: string;
    readonly presence: Presence;
    readonly evidence: string;
  }[];
  /** Other facts for the owner, one line each. */
  readonly remarks: readonly string[];
}

export interface ProductFinding {
  readonly id: string;
  readonly buyFar?: string;
  readonly sellFar?: string;
  readonly qty?: string;
  readonly spend?: string;
}
