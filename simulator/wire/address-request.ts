/** The body of POST /wallet/deposit-address. */
import { err, ok } from "../domain/result.ts";
import { ASSET_SYMBOL, NETWORK_ID } from "./account-components.ts";
import { BodyReader, type Decoded, type DecodeOptions, notAnObject } from "./body.ts";

export interface AddressRequest {
  readonly asset: string;
  /** Null for the default network of the asset. */
  readonly network: string | null;
}

const ADDRESS_FIELDS: readonly string[] = ["asset", "network"];

const SYMBOL = new RegExp(ASSET_SYMBOL);
const NETWORK = new RegExp(NETWORK_ID);

export function decodeAddressRequest(body: unknown, options: DecodeOptions): Decoded<AddressRequest> {
  const reader = BodyReader.over(body, ADDRESS_FIELDS);
  if (reader === null) return notAnObject();
  const asset = text(reader, "asset", reader.present("asset"), SYMBOL, "must be an asset symbol such as BTC");
  const network = text(
    reader,
    "network",
    reader.own("network"),
    NETWORK,
    "must be a network id such as bitcoin-mainnet",
  );
  const ignored = reader.ignored([], options);
  return reader.problems.length > 0 || asset === null
    ? { ...err(reader.problems), ignored }
    : { ...ok({ asset, network }), ignored };
}

function text(
  reader: BodyReader,
  field: string,
  value: unknown,
  pattern: RegExp,
  issue: string,
): string | null {
  if (value === undefined) return null;
  return typeof value === "string" && pattern.test(value) ? value : reader.refuse(field, issue, value);
}
