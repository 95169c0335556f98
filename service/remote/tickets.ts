import { timingSafeEqual } from 'node:crypto';
import { messageOf, mayRepeat, type RunMessage } from '../../runners/run-message.ts';
import type { HandedSchedule } from '../../runners/remote/protocol.ts';
import { subjectOf, type ResultSubject } from '../../runners/worker/result.ts';
import { namedRegionsOf } from '../../domain/check/regions.ts';
import { multiRegionOf } from '../../domain/check/multi-region.ts';
import type { Keys } from '../../stores/keys/port.ts';
import type { QueuedRun } from '../../stores/work-queue/port.ts';

/** A ticket proves that a run was given to a runner. */
export interface Ticket extends ResultSubject {
  run_id: string;
  runner_id: string;
  /** id of the region of the run */
  region: string;
  /** interval of the check, in seconds; null: the runner may not report other runs of the check with this ticket */
  interval: number | null;
}

export interface Tickets {
  issue: (run: QueuedRun, runner: { id: string; region: string }) => Promise<string>;
  /**
   * Verifies a ticket.
   *
   * @returns null if this service has not issued the ticket, or has issued it to another runner
   */
  read: (ticket: string, runnerId: string) => Promise<Ticket | null>;
}

/**
 * Creates and verifies tickets. A ticket is a signed text, so that any process can accept a result, even after a
 * restart.
 */
export const createTickets = (keys: Pick<Keys, 'fingerprint'>): Tickets => {
  const signatureOf = (content: string): Promise<string> => keys.fingerprint('runner ticket', content);

  return {
    issue: async (run, { id, region }) => {
      const message = messageOf(run);
      const ticket: Ticket = {
        ...subjectOf(message),
        run_id: run.run_id,
        runner_id: id,
        region,
        interval: scheduleOf(message)?.interval ?? null,
      };
      const content = Buffer.from(JSON.stringify(ticket)).toString('base64url');
      return `${content}.${await signatureOf(content)}`;
    },
    read: async (text, runnerId) => {
      const [content = '', signature = '', ...more] = text.split('.');
      if (more.length > 0) return null;
      const expected = Buffer.from(await signatureOf(content));
      const given = Buffer.from(signature);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
      const ticket = JSON.parse(Buffer.from(content, 'base64url').toString()) as Ticket;
      return ticket.runner_id === runnerId ? ticket : null;
    },
  };
};

/**
 * Returns how a runner continues a check while the service is unreachable; null if it must not continue. A check that
 * rotates through its regions is not continued, because a runner does not know which region is next.
 */
export const scheduleOf = (message: RunMessage): HandedSchedule | null => {
  const { check_id, result_type, interval, definition } = message;
  if (check_id === null || result_type !== 'regular' || interval === undefined) return null;
  const parallel = multiRegionOf(definition.parameters);
  const isEveryRun = parallel?.enabled
    ? parallel.execution_mode === 'all'
    : namedRegionsOf(definition.parameters).length <= 1;
  return isEveryRun ? { interval, repeats: mayRepeat(message) } : null;
};
