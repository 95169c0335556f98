import type { ProjectionStatus } from '../status/protocol.ts';
import type { WriteReport } from '../status/write-reports.ts';

/** Collects statuses and reports during one turn of the event loop, and sends them as one message. */
export const createStatusBatcher = (send: (statuses: ProjectionStatus[], written: WriteReport[]) => void) => {
  let reports: WriteReport[] = [];
  const latest = new Map<string, ProjectionStatus>();
  let scheduled: NodeJS.Immediate | null = null;

  const flush = (): void => {
    if (scheduled) clearImmediate(scheduled);
    scheduled = null;
    const statuses = [...latest.values()];
    latest.clear();
    const written = reports;
    reports = [];
    if (statuses.length > 0 || written.length > 0) send(statuses, written);
  };

  return {
    publish: (status: ProjectionStatus): void => {
      latest.set(status.name, status);
      scheduled ??= setImmediate(flush);
    },
    reportWritten: (written: WriteReport): void => {
      reports.push(written);
      scheduled ??= setImmediate(flush);
    },
    flush,
  };
};
