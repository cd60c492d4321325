/** Refusals as a broken gateway words them: the same body under another status. */
import type { Answer, Decorators } from "./defect.ts";

/** The code in the body of a refusal; empty when there is none. */
const codeOf = ({ body }: Answer): string => /"code":"([A-Z_]+)"/.exec(body)?.[1] ?? "";

/** Another status, in the status line and in the body. */
export const withStatus = (answer: Answer, status: number): Answer => ({
  ...answer,
  status,
  body: answer.body.replace(/"statusCode":\d+/, `"statusCode":${status}`),
});

/** Refusals with one of these codes leave with another status. */
export const statusFor = (codes: readonly string[], status: number): Decorators => ({
  answer: (answer) => (codes.includes(codeOf(answer)) ? withStatus(answer, status) : answer),
});
