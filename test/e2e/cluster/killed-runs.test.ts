// Own process: this file sets UPTRAIL_DEPLOYMENT before its imports read the variable.
/** Runs the imported tests on the servers of a cluster, with a separate process for each duty. */
import { skippedWithoutCluster } from '../cluster-servers.ts';

process.env['UPTRAIL_DEPLOYMENT'] = 'cluster';
if (!skippedWithoutCluster()) await import('../killed-runs.test.ts');
