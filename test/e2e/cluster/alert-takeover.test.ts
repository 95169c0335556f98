// Own process: this file sets UPTRAIL_DEPLOYMENT before its imports read the variable.
/** Tests takeovers during alerts, on the servers of a cluster. */
import { skippedWithoutCluster } from '../cluster-servers.ts';

process.env['UPTRAIL_DEPLOYMENT'] = 'cluster';
if (!skippedWithoutCluster()) await import('../alerts/taken-over.ts');
