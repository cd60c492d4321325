import { useSignal } from "@preact/signals";
import { ask } from "../../lib/api.ts";
import { tradingPrefix } from "../../lib/session.ts";
import type { Diagnosis } from "../../lib/shapes.ts";
import { visible } from "../../lib/visible.ts";
import { Differing } from "../../parts/differing.tsx";
import { ActionForm, given } from "../../parts/forms.tsx";
import { Facts, Panel } from "../../parts/panel.tsx";

const fields = [
  { name: "method", label: "Method", initial: "GET" },
  { name: "target", label: "Path and query", initial: `${tradingPrefix}/order/open`, wide: true },
  { name: "keyId", label: "X-API-KEY", initial: "gw_demo_trader" },
  { name: "timestamp", label: "X-API-TIMESTAMP" },
  { name: "nonce", label: "X-API-NONCE", wide: true },
  { name: "signature", label: "X-API-SIGNATURE", wide: true },
  { name: "contentType", label: "Content-Type", initial: "application/json", optional: true },
  { name: "body", label: "Body", optional: true, wide: true },
] as const;

const base64 = (text: string): string => btoa(String.fromCodePoint(...new TextEncoder().encode(text)));

/** What is wrong with the signature of a request that somebody pastes. Nothing of it is executed. */
export const Doctor = () => {
  const found = useSignal<Diagnosis | null>(null);
  return (
    <Panel title="Signature doctor">
      <p>Paste what your client sent. The secret stays in the sandbox, and nothing is executed.</p>
      <ActionForm
        label="Find the mistake"
        done="The doctor has answered."
        fields={fields}
        run={async ({ body = "", ...sent }) => {
          const request = { ...given(sent), ...(body === "" ? {} : { bodyBase64: base64(body) }) };
          const answer = await ask<Diagnosis>("POST", "/doctor", request);
          found.value = answer.ok ? answer.data : null;
          return answer;
        }}
      />
      {found.value !== null && <Finding of={found.value} />}
    </Panel>
  );
};

const Finding = ({ of }: { readonly of: Diagnosis }) => (
  <>
    <Facts
      rows={[
        ["Key", `${of.key} of the world ${of.world}`],
        [
          "Signature",
          of.verifies ? "It is right." : visible(of.hint ?? `No known mistake explains it (${of.state}).`),
        ],
        ...of.remarks.map((remark) => ["Besides", visible(remark)] as const),
      ]}
    />
    {!of.verifies && (
      <Differing
        expected={of.expectedCanonical}
        actual={of.signedCanonical ?? of.expectedCanonical}
        names={["To be signed", of.signedCanonical === null ? "Not known what was signed" : "Was signed"]}
      />
    )}
  </>
);
