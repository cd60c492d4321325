import base from "./vitest.config.ts";
const c: any = base;
for (const p of c.test.projects) { p.test.setupFiles = ["/tmp/tp/setup.ts"]; p.test.execArgv = ["--cpu-prof", "--cpu-prof-dir=/tmp/tp/cpu"]; }
c.test.maxWorkers = 1;
export default c;
