/** This file is the entry point of a probe process (runners/processes/). */
import { serveProbes } from './serve.ts';
import { RUNS } from '../../probes/index.ts';

serveProbes(async () => ({ runs: RUNS }));
