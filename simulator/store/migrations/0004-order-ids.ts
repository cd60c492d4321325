/** The view of orders gets the id that the interface shows. */
import { orderIdParts, orderIdSteps } from "../order-id-sql.ts";
import { views } from "./0002-views.ts";

const placeOrder = 0;
const source = `(SELECT journal.seq, venue.seed FROM journal, venue WHERE journal.kind = ${placeOrder})`;
const steps = orderIdSteps(source);
const id = `printf('%08x-%04x-%04x-%04x-%04x%08x', ${orderIdParts.map(([value]) => value).join(", ")})`;

const viewHead = "CREATE VIEW orders AS";
const before = views.slice(views.indexOf(viewHead) + viewHead.length, views.indexOf(";"));

export const orderIds = `
DROP VIEW orders;
${viewHead}
WITH
  ${steps.join(",\n  ")},
  ids AS (SELECT seq, ${id} AS order_id FROM step${steps.length})
SELECT readable.*, ids.order_id AS order_id
FROM (${before}) AS readable
JOIN ids ON ids.seq = readable.id;
`;
