// Own process: it sets the deployment, which its imports read.
/** Alerts with two processes of each duty, on the servers of a cluster. */
import { skippedWithoutCluster } from '../cluster-servers.ts';

process.env['UPTRAIL_DEPLOYMENT'] = 'cluster';
if (!skippedWithoutCluster()) await import('../alerts/taken-over.ts');
