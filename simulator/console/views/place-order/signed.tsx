/** The steps of a signature, and the answer to the signed request. */
import { to } from "../../lib/router.ts";
import type { Signed } from "../../lib/sign.ts";
import { pretty } from "../../lib/visible.ts";
import { ExchangeLink, OrderLink } from "../../parts/links.tsx";
import { Facts } from "../../parts/panel.tsx";
import { Code, HttpStatus, Status } from "../../parts/text.tsx";
import type { Sent } from "./post.ts";

const lines = ["timestamp", "nonce", "method", "path", "media type", "SHA-256 of the body"];

export const Made = ({
  of,
  keyId,
  stamp,
}: {
  readonly of: Signed;
  readonly keyId: string;
  readonly stamp: { readonly timestamp: string; readonly nonce: string };
}) => (
  <>
    <h3>1 · Six lines make the text that is signed</h3>
    <table class="canonical">
      <tbody>
        {of.canonical.split("\n").map((line, index) => (
          <tr key={lines[index]}>
            <th scope="row">{lines[index]}</th>
            <td class="mono">{line}</td>
          </tr>
        ))}
      </tbody>
    </table>
    <h3>2 · HMAC-SHA256 of that text with the secret</h3>
    <Code label="signature" text={of.signature} />
    <h3>3 · Headers</h3>
    <Code
      label="headers"
      text={[
        `X-API-KEY: ${keyId}`,
        `X-API-TIMESTAMP: ${of.canonical.split("\n")[0] ?? stamp.timestamp}`,
        `X-API-NONCE: ${stamp.nonce}`,
        `X-API-SIGNATURE: ${of.signature}`,
        "Content-Type: application/json",
      ].join("\n")}
    />
    <p class="soft">Sending takes a fresh timestamp and nonce: each is good once.</p>
  </>
);

export const Answered = ({ of: { status, requestId, text } }: { readonly of: Sent }) => {
  const [, orderId] = /"order":\{"id":"([0-9a-f-]{36})"/.exec(text) ?? [];
  const [, orderStatus] = /"status":"([A-Z]+)"/.exec(text) ?? [];
  return (
    <div role="status">
      <h3>Answer</h3>
      <Facts
        rows={[
          ["HTTP status", <HttpStatus of={status} />],
          ["Exchange", requestId === "" ? "–" : <ExchangeLink id={requestId} />],
          [
            "Order",
            orderId === undefined ? (
              "–"
            ) : (
              <>
                <OrderLink id={orderId} /> <Status of={orderStatus ?? ""} />
              </>
            ),
          ],
        ]}
      />
      {status >= 400 && (
        <p>
          Which check refused it, and why:{" "}
          <a href={to({ view: "exchanges", id: requestId })}>see the exchange</a>.
        </p>
      )}
      <Code label="answer" text={pretty(text)} />
    </div>
  );
};
