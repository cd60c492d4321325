import base from "./vitest.config.ts";
const c: any = base;
for (const p of c.test.projects) p.test.setupFiles = ["/tmp/tp/setup.ts"];
c.test.maxWorkers = 3;
export default c;
