import { instantOf, type Instant } from '../../../domain/time.ts';
import type { Imported } from '../imported.ts';
import type { HistoryClient, Problem } from './client.ts';
import { importComponentStatuses } from './component-statuses.ts';
import { importIncidents } from './incidents.ts';
import { findTargetPage } from './page.ts';
import { importSubscribers } from './subscribers.ts';

/** What an import of history did, or would do. */
export interface HistoryReport {
  incidents: { created: number; updated: number; unchanged: number };
  subscribers: { added: number; unchanged: number };
  /** number of components whose status was set */
  statuses: number;
  problems: Problem[];
  /** sentences on what differs and was left as it is */
  remarks: string[];
}

export interface HistoryOptions {
  /** whether to compare only, without changing anything */
  dryRun?: boolean;
  /** default: the time of the machine */
  now?: Instant;
}

/** What {@link importHistory} imports. */
export type History = Pick<Imported, 'incidents' | 'subscribers' | 'component_statuses'>;

/**
 * Imports incidents, maintenances, statuses of components, and subscribers. Their pages and components must exist. Nobody
 * is notified. An import that is repeated finds what it has created, and changes only what differs.
 *
 * @throws OperatorError the service can't be reached
 */
export const importHistory = async (
  client: HistoryClient,
  { incidents = [], subscribers = [], component_statuses = [] }: History,
  { dryRun = false, now = instantOf(Date.now()) }: HistoryOptions = {},
): Promise<HistoryReport> => {
  const report: HistoryReport = {
    incidents: { created: 0, updated: 0, unchanged: 0 },
    subscribers: { added: 0, unchanged: 0 },
    statuses: 0,
    problems: [],
    remarks: [],
  };
  const names = new Set([...incidents, ...subscribers, ...component_statuses].map(({ page }) => page));
  for (const name of names) {
    const ofPage = <T extends { page: string }>(items: readonly T[]): T[] => items.filter(({ page }) => page === name);
    const page = await findTargetPage(client, name);
    if (!page && !dryRun) {
      const sentence = 'It does not exist, so its incidents and subscribers were not imported.';
      report.problems.push({ kind: 'page', name, sentence });
      continue;
    }
    const { created, updated, unchanged, problems } = await importIncidents(client, page, ofPage(incidents), {
      now,
      dryRun,
    });
    report.incidents.created += created;
    report.incidents.updated += updated;
    report.incidents.unchanged += unchanged;
    report.problems.push(...problems);
    // The statuses are set before there are subscribers, who might be notified. Incidents may have changed them.
    const current = dryRun ? page : await findTargetPage(client, name);
    if (current) {
      const statuses = await importComponentStatuses(client, current, ofPage(component_statuses), dryRun);
      report.statuses += statuses.set;
      report.problems.push(...statuses.problems);
      report.remarks.push(...statuses.remarks);
    }
    for (const one of ofPage(subscribers)) {
      const counts = await importSubscribers(client, page, one, dryRun);
      report.subscribers.added += counts.added;
      report.subscribers.unchanged += counts.unchanged;
      report.problems.push(...counts.problems);
    }
  }
  return report;
};
