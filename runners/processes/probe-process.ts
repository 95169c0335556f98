/** Where a probe process begins (runners/processes/). */
import { serveProbes } from './serve.ts';
import { RUNS } from '../../probes/index.ts';

serveProbes(async () => ({ runs: RUNS }));
