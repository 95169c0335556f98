import { instantOf } from '../../../domain/time.ts';
import type { HistoryClient, Problem } from './client.ts';
import { importHistory, type History, type HistoryReport } from './import-history.ts';

/** A change of several objects of one kind. */
export interface HistoryChange {
  action: 'create' | 'change';
  kind: 'incident' | 'subscriber' | 'component status';
  count: number;
}

/** A plan of an import of history, which is made without changing anything. */
export interface HistoryPlan {
  /** what will be done; after `apply`, what was done */
  readonly changes: readonly HistoryChange[];
  /** number of objects that stay as they are */
  readonly unchanged: number;
  /** sentences on what differs and is left as it is */
  readonly remarks: readonly string[];
  /** Makes the changes. Returns what could not be imported. @throws OperatorError the service can't be reached */
  apply: () => Promise<readonly Problem[]>;
}

const changesIn = ({ incidents, subscribers, statuses }: HistoryReport): HistoryChange[] =>
  [
    { action: 'create', kind: 'incident', count: incidents.created } as const,
    { action: 'change', kind: 'incident', count: incidents.updated } as const,
    { action: 'change', kind: 'component status', count: statuses } as const,
    { action: 'create', kind: 'subscriber', count: subscribers.added } as const,
  ].filter(({ count }) => count > 0);

/**
 * Plans an import of incidents, subscribers and statuses of components. The plan counts all subscribers as new, because
 * only the service knows which of their addresses it has.
 */
export const planHistory = async (client: HistoryClient, history: History): Promise<HistoryPlan> => {
  let report = await importHistory(client, history, { dryRun: true });
  return {
    get changes() {
      return changesIn(report);
    },
    get unchanged() {
      return report.incidents.unchanged + report.subscribers.unchanged;
    },
    get remarks() {
      return report.remarks;
    },
    apply: async () => {
      report = await importHistory(client, history, { now: instantOf(Date.now()) });
      return report.problems;
    },
  };
};
