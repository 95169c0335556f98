import { createHandle, type Handle } from '../../../commands/engine/handle.ts';
import { acknowledgeAlert, resolveAlert } from '../../../commands/alerts/alerts.ts';
import { categoryOf } from '../../../domain/decider.ts';
import { RESULT_CATEGORIES, type EventOf } from '../../../domain/event-types.ts';
import { alertIdOf } from '../../../domain/alert/identity.ts';
import type { AlertRuleFields } from '../../../domain/alert-rule/fields.ts';
import type { CheckSettings } from '../../../domain/check/state.ts';
import { definitionKey } from '../../../domain/check/definition-key.ts';
import type { RecordedEvent } from '../../../domain/event.ts';
import { derivedId } from '../../../domain/identity.ts';
import { instantOf } from '../../../domain/time.ts';
import { alertRules } from '../../../projections/alert-rules/projection.ts';
import { alerts } from '../../../projections/alerts/projection.ts';
import { checkResults } from '../../../projections/check-results/projection.ts';
import { checks } from '../../../projections/checks/projection.ts';
import { projectionKey, type AnyProjection, type Collections } from '../../../projections/engine/fold/define.ts';
import { Folding } from '../../../projections/engine/fold/folding.ts';
import { projectionReader } from '../../../projections/engine/projection-reader.ts';
import { executionGroups } from '../../../projections/execution-groups/projection.ts';
import { judgedChecks } from '../../../projections/judged-checks/projection.ts';
import { quietChecks } from '../../../projections/quiet-checks/projection.ts';
import type { Read } from '../../../projections/readers.ts';
import { ruleInputs } from '../../../projections/rule-inputs/projection.ts';
import {
  createJudgeWork,
  combineLists,
  createUnreadLists,
  type JudgeDependencies,
} from '../../../reactors/alerts/judge.ts';
import type { Work } from '../../../reactors/engine/work.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { createMemoryReadStore } from '../../../stores/read-store/memory.ts';
import { aContext } from '../../commands/simulated-processes.ts';
import { aRule } from '../../domain/alert-rule/examples.ts';
import { ranDown, ranOk } from '../../domain/check-result/examples.ts';
import {
  CHECK,
  checkCreated,
  checkDeleted,
  checkRestored,
  checkUpdated,
  newCheck,
  ORGANIZATION,
} from '../../domain/check/examples.ts';
import { added, byClock, scheduled } from '../../domain/incident/examples.ts';
import { componentUpdated } from '../../domain/page/examples.ts';
import { recorded, type Fact } from '../../projections/history.ts';
import { createReactorHarness } from '../reactor-harness.ts';

export const RULE = 'rule00000001';
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

const PROJECTIONS: readonly AnyProjection[] = [
  checks,
  alertRules,
  alerts,
  judgedChecks,
  quietChecks,
  ruleInputs,
  checkResults,
  executionGroups,
];

/** Returns an event of an alert in a short notation, such as `fired 1` or `resolved 1: condition`. */
const notationOf = ({ type, data }: RecordedEvent, number: number): string => {
  if (type === 'AlertFired') return `fired ${number}`;
  if (type === 'AlertResolved') return `resolved ${number}: ${(data as { because: string }).because}`;
  return `${type} ${number}`;
};

type Result = EventOf<'CheckRunCompleted'>['data'];

/**
 * Creates a check with a rule, with logs and read models, and processes that evaluate the rule. The test moves the
 * clock.
 */
export const stage = async (fields: Partial<AlertRuleFields> = {}) => {
  const office = createReactorHarness();
  const stores = { main: createMemoryEventStore('main'), results: createMemoryEventStore('results') };
  const readStore = createMemoryReadStore();
  const foldings = new Map<string, Folding>();
  for (const projection of PROJECTIONS) {
    const generation = { projection: projectionKey(projection), number: 1 };
    await readStore.open(generation, projection.collections as Collections);
    const checkpoint = { log_id: 'log', position: 0n, event_id: null };
    const options = { projection, generation, readStore, checkpoint, retainedFrom: null, recentDocuments: 100 };
    foldings.set(projection.name, new Folding({ ...options, recordsWritten: () => true }));
  }
  /** listeners for writes, by projection */
  const watchers = new Map<string, Set<(collections: ReadonlyMap<string, unknown>) => void>>();

  const foldAll = async (): Promise<void> => {
    for (const folding of foldings.values()) {
      const events = await stores[folding.projection.log].readAll({ after: folding.position });
      await folding.fold(events);
      await folding.commit();
      const written = folding.takeWritten();
      if (written) for (const tell of watchers.get(folding.projection.name) ?? []) tell(written);
    }
  };
  const read: Read = (projection) =>
    projectionReader(projection, readStore, (question) =>
      question({ projection: projectionKey(projection), number: 1 }),
    );
  /** an action to run before the next read through `readLater` */
  let meanwhile: (() => Promise<void>) | null = null;
  const readLater: Read = (projection) =>
    projectionReader(projection, readStore, async (question) => {
      const happens = meanwhile;
      meanwhile = null;
      await happens?.();
      return question({ projection: projectionKey(projection), number: 1 });
    });
  const positionOf = ({ name }: AnyProjection): number => Number(foldings.get(name)?.position ?? 0n);
  const handle: Handle = createHandle({ store: stores.main, clock: () => office.now });

  /** The reactors of the running processes; each has its own caches. */
  let works: Work[] = [];
  const process = (): Work => {
    const dependencies: JudgeDependencies = {
      handle: createHandle({ store: stores.main, clock: () => office.now, pause: async () => undefined }),
      read,
      readAfter: () => readLater,
      todo: (projection, ...collections) => ({
        position: () => positionOf(projection),
        folded: () => positionOf(projection),
        watch: (written) => {
          const tell = (changed: ReadonlyMap<string, unknown>): void => {
            if (collections.some((collection) => changed.has(collection))) written(false);
          };
          const listeners = watchers.get(projection.name) ?? new Set();
          watchers.set(projection.name, listeners.add(tell));
          return () => listeners.delete(tell);
        },
        passed: () => () => undefined,
      }),
    };
    const unread = createUnreadLists();
    const lists = combineLists(dependencies, unread);
    lists.watch(() => undefined);
    return createJudgeWork(dependencies, lists, unread);
  };

  let sequence = 0;
  const append = async (...facts: Fact[]): Promise<void> => {
    for (const event of recorded(facts)) {
      sequence += 1;
      const id = `00000000-0000-4000-8000-${sequence.toString().padStart(12, '0')}`;
      const metadata = { ...event.metadata, recorded_at: instantOf(office.now) };
      const isResult = RESULT_CATEGORIES.includes(categoryOf(event.stream));
      const store = isResult ? stores.results : stores.main;
      await store.append(event.stream, [{ id, type: event.type, data: event.data, metadata }], 'any');
    }
  };

  let rule = aRule({ check_id: CHECK, cooldown_period: 0, ...fields });
  let check = newCheck();
  let runs = 0;
  await append(
    checkCreated(),
    added('api', { check_id: null }),
    scheduled(),
    byClock('15:00', 'scheduled', 'in_progress'),
    { type: 'AlertRuleCreated', data: { rule_id: RULE, organization_id: ORGANIZATION, rule } },
  );
  office.now += SECOND;

  const resultFields = (more: Partial<Result>): Partial<Result> => {
    const run_id = derivedId(`run ${++runs}`);
    return { run_id, result_id: derivedId(`result of ${run_id}`), definition: definitionKey(check), ...more };
  };

  /** Returns the series of the rule's alerts. For a rule by tag, this is the series of the first check. */
  const seriesOf = (): string => (rule.tag === null ? RULE : `${RULE}/${CHECK}`);

  const given = {
    office,
    append,
    process,
    stores,
    read,
    resultFields,
    rule: () => rule,
    definition: () => definitionKey(check),
    ok: (more: Partial<Result> = {}) => append(ranOk(resultFields(more))),
    bad: (more: Partial<Result> = {}) => append(ranDown(resultFields(more))),
    changeRule: async (changes: Partial<AlertRuleFields>) => {
      await append({ type: 'AlertRuleUpdated', data: { rule_id: RULE, changes, previous: {} } });
      rule = { ...rule, ...changes };
    },
    deleteRule: () => append({ type: 'AlertRuleDeleted', data: { rule_id: RULE } }),
    /** Adds a check that differs from the first one only in its tags. */
    addCheck: async (check_id: string, tags: string[]) => {
      const { type, data } = checkCreated({ tags });
      await append({ type, data: { ...data, check_id } });
      office.now += SECOND;
    },
    retag: (check_id: string, tags: string[]) =>
      append({ type: 'CheckUpdated', data: { check_id, changes: { tags }, previous: {} } }),
    removeCheck: (check_id: string) => append({ type: 'CheckDeleted', data: { check_id } }),
    changeCheck: async (changes: Partial<CheckSettings>) => {
      await append(checkUpdated(changes, {}));
      check = { ...check, ...changes };
    },
    deleteCheck: () => append(checkDeleted),
    restoreCheck: () => append(checkRestored()),
    quiet: (on: boolean) => append(componentUpdated('api', { check_id: on ? CHECK : null }, {})),
    /** Makes a component that is under maintenance name the tag, or no tag. */
    quietTag: (tag: string, on: boolean) => append(componentUpdated('api', { check_tag: on ? tag : null }, {})),
    acknowledge: (number: number) =>
      acknowledgeAlert({ handle })(alertIdOf(seriesOf(), number), aContext({ now: instantOf(office.now) })),
    resolve: (number: number) =>
      resolveAlert({ handle })(alertIdOf(seriesOf(), number), aContext({ now: instantOf(office.now) })),
    /** Runs a command on an alert as a user. */
    as: (command: typeof acknowledgeAlert, alertId: string) =>
      command({ handle })(alertId, aContext({ now: instantOf(office.now) })),
    pass: (milliseconds: number) => {
      office.now += milliseconds;
    },
    /** Runs an action and folds its events during the next read of changed checks. */
    meanwhile: (happens: () => Promise<void>) => {
      meanwhile = async () => {
        await happens();
        await foldAll();
      };
    },
    /** Kills the processes. */
    kill: () => {
      works = [];
    },
    /** Lets processes work until nothing is left to do. */
    settle: async (processes = 1): Promise<void> => {
      await foldAll();
      while (works.length < processes) {
        const work = process();
        await work.begin(office.shift());
        works.push(work);
      }
      for (let before = -1; before !== positionOf(alerts);) {
        before = positionOf(alerts);
        await Promise.all(works.map((work) => work.round(office.now)));
        await Promise.all(works.map((work) => work.idle()));
        await foldAll();
      }
    },
    /** Returns the time until the reactor wants to run again, in milliseconds. */
    next: async (): Promise<number | null> => {
      const { next } = (await works[0]?.round(office.now)) ?? { next: null };
      return next === null ? null : next - office.now;
    },
    /** Returns all events of alerts. */
    receivers: async (): Promise<string[]> => {
      const events = (await stores.main.readAll({ after: 0n })).filter(({ stream }) => stream.startsWith('alert-'));
      const numbers = new Map(
        events.flatMap(({ stream, type, data }) =>
          type === 'AlertFired' ? [[stream, (data as { number: number }).number] as const] : [],
        ),
      );
      return events.map((event) => notationOf(event, numbers.get(event.stream) ?? 0));
    },
    /** Returns all events of alerts with their checks, such as `check0000001 fired 1`. */
    toldByCheck: async (): Promise<string[]> => {
      const events = (await stores.main.readAll({ after: 0n })).filter(({ stream }) => stream.startsWith('alert-'));
      const fired = new Map<string, { check_id: string; number: number }>();
      return events.map((event) => {
        const data = event.data as { check_id: string; number: number };
        if (event.type === 'AlertFired') fired.set(event.stream, data);
        const { check_id = '', number = 0 } = fired.get(event.stream) ?? {};
        return `${check_id} ${notationOf(event, number)}`;
      });
    },
    /** Returns the data of the newest event of a type. */
    last: async (type: string): Promise<object | undefined> =>
      (await stores.main.readAll({ after: 0n })).findLast((event) => event.type === type)?.data,
  };
  return given;
};

export type Stage = Awaited<ReturnType<typeof stage>>;
