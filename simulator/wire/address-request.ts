/** The body of POST /wallet/deposit-address. */
import { ok } from "../domain/result.ts";
import { networkId, optional, section, symbol } from "../schema/fields.ts";
import { asBody, type Decoded, type DecodeOptions, decodeBody, notAnObject } from "./body.ts";

export interface AddressRequest {
  readonly asset: string;
  /** Null for the default network of the asset. */
  readonly network: string | null;
}

export const addressRequest = section(
  {
    asset: symbol("Asset symbol."),
    network: optional(networkId("Network id; the default network when absent.")),
  },
  "Which address to make. A member that is null counts as absent; other members are ignored.",
);

export function decodeAddressRequest(given: unknown, options: DecodeOptions): Decoded<AddressRequest> {
  const body = asBody(given);
  if (body === null) return notAnObject();
  const decoded = decodeBody(addressRequest, body, ["asset", "network"], options);
  if (!decoded.ok) return decoded;
  const { asset, network = null } = decoded.value;
  return { ...ok({ asset, network }), ignored: decoded.ignored };
}
