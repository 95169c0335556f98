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

/** Maximum age of a run whose result is accepted, milliseconds: a day offline, and a day to report. */
const MAX_AGE_MS = 48 * 3_600_000;
/** Tolerance when comparing clocks of the service and a runner, milliseconds. */
const TOLERANCE_MS = 5_000;

export interface UnawaitedResultsOptions {
  results: Batches;
  clock: Pick<Clock, 'now'>;
  /** Why a run of a check can't have been due where and when its ticket says, as a sentence; null: it can */
  rejectionReason: (ticket: Ticket & { check_id: string }) => Promise<string | null>;
}

/** A result that no worker waits for. */
export interface UnawaitedResult {
  ticket: Ticket;
  outcome: SentOutcome;
  server: CheckServer;
  /** when its run ended, milliseconds since 1970, as far as known */
  endedAt: number;
}

/** Stores results that no worker waits for: of runs handed over by another process, or started offline. */
export interface UnawaitedResults {
  /** @returns why it is not stored, as a sentence; null: it is */
  take: (stray: UnawaitedResult) => Promise<string | null>;
  /** The run that a runner has started offline. @returns why there is no such run, as a sentence */
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
      // When it was due or later, but never in the future.
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
