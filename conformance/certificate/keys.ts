import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { UsageError } from "../model/position.ts";
import { mostBytes, readCapped } from "../parse/read-capped.ts";
import { type Certificate, type Statement, signedBytes } from "./certificate.ts";

const howToMake = "make one with: openssl genpkey -algorithm ed25519 -out key.pem";

/** An Ed25519 private key in PEM. It is read before anything is sent, so that no run is wasted on a wrong file. */
export async function readPrivateKey(file: string): Promise<KeyObject> {
  return ed25519(file, await textOf(file), createPrivateKey);
}

/** The signer's public key in PEM; that of a private key is taken out of it. */
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

export function signStatement(statement: Statement, key: KeyObject): Certificate {
  const described = { alg: "Ed25519", key: publicKeyText(key) } as const;
  const value = sign(null, signedBytes(statement, described), key).toString("base64url");
  return { ...statement, signature: { ...described, value } };
}

/** Does the signature belong to these contents and to the key that it names? */
export function isSignedByItsKey({ signature, ...statement }: Certificate): boolean {
  try {
    const jwk = { kty: "OKP", crv: "Ed25519", x: signature.key };
    const key = createPublicKey({ key: jwk, format: "jwk" });
    return verify(null, signedBytes(statement, signature), key, Buffer.from(signature.value, "base64url"));
  } catch {
    return false;
  }
}
