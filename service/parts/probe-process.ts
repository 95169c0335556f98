/** Where a probe process begins (runners/processes/). */
import { serveProbes } from '../../runners/processes/serve.ts';
import { RUNS } from '../../probes/index.ts';

serveProbes(async () => ({ runs: RUNS }));
