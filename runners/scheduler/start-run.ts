import { selectRegions } from '../../domain/check/multi-region.ts';
import type { Region } from '../../domain/check/regions.ts';
import {
  START_GRACE_MS,
  timeLimitOf,
  type RunToStart,
  type StartedRun,
  type StartRun,
} from '../../domain/check/run.ts';
import { streamOf } from '../../domain/decider.ts';
import {
  GROUP_GRACE_MS,
  groupIdOf,
  shardOf,
  type ExecutionGroupEvent,
  type ExecutionMode,
} from '../../domain/execution-group/events.ts';
import type { NewEvent } from '../../domain/event.ts';
import { derivedUuid } from '../../domain/identity.ts';
import { systemEvent } from '../../domain/system-event.ts';
import { instantOf } from '../../domain/time.ts';
import { creditsOf } from '../../domain/credits/costs.ts';
import type { Credits } from '../../domain/credits/credits.ts';
import type { Batches } from '../../stores/event-store/port.ts';
import { QueueFull, type WorkQueue } from '../../stores/work-queue/port.ts';
import type { Clock } from '../../network/clock.ts';
import { queueForType } from '../queue-names.ts';
import { expiresAt, type RunMessage } from '../run-message.ts';
import { regionOfSlot } from './slots.ts';
import { resultIdOf } from '../worker/result.ts';

export interface StartRunDependencies {
  queue: Pick<WorkQueue, 'offer'>;
  /** stores the starts of groups in the results log */
  results: Batches;
  clock: Pick<Clock, 'now'>;
  credits: Pick<Credits, 'charge' | 'settle'>;
  /** the region for checks that have no regions */
  defaultRegion: Region;
  /** returns the ids of regions that have no live runner now, from memory; default: none is known */
  unserved?: () => ReadonlySet<string>;
}

/** Creates the function that starts all runs, both scheduled and on-demand (domain/check/run.ts). */
export const createStartRun = (dependencies: StartRunDependencies): StartRun => {
  const { queue, results, clock, credits, defaultRegion, unserved = () => new Set() } = dependencies;
  /** Charges a run. @throws CreditLimitExceeded the credits do not cover all regions together */
  const charge = (
    { run_id, organization_id, definition }: RunToStart,
    regions: readonly Region[],
    by: number,
  ): void => {
    const until = expiresAt(by, definition);
    credits.charge({ run_id, organization_id, regions: regions.map(aliasOf), each: creditsOf(definition.type), until });
  };

  const notRun = ({ run_id }: RunToStart, region: Region): void => {
    credits.settle(run_id, aliasOf(region), 'none');
  };

  const offer = async (run: RunToStart, region: Region, not_after: number, group: string | null): Promise<void> => {
    const { trigger } = run;
    const payload: RunMessage = {
      check_id: run.check_id,
      organization_id: run.organization_id,
      slot: run.slot,
      result_type: trigger.type === 'scheduled' ? 'regular' : 'on_demand',
      execution_id: trigger.type === 'scheduled' ? null : trigger.job_id,
      execution_group_id: group,
      answer_by: group === null ? null : not_after,
      ...(run.again === true && { again: true }),
      ...(run.interval !== null && { interval: run.interval }),
      definition: run.definition,
    };
    try {
      const routing = queueForType(region, run.definition.type);
      await queue.offer({ run_id: run.run_id, ...routing, not_after, payload });
    } catch (error) {
      notRun(run, region);
      throw error;
    }
  };

  /**
   * Offers a run to all of its regions. A region whose queue is full is skipped silently. If all queues are full,
   * throws QueueFull, and the run has not started. Regions without a live runner get the run too, because a runner may
   * connect in time.
   *
   * @returns the number of regions with a live runner to which the run was offered
   */
  const offerToAll = async (
    run: RunToStart,
    regions: readonly Region[],
    { deadline, absent }: { deadline: number; absent: readonly string[] },
  ): Promise<number> => {
    const offered = await Promise.allSettled(
      regions.map((region) => offer(run, region, deadline, groupIdOf(run.run_id))),
    );
    const failures = offered.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []));
    const worst = failures.find((error) => !(error instanceof QueueFull)) ?? failures[0];
    if (worst && (!(worst instanceof QueueFull) || failures.length === regions.length)) throw worst;
    return offered.filter((one, index) => one.status === 'fulfilled' && !absent.includes(regions[index]?.id ?? ''))
      .length;
  };

  return async (run) => {
    const { run_id, slot, interval, definition, trigger, begun } = run;
    const chosenRegions = selectRegions(run_id, definition.parameters, defaultRegion, (regions) =>
      interval === null ? regions[0] : regionOfSlot(regions, interval, slot),
    );
    const patience = timeLimitOf(definition);
    if (chosenRegions.mode === null) {
      // An on-demand run must start within the grace period, so that it has ended when the deadline of its job is
      // reached.
      const notAfter = slot + (trigger.type === 'scheduled' ? patience : 0) + START_GRACE_MS;
      charge(run, [chosenRegions.region], notAfter);
      await offer(run, chosenRegions.region, notAfter, null);
      return startedRun(run_id, [chosenRegions.region], 1, notAfter, null);
    }
    const now = clock.now();
    const deadline = begun?.deadline ?? now + patience + GROUP_GRACE_MS;
    const silent = chosenRegions.regions.filter(({ id }) => !begun?.answered.includes(id));
    const absent = absentOf(chosenRegions.regions, unserved());
    charge(run, silent, deadline);
    // Store the start of the group before the run is offered, so that no result precedes it in the log.
    if (!begun) {
      const event = groupStarted(run, { ...chosenRegions, absent }, now, deadline);
      try {
        await results.store(streamOf('execution_groups', shardOf(groupIdOf(run_id))), event);
      } catch (error) {
        for (const region of silent) notRun(run, region);
        throw error;
      }
    }
    const offered = await offerToAll(run, silent, { deadline, absent });
    return startedRun(run_id, chosenRegions.regions, offered, deadline, groupIdOf(run_id));
  };
};

/**
 * Returns the ids of the regions that the run does not wait for, because they have no live runner. Returns an empty
 * list if no region has a live runner.
 */
const absentOf = (regions: readonly Region[], unserved: ReadonlySet<string>): string[] => {
  const absent = regions.map(({ id }) => id).filter((id) => unserved.has(id));
  return absent.length < regions.length ? absent : [];
};

const aliasOf = (region: Region): string => region.aliases[0];

const startedRun = (
  run_id: string,
  regions: readonly Region[],
  offered: number,
  not_after: number,
  execution_group_id: string | null,
): StartedRun => ({
  run_id,
  execution_group_id,
  regions: regions.map((region) => ({ region: region.id, result_id: resultIdOf(run_id, region) })),
  offered,
  not_after,
});

const groupStarted = (
  { run_id, check_id, organization_id, slot, trigger }: RunToStart,
  { mode, regions, absent }: { mode: ExecutionMode; regions: readonly Region[]; absent: string[] },
  now: number,
  deadline: number,
): NewEvent<ExecutionGroupEvent> =>
  systemEvent(
    {
      type: 'ExecutionGroupStarted',
      data: {
        execution_group_id: groupIdOf(run_id),
        ...(check_id !== null && { check_id }),
        organization_id,
        execution_mode: mode,
        execution_type: trigger.type,
        run_id,
        slot: instantOf(slot),
        regions: regions.map(({ id }) => id),
        timeout_at: instantOf(deadline),
        ...(absent.length > 0 && { unserved: absent }),
        ...(trigger.type === 'on_demand' && {
          execution_id: trigger.job_id,
          ...(trigger.user_id !== null && { triggered_by_user_id: trigger.user_id }),
        }),
      },
    },
    {
      // The id differs each time the run is started. With the same id, a store would report a conflict if the earlier
      // event had been appended in another batch.
      id: derivedUuid(`execution group/${run_id}/${now}`),
      by: 'scheduler',
      organizationId: organization_id,
      causeId: run_id,
      commandId: run_id,
      now: instantOf(now),
    },
  );
