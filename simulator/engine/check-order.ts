/**
 * The order in which a new order is checked (F-check-order). The specification gives none; this list is the contract of
 * the simulator, printed in docs/simulator.md and compared with it by a test. Authentication, claim and payload come
 * before the engine sees anything.
 */
export const checkPrecedence = [
  "duplicate client_order_id",
  "product known",
  "product enabled",
  "client and product size limits",
  "trading halted",
  "size increment",
  "price increment",
  "quote size",
  "stop price already passed",
  "open order limit",
  "funds",
] as const;
