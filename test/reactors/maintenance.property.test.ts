import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createHandle } from '../../commands/engine/handle.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import { dueActionAt } from '../../domain/incident/agenda.ts';
import { changeIncident, type IncidentInput } from '../../domain/incident/decide.ts';
import type { IncidentEvent } from '../../domain/incident/events.ts';
import { openIncident } from '../../domain/incident/open.ts';
import { incidentDecider, type Incident } from '../../domain/incident/state.ts';
import { MAINTENANCE_STATUSES } from '../../domain/incident/statuses.ts';
import { editUpdate, removeUpdate } from '../../domain/incident/updates.ts';
import { DomainError } from '../../domain/errors.ts';
import { pageDecider } from '../../domain/page/state.ts';
import { HOUR_MS, type Instant, instantOf } from '../../domain/time.ts';
import { foldInMemory } from '../../projections/engine/in-memory.ts';
import { maintenances, type DueMaintenanceDocument } from '../../projections/maintenances/projection.ts';
import { createStatuses } from '../../projections/engine/status/statuses.ts';
import type { Read } from '../../projections/readers.ts';
import { isDueUpTo } from '../../reactors/engine/lists.ts';
import type { Work } from '../../reactors/engine/work.ts';
import { maintenance } from '../../reactors/maintenance.ts';
import { createMemoryEventStore } from '../../stores/event-store/memory.ts';
import { createMemoryReadStore } from '../../stores/read-store/memory.ts';
import { aContext } from '../commands/simulated-processes.ts';
import { contextOf } from './context.ts';
import { added, page } from '../domain/incident/examples.ts';
import { PAGE, pageCreated } from '../domain/page/examples.ts';
import { randomFrom } from '../queries/uptime/random-history.ts';
import { doneBy, plainMaintenance, type Done } from './maintenance-model.ts';
import { createReactorHarness } from './reactor-harness.ts';

/** A read model of a page without stored component statuses. */
const NO_COMPONENTS = (() => ({ components: { getMany: async () => [] } })) as unknown as Read;

const test = suite('a maintenance under random users, restarts and clock changes');

const HISTORIES = 150;
const STEP = 300_000;
const STEPS = 14 * 12;
const INCIDENT = 'maintenance1';
const INTERVALS = [null, '1h', '90m, 30m', '3h, 60m, 5m', '1d, 4h'];
const ORGANIZATION = 'org000000001';

type Random = ReturnType<typeof randomFrom>;

/** Creates a maintenance in a log, and two processes that run the maintenance reactor. */
const stage = async (begin: number) => {
  const office = createReactorHarness();
  office.now = begin;
  const store = createMemoryEventStore('main');
  const events: RecordedEvent[] = [];
  let state: Incident = incidentDecider.initialState;
  let item: DueMaintenanceDocument | null = null;

  /**
   * Folds the events appended since the previous call, as the projection does.
   *
   * @returns the new events of the maintenance
   */
  const fold = async (): Promise<IncidentEvent[]> => {
    const added = await store.readStream(`incident-${INCIDENT}`, { from: BigInt(events.length) });
    for (const event of added) {
      events.push(event);
      state = incidentDecider.evolve(state, event as unknown as IncidentEvent);
      const due_at = state.status === 'active' && state.kind === 'maintenance' ? dueActionAt(state.agenda) : null;
      const changed_position = Number(event.position);
      if (due_at === null) item = null;
      else if (item?.due_at !== due_at) {
        item = { id: INCIDENT, organization_id: ORGANIZATION, page_id: PAGE, due_at, changed_position };
      }
      office.position = changed_position;
    }
    return added as unknown as IncidentEvent[];
  };
  const one = (): DueMaintenanceDocument[] => (item ? [item] : []);
  const process = (): Work =>
    maintenance.on(
      contextOf({
        handle: createHandle({ store, clock: () => office.now, pause: async () => undefined }),
        main: store,
        results: store,
        readers: { for: () => NO_COMPONENTS, sure: NO_COMPONENTS, foldedAll: async () => undefined },
        statuses: createStatuses([maintenances]),
      }),
      {
        todo: office.todo,
        reader: () => ({
          due: async (after, upTo) => one().filter((due) => !isDueUpTo(due, after) && due.due_at <= upTo),
          next: async (after) => one().find((due) => !isDueUpTo(due, after))?.due_at ?? null,
          countDue: async () => one().length,
          changedBetween: async (after, upTo) => one().filter(({ changed_position: at }) => at > after && at <= upTo),
          find: async () => one(),
        }),
      },
    );

  const people = createHandle({ store, clock: () => office.now });
  await people(PAGE, pageDecider, () => [pageCreated(), added('api'), added('web')], aContext());
  return {
    office,
    events,
    fold,
    process,
    item: one,
    now: (): Instant => instantOf(office.now),
    state: (): Incident => state,
    /** Performs a user's action. An action that the domain rejects has no effect. */
    person: async (decide: (incident: Incident) => IncidentEvent | readonly IncidentEvent[]): Promise<void> => {
      const context = aContext({ now: instantOf(office.now) });
      await people(INCIDENT, incidentDecider, decide, context).catch((error: unknown) => {
        if (!(error instanceof DomainError)) throw error;
      });
    },
  };
};

/** Returns a random action of a user at the moment `now`. */
const anything = (random: Random, now: number, made: string): ((incident: Incident) => readonly IncidentEvent[]) => {
  const at = instantOf(now);
  const soon = (): Instant => instantOf(now + (random.below(60) - 6) * STEP);
  const change = (input: IncidentInput) => (incident: Incident) => changeIncident(incident, page(), made, input, at);
  const flag = random.pick([
    'scheduled_auto_in_progress',
    'scheduled_auto_completed',
    'scheduled_remind_prior',
  ] as const);
  const updates = (incident: Incident): string[] => (incident.status === 'active' ? [...incident.texts.keys()] : []);
  switch (random.below(9)) {
    case 0:
      return change({ scheduled_for: soon() });
    case 1:
      return change({ scheduled_until: soon() });
    case 2:
      return change({ [flag]: random.chance(0.7) });
    case 3:
      return change({ reminder_intervals: random.pick(INTERVALS) });
    case 4:
      return change({ status: random.pick(MAINTENANCE_STATUSES) });
    case 5:
      return change({ body: 'We work.', ...(random.chance(0.5) && { status: random.pick(MAINTENANCE_STATUSES) }) });
    case 6:
      return (incident) => [removeUpdate(incident, page(), random.pick(updates(incident)), at)];
    case 7: {
      const created_at = instantOf(now - random.below(40) * STEP);
      return (incident) => editUpdate(incident, page(), random.pick(updates(incident)), { created_at }, at);
    }
    default:
      return change({ name: made, auto_transition_to_maintenance_state: random.chance(0.5) });
  }
};

const run = async (seed: number): Promise<{ done: Done[]; downs: number; jumps: number }> => {
  const random = randomFrom(seed * 7_919);
  const begin = Date.UTC(2026, 10, 20, 6);
  const { office, events, fold, process, item, now, person } = await stage(begin);
  const model = plainMaintenance();
  const all: Done[] = [];
  const counts = { downs: 0, jumps: 0 };
  const first = instantOf(begin + (random.below(100) - 5) * STEP);
  await person((incident) => {
    const schedule = {
      scheduled_for: first,
      scheduled_until: instantOf(Date.parse(`${first.slice(0, 23)}Z`) + (1 + random.below(40)) * STEP),
      scheduled_auto_in_progress: random.chance(0.8),
      scheduled_auto_completed: random.chance(0.8),
      scheduled_remind_prior: random.chance(0.8),
      reminder_intervals: random.pick(INTERVALS),
      auto_transition_deliver_notifications_at_start: random.chance(0.5),
      auto_transition_to_maintenance_state: random.chance(0.5),
    };
    const input = { name: 'Disks', body: 'New disks.', status: 'scheduled', components: { api: 'under_maintenance' } };
    const ids = { incident: INCIDENT, update: 'u0' };
    return openIncident(incident, page(), ids, { ...input, ...schedule } as never, now());
  });
  const processes = random.chance(0.3) ? 2 : 1;
  let works: Work[] = [];
  /** Folds new events, and notifies the reactors only if their list has changed. */
  const folded = async () => {
    const before = JSON.stringify(item());
    const happened = await fold();
    if (JSON.stringify(item()) !== before) for (const work of works) work.written(false);
    return happened;
  };
  for (let step = 0, downUntil = 0; step < STEPS; step++) {
    for (const event of await folded()) model.happened(event);
    if (step >= downUntil) {
      // After a start of the processes, users can act before the reactor does.
      if (works.length === 0 && random.chance(0.5)) {
        await person(anything(random, office.now, `u${step}`));
        for (const event of await folded()) model.happened(event);
      }
      if (works.length === 0) {
        works = Array.from({ length: processes }, process);
        for (const work of works) await work.begin(office.shift());
      }
      // A round handles only the items that are due when it starts. Items that are added to the list during a round are
      // handled in the next one.
      const done: Done[] = [];
      for (let rounds = 0; rounds < 3; rounds++) {
        await Promise.all(works.map((work) => work.round(office.now)));
        await Promise.all(works.map((work) => work.idle()));
        done.push(...(await folded()).map(doneBy));
      }
      assert.equal(done, model.doneBy(now()), `seed ${seed}, step ${step}`);
      all.push(...done);
      if (random.chance(0.12)) await person(anything(random, office.now, `v${step}`));
      if (random.chance(0.03)) {
        works = [];
        downUntil = step + random.below(30);
        counts.downs++;
      }
    }
    office.now += STEP;
    if (random.chance(0.03)) {
      office.now += random.pick([-HOUR_MS, HOUR_MS]);
      counts.jumps++;
    }
  }
  await fold();
  assert.equal(office.logged, [], `seed ${seed}`);
  const readStore = createMemoryReadStore();
  const generation = await foldInMemory(maintenances, [events], readStore);
  assert.equal(await readStore.find(generation, 'due_maintenances', {}), item(), `seed ${seed}`);
  return { done: all, ...counts };
};

test('a maintenance starts, ends and sends reminders as the plain model of its history predicts', async () => {
  const total = { moves: 0, reminders: 0, missed: 0, downs: 0, jumps: 0 };
  for (let seed = 1; seed <= HISTORIES; seed++) {
    const { done, downs, jumps } = await run(seed);
    total.downs += downs;
    total.jumps += jumps;
    for (const one of done) {
      if ('move' in one) total.moves++;
      else if (one.sent) total.reminders++;
      else total.missed++;
    }
  }
  for (const [what, times] of Object.entries(total)) assert.ok(times >= 10, `${what}: ${times}`);
});

test.run();
