/** The limits of a phase of properties at a target that is not on this machine. */
export const phaseLimits: Readonly<Record<"requests" | "orders", number>> = { requests: 900, orders: 60 };
