/** A probe process whose checks answer at once. */
import { serveProbes } from '../../runners/processes/serve.ts';
import { instantRun } from './instant-runs.ts';

serveProbes(async () => ({ runs: new Map([['web', instantRun]]) }));
