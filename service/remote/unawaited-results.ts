import { regionOf, type Region } from '../../domain/check/regions.ts';
import type { CheckServer } from '../../domain/check-result/events.ts';
import { streamOf } from '../../domain/decider.ts';
import type { Clock } from '../../network/clock.ts';
import { nextSlot, runIdOf } from '../../runners/scheduler/slots.ts';
import { resultEvent, resultIdOf } from '../../runners/worker/result.ts';
import type { Batches } from '../../stores/event-store/port.ts';
import type { OfflineResult, SentOutcome } from '../../runners/remote/protocol.ts';
import { validatedOutcome, withoutFiles } from './outcomes.ts';
import type { Ticket } from './tickets.ts';

/**
 * Maximum age of a run whose result is accepted, in milliseconds. A runner may be offline for one day, and may take one
 * more day to report.
 */
const MAX_AGE_MS = 48 * 3_600_000;
/** Tolerance when times of the service and of a runner are compared, in milliseconds. */
const TOLERANCE_MS = 5_000;

export interface UnawaitedResultsOptions {
  results: Batches;
  clock: Pick<Clock, 'now'>;
  /**
   * Returns, as a sentence, why a run of a check can't have been due at the time and in the region of its ticket.
   * Returns null if the run can have been due at that time and in that region.
   */
  rejectionReason: (ticket: Ticket & { check_id: string }) => Promise<string | null>;
}

/** A result for which no worker waits. */
export interface UnawaitedResult {
  ticket: Ticket;
  outcome: SentOutcome;
  server: CheckServer;
  /** when the run ended, in milliseconds since 1970; may be inexact */
  endedAt: number;
}

/**
 * Stores results for which no worker waits. Either another process has handed over the run, or the runner has started
 * the run offline.
 */
export interface UnawaitedResults {
  /**
   * Stores a result.
   *
   * @returns why the result is not stored, as a sentence; null: it is stored
   */
  take: (stray: UnawaitedResult) => Promise<string | null>;
  /**
   * Returns the ticket of a run that a runner has started offline, or a sentence that says why there is no such run.
   */
  runOf: (ticket: Ticket, offline: Pick<OfflineResult, 'slot' | 'ended_at'>) => Ticket | string;
}

export const createUnawaitedResults = ({
  results,
  clock,
  rejectionReason,
}: UnawaitedResultsOptions): UnawaitedResults => ({
  take: async ({ ticket, outcome, server, endedAt }) => {
    const { check_id, run_id, slot } = ticket;
    const now = clock.now();
    const region = regionOf(ticket.region);
    if (!region) return 'The region does not exist.';
    if (slot < now - MAX_AGE_MS) return 'The run was due too long ago.';
    const reason = check_id === null ? null : await rejectionReason({ ...ticket, check_id });
    if (reason !== null) return reason;
    const stored = withoutFiles(validatedOutcome(outcome, ticket.type), ticket.type);
    const event = resultEvent(run_id, ticket, stored, {
      resultId: resultIdOf(run_id, region),
      region,
      server,
      now,
      // The reported end may be inexact. A run ends neither before it is due nor in the future.
      ranAt: Math.min(Math.max(endedAt, slot), now),
      outdated: false,
      suspect: outcome.suspect === true,
    });
    await results.store(streamOfRegion(region), event, { leisurely: true, since: slot });
    return null;
  },
  runOf: (ticket, { slot, ended_at }) => {
    const { check_id, interval } = ticket;
    if (check_id === null || interval === null) return 'This run is not repeated.';
    const now = clock.now();
    const isDue = nextSlot(check_id, interval, slot - 1) === slot;
    if (!isDue || slot <= ticket.slot) return 'The check was not due then.';
    if (slot > now + TOLERANCE_MS || ended_at > now + TOLERANCE_MS) return 'The run is in the future.';
    const limit = ticket.late_after - ticket.slot;
    return {
      ...ticket,
      run_id: runIdOf(check_id, slot),
      slot,
      execution_group_id: null,
      late_after: slot + limit,
    };
  },
});

const streamOfRegion = ({ aliases: [alias] }: Region): string => streamOf('check_results', alias);
