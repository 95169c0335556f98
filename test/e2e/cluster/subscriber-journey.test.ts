// Own process: it sets the deployment, which its imports read.
/** The same tests with each duty as a process of its own, on the servers of a cluster. */
import { skippedWithoutCluster } from '../cluster-servers.ts';

process.env['UPTRAIL_DEPLOYMENT'] = 'cluster';
if (!skippedWithoutCluster()) await import('../subscriber-journey.test.ts');
