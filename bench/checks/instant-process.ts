/** A probe process whose checks end immediately. */
import { serveProbes } from '../../runners/processes/serve.ts';
import { instantRun } from './instant-runs.ts';

serveProbes(async () => ({ runs: new Map([['web', instantRun]]) }));
