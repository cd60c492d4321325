import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { UsageError } from "../model/position.ts";
import { mostBytes, readCapped } from "../parse/read-capped.ts";
import { type Signature, signedBytes } from "./certificate.ts";

const howToMake = "make one with: openssl genpkey -algorithm ed25519 -out key.pem";

/** Reads an Ed25519 private key in PEM. This happens before anything is sent, so that a wrong file wastes no run. */
export async function readPrivateKey(file: string): Promise<KeyObject> {
  return ed25519(file, await textOf(file), createPrivateKey);
}

/** The signer's public key in PEM; from a private key the public part is taken. */
export async function readPublicKey(file: string): Promise<KeyObject> {
  return ed25519(file, await textOf(file), createPublicKey);
}

function textOf(file: string): Promise<string> {
  return readCapped("key", file, mostBytes.small, `; ${howToMake}`);
}

function ed25519(file: string, pem: string, read: (pem: string) => KeyObject): KeyObject {
  let key: KeyObject;
  try {
    key = read(pem);
  } catch {
    throw new UsageError(`${file} holds no unencrypted key in PEM; ${howToMake}`);
  }
  if (key.asymmetricKeyType !== "ed25519")
    throw new UsageError(`${file} holds a key for ${key.asymmetricKeyType}, not for Ed25519; ${howToMake}`);
  return key;
}

export function publicKeyText(key: KeyObject): string {
  const { x } = (key.type === "public" ? key : createPublicKey(key)).export({ format: "jwk" });
  return x ?? "";
}

export function signStatement<Said extends object>(
  statement: Said,
  key: KeyObject,
): Said & { readonly signature: Signature } {
  const described = { alg: "Ed25519", key: publicKeyText(key) } as const;
  const value = sign(null, signedBytes(statement, described), key).toString("base64url");
  return { ...statement, signature: { ...described, value } };
}

/**
 * A key must be 32 bytes in the canonical form of a point of the large group: anybody could sign for a point of a small
 * one.
 */
export function keyProblem({ alg, key }: Signature): string | undefined {
  if (alg !== "Ed25519") return `it is signed with ${String(alg)}, not with Ed25519`;
  const bytes = canonicalBytes(key, 32);
  if (bytes === undefined) return "its key is not 32 bytes in base64url without padding";
  // The highest bit is the sign of x; the rest is y, the lowest byte first.
  const y = BigInt(`0x${Buffer.from(bytes).reverse().toString("hex")}`) & ((1n << 255n) - 1n);
  if (y >= prime) return "its key is not the canonical spelling of a key";
  return smallOrder.includes(y) ? "its key is of low order: it accepts forged signatures" : undefined;
}

export function signatureProblem({ value }: Signature): string | undefined {
  return canonicalBytes(value, 64) === undefined
    ? "its signature is not 64 bytes in base64url without padding"
    : undefined;
}

/** The bytes of a base64url text, if it is the canonical form of them. */
function canonicalBytes(text: string, length: number): Buffer | undefined {
  const bytes = Buffer.from(text, "base64url");
  return bytes.length === length && bytes.toString("base64url") === text ? bytes : undefined;
}

const prime = (1n << 255n) - 19n;
/** y of the points whose order divides eight (RFC 8032, 5.1: the cofactor of the curve). */
const smallOrder: readonly bigint[] = [
  0n,
  1n,
  prime - 1n,
  0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n,
  0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n,
];

interface Signed {
  readonly signature: Signature;
}

/** Does the signature match the contents and the key that the certificate names? */
export function isSignedByItsKey({ signature, ...statement }: Signed): boolean {
  try {
    const jwk = { kty: "OKP", crv: "Ed25519", x: signature.key };
    const key = createPublicKey({ key: jwk, format: "jwk" });
    return verify(null, signedBytes(statement, signature), key, Buffer.from(signature.value, "base64url"));
  } catch {
    return false;
  }
}
