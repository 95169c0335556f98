import type { ProjectionStatus } from '../status/protocol.ts';

/** Collects what is published during one turn of the event loop, and sends it as one message. */
export const createOutlet = (send: (statuses: ProjectionStatus[]) => void) => {
  const latest = new Map<string, ProjectionStatus>();
  let scheduled: NodeJS.Immediate | null = null;

  const flush = (): void => {
    if (scheduled) clearImmediate(scheduled);
    scheduled = null;
    const statuses = [...latest.values()];
    latest.clear();
    if (statuses.length > 0) send(statuses);
  };

  return {
    publish: (status: ProjectionStatus): void => {
      latest.set(status.name, status);
      scheduled ??= setImmediate(flush);
    },
    flush,
  };
};
