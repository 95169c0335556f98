import type { EventOf, EventType } from '../../../domain/event-types.ts';
import { regionOf } from '../../../domain/check/regions.ts';
import { derivedUuid } from '../../../domain/identity.ts';
import { instantOf } from '../../../domain/time.ts';
import { createScheduler, type Scheduler } from '../../../runners/scheduler/scheduler.ts';
import type { CheckSource, ScheduledCheck } from '../../../runners/scheduler/check-source.ts';
import { createBatches } from '../../../stores/event-store/batches.ts';
import { MAX_WAIT_MS } from '../../../runners/scheduler/start-times.ts';
import { createStartRun } from '../../../runners/scheduler/start-run.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { QueueFull, type QueuedRun } from '../../../stores/work-queue/port.ts';
import type { Credits } from '../../../domain/credits/credits.ts';
import { UNLIMITED } from '../../credits.ts';
import { newCheck } from '../../domain/check/examples.ts';
import { fakeClock, settled } from '../../network/fake-clock.ts';

export const START = Date.UTC(2026, 10, 20, 15);

/** Returns when the run of a slot starts if there are few checks. Runs wait, so that several can start together. */
export const begins = (slot: number): number => Math.ceil(slot / MAX_WAIT_MS) * MAX_WAIT_MS;

/** Creates a scheduler with simulated dependencies. Offered runs are recorded, and time passes only on command. */
export const stage = (
  checks: readonly ScheduledCheck[] = [],
  credits: Credits = UNLIMITED,
  pausedGroups: readonly string[] = [],
) => {
  const clock = fakeClock(START);
  const log = createMemoryEventStore('main');
  const documents = new Map(checks.map((check) => [check.id, check]));
  const deleted = new Map<string, ScheduledCheck>();
  const paused = new Set(pausedGroups);
  const offered: QueuedRun[] = [];
  const cancelled: string[] = [];
  const cancelledGroups: string[] = [];
  const lateness: number[] = [];
  const skipped: string[] = [];
  const troubles: unknown[] = [];
  /** faults that occur until they are reset */
  const faults = { queueFull: false, queueDown: false, readModelLate: false, logBroken: false, sourceDown: false };
  let events = 0;
  let passedAsked = 0n;
  const read: string[] = [];

  const source: CheckSource = {
    position: async () => {
      if (faults.sourceDown) throw new Error('The read model is being built.');
      return 0n;
    },
    page: async (after) =>
      [...documents.values()]
        .filter(({ id }) => after === null || id > after)
        .sort((one, other) => (one.id < other.id ? -1 : 1))
        .slice(0, 2),
    get: async (ids, passed) => {
      passedAsked = passed;
      read.push(...ids);
      if (faults.readModelLate) throw new Error('The read model is late.');
      return ids
        .flatMap((id) => documents.get(id) ?? [])
        .filter(({ active, parked_at, group_id }) => active && parked_at === null && !paused.has(group_id ?? ''));
    },
    pausedGroups: async () => new Set(paused),
  };
  const moscow = regionOf('RU, Moscow');
  if (!moscow) throw new Error('There is no such region.');
  const scheduler: Scheduler = createScheduler({
    checks: source,
    log: {
      subscribe: async function* (options) {
        for await (const page of log.subscribe(options)) {
          if (faults.logBroken) throw new Error('The log is broken.');
          yield page;
        }
      },
    },
    clock,
    credits,
    startRun: createStartRun({
      credits,
      results: createBatches({ log: createMemoryEventStore('results'), after: clock.after }),
      clock,
      defaultRegion: moscow,
      queue: {
        offer: async (run) => {
          if (faults.queueFull) throw new QueueFull(run.region, 1);
          if (faults.queueDown) throw new Error('The queue is down.');
          offered.push(run);
        },
      },
    }),
    cancel: (runId) => cancelled.push(runId),
    cancelGroup: ({ groupId }) => cancelledGroups.push(groupId),
    observe: {
      offered: (late) => lateness.push(late),
      skipped: (reason, runs) => skipped.push(`${reason} ${runs}`),
      trouble: (error) => troubles.push(error),
    },
  });

  /** Appends an event about a check, and delivers it to the read model and the scheduler. */
  const happens = async <T extends EventType>(fact: EventOf<T>): Promise<void> => {
    const data = fact.data as unknown as Record<string, unknown>;
    const id = String(data['check_id']);
    const group = String(data['check_group_id']);
    const known = documents.get(id);
    if (fact.type === 'CheckCreated')
      documents.set(id, {
        ...(data as unknown as ScheduledCheck),
        id,
        status: 'pending',
        parked_at: null,
        group_id: data['group_id'] as string | null,
      });
    if (fact.type === 'CheckDeleted' && known) deleted.set(id, known);
    if (fact.type === 'CheckDeleted') documents.delete(id);
    const former = deleted.get(id);
    if (fact.type === 'CheckRestored' && former)
      documents.set(id, { ...former, active: data['active'] as boolean, group_id: data['group_id'] as string | null });
    if (fact.type === 'CheckUpdated' && known)
      documents.set(id, { ...known, ...(data['changes'] as object), parked_at: null });
    if (fact.type === 'CheckParked' && known) documents.set(id, { ...known, parked_at: String(data['at']) });
    if (fact.type === 'CheckReleased' && known) documents.set(id, { ...known, parked_at: null });
    if (fact.type === 'CheckGrouped' && known)
      documents.set(id, { ...known, group_id: data['group_id'] as string | null });
    const { active } = { ...(data['check_group'] as object), ...(data['changes'] as object) } as { active?: boolean };
    if (fact.type.startsWith('CheckGroup') && active === false) paused.add(group);
    if (fact.type === 'CheckGroupDeleted' || active === true) paused.delete(group);
    const event = {
      id: derivedUuid(`event ${events++}`),
      type: fact.type,
      data: fact.data,
      metadata: {
        $correlationId: 'c',
        $causationId: 'c',
        command_id: 'c',
        actor: { kind: 'system' as const, id: 'test', role: null },
        organization_id: 'org000000001',
        recorded_at: instantOf(clock.now()),
        schema_version: 1,
      },
    };
    await log.append('check_id' in data ? `check-${id}` : `check_group-${group}`, [event], 'any');
    await settled();
    // A timer of length zero offers the runs that are due now.
    await clock.advance(0);
  };

  return {
    clock,
    scheduler,
    faults,
    /** documents of the read model */
    documents,
    offered,
    cancelled,
    /** ids of cancelled execution groups */
    cancelledGroups,
    lateness,
    skipped,
    troubles,
    happens,
    passedAsked: () => passedAsked,
    /** ids of the checks whose definitions were read */
    read,
    lastPosition: async () => (await log.readAll({ after: 0n })).at(-1)?.position,
    start: async (): Promise<void> => {
      await scheduler.start();
      await settled();
      await clock.advance(0);
    },
    /** Ends all offered runs. */
    finishAll: (): void => {
      for (const run of offered) scheduler.finished((run.payload as { check_id: string }).check_id, run.run_id);
    },
  };
};

export const scheduled = (id: string, fields: Partial<ScheduledCheck> = {}): ScheduledCheck => ({
  ...newCheck(),
  id,
  organization_id: 'org000000001',
  status: 'up',
  parked_at: null,
  group_id: null,
  ...fields,
});
