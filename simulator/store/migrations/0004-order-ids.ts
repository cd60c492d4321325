/** The view of orders gets the id that the interface shows. */
import { orderIdParts, orderIdSteps } from "../order-id-sql.ts";
import { views } from "./0002-views.ts";

const placeOrder = 0;
const placed = `\n    FROM journal, venue WHERE journal.kind = ${placeOrder}`;
const steps = orderIdSteps("journal.seq", "venue.seed", placed);
const values = orderIdParts.map(([value]) => value);
// An open compares the text of each view, so this one stays as it was released, line by line.
const id = `printf('%08x-%04x-%04x-%04x-%04x%08x', ${values.slice(0, 3).join(", ")},
    ${values.slice(3).join(", ")})`;

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
