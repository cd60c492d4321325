/** Ids by which a request is found again: the client's own, or the next number. No chance is involved. */

const accepted = /^[A-Za-z0-9._:-]{1,64}$/;

/** `sent` is the X-Request-Id header; one that is repeated or odd is not echoed. */
export type RequestIds = (sent: string | readonly string[] | undefined) => string;

export function createRequestIds(prefix = "req"): RequestIds {
  let last = 0;
  return (sent) => {
    if (typeof sent === "string" && accepted.test(sent)) return sent;
    last += 1;
    return `${prefix}-${String(last).padStart(8, "0")}`;
  };
}
