/** The foreign gateway without a bug, in a process of its own. */
import { startGateway } from "../../conformance/testing/foreign-gateway/bugs.ts";
import { ready } from "../lib/ready.ts";

const gateway = await startGateway();
ready(Number(gateway.origin.split(":")[1]));
