import type { DeliveryReceiver } from '../../../domain/delivery/decide.ts';
import { causeKey, type DeliveryEvent } from '../../../domain/delivery/events.ts';
import { instantOf } from '../../../domain/time.ts';
import type { NotificationMessage, Notifier, SendOutcome } from '../../../notifiers/notifier.ts';
import { deliveries, type DeliveryDocument } from '../../../projections/deliveries/projection.ts';
import type { CauseItem, CauseKind } from '../../../reactors/delivery/cause.ts';
import { createDeliveryReactor } from '../../../reactors/delivery/deliver.ts';
import { digests } from '../../../reactors/delivery/digests.ts';
import { fanOut, fanOutName } from '../../../reactors/delivery/fan-out.ts';
import { createChangeWork } from '../../../reactors/engine/changes.ts';
import type { ChangeList } from '../../../reactors/engine/lists.ts';
import { readCheckpoint } from '../../../reactors/engine/checkpoint.ts';
import { runReactor } from '../../../reactors/engine/loop.ts';
import { createMemoryCoordination } from '../../../stores/coordination/memory.ts';
import { StoreUnavailable, type EventStore } from '../../../stores/event-store/port.ts';
import { startService } from '../../api/service.ts';
import { ORGANIZATION } from '../../domain/check/examples.ts';
import { eventually } from '../../waiting.ts';
import { contextOf } from '../context.ts';

export const START = Date.UTC(2026, 10, 20, 15);

/** Overrides of a stage: the behaviour of targets, and failures of processes and stores. */
export interface DeliveryStageOptions {
  send?: (to: string, message: NotificationMessage, signal: AbortSignal) => Promise<SendOutcome>;
  /** replaces the append of the results log */
  append?: (append: EventStore['append']) => EventStore['append'];
  /** number of messages that start per second; default: not limited */
  perSecond?: number;
}

/**
 * Creates a log that does not respond to two appends, and responds to later ones.
 *
 * @param concerns selects these appends
 * @param stores whether the log stores the events of these appends nevertheless
 */
export const silentLog = (concerns: (events: Parameters<EventStore['append']>[1]) => boolean, stores: boolean) => {
  let failures = 0;
  return {
    failed: (): boolean => failures > 0,
    append:
      (append: EventStore['append']): EventStore['append'] =>
      async (stream, events, expected) => {
        if (!concerns(events) || failures > 1) return append(stream, events, expected);
        failures++;
        if (stores) await append(stream, events, expected);
        throw new StoreUnavailable('The log does not answer.');
      },
  };
};

export const received: SendOutcome = { status: 'delivered', response_code: 204 };

export const refused = (permanent: boolean, response_code: number | null = 503): SendOutcome => ({
  status: 'failed',
  permanent,
  notBefore: null,
  reason: 'status',
  error_message: `The target responded ${String(response_code)}.`,
  response_code,
});

/** Returns a promise that never settles, like the promises of a killed process. */
export const neverSettles = <T>(): Promise<T> => new Promise<T>(() => undefined);

/**
 * Creates a log that never responds to certain appends, as if the process were killed during the append.
 *
 * @param concerns selects these appends
 * @param stores whether the log stores the events of these appends nevertheless
 */
export const hangingLog = (concerns: (events: Parameters<EventStore['append']>[1]) => boolean, stores: boolean) => {
  let hangs = false;
  return {
    hangs: (): boolean => hangs,
    append:
      (append: EventStore['append']): EventStore['append'] =>
      async (stream, events, expected) => {
        if (!concerns(events)) return append(stream, events, expected);
        hangs = true;
        if (stores) await append(stream, events, expected);
        return neverSettles();
      },
  };
};

/** Creates causes with receivers, and the delivery reactors, which can be started, stopped and killed. */
export const stage = async () => {
  const { stores, readers, statuses, time, commands, stop: stopService } = await startService({ now: START });
  const coordination = createMemoryCoordination();
  const causes: CauseItem[] = [];
  const watchers = new Set<(everything: boolean) => void>();
  /** the accepted messages and their receivers */
  const inbox: { to: string; id: string }[] = [];
  const logged: string[] = [];
  const running = new Set<AbortController>();
  const state = { receivers: [] as DeliveryReceiver[], withdrawn: new Set<string>() };

  const todo = {
    position: () => causes.length,
    folded: () => causes.length,
    watch: (written: (everything: boolean) => void) => {
      watchers.add(written);
      return () => watchers.delete(written);
    },
    passed: () => () => undefined,
  };
  const list: ChangeList<CauseItem> = {
    changedBetween: async (after, upTo, limit) =>
      causes.filter(({ changed_position: at }) => at > after && at <= upTo).slice(0, limit),
    find: async (ids) => causes.filter(({ id }) => ids.includes(id)),
    countAfter: async (position) => causes.filter(({ changed_position: at }) => at > position).length,
  };
  const kind: CauseKind = {
    kind: 'announcement',
    list: {
      projection: deliveries,
      collections: [],
      waiting: () => async () => ({ items: 0, since: null }),
      reader: () => list,
      work: (name, _, act) => createChangeWork(name, todo, list, act, { atOnce: 4 }),
    },
    isRemembered: ({ id }) => id === 'remembered',
    bind: () => ({
      receivers: async (_, after, limit) =>
        state.receivers.filter(({ id }) => after === null || id > after).slice(0, limit),
      compose: async ({ cause, receiver_id: to }) =>
        state.withdrawn.has(to)
          ? null
          : { settings: { to }, message: { event: 'announced', subject: cause.id, text: '', data: { cause } } },
    }),
  };

  const start = async ({
    send = async () => received,
    append = (same) => same,
    perSecond = 100_000,
  }: DeliveryStageOptions = {}) => {
    const stopping = new AbortController();
    let dead = false;
    const results: EventStore = { ...stores.results, append: append(stores.results.append.bind(stores.results)) };
    const notifier: Notifier = {
      name: 'test',
      validate: () => ({}),
      maskedSettings: (settings) => settings,
      rateLimitTarget: () => '',
      send: async (message, { to }, { signal }) => {
        const sent = await send(to as string, message, signal);
        if (sent.status === 'delivered') inbox.push({ to: to as string, id: message.id });
        return dead ? neverSettles() : sent;
      },
    };
    const context = contextOf({
      handle: commands.bind(({ handle }) => handle),
      main: stores.main,
      results,
      readers,
      statuses,
      coordination,
      perSecond,
      notifiers: new Map([['test', notifier]]),
      clock: () => time.now,
    });
    const reactors = [
      { ...fanOut(kind).begin(context), todo },
      digests.begin(context),
      createDeliveryReactor([kind]).begin(context),
    ];
    const working = reactors.map((reactor) =>
      runReactor(reactor, {
        coordination,
        clock: () => time.now,
        log: (level, message, fields) => logged.push(`${level}: ${message} ${JSON.stringify(fields)}`),
        signal: stopping.signal,
        timings: { retry: 1, halted: 1, spacing: 0, checkpoint: 0, clockCheck: 5 },
      }),
    );
    running.add(stopping);
    // Causes from before the first activation produce no messages, so wait for the activation.
    await eventually(async () => (await readCheckpoint(coordination, fanOutName(kind))) !== null);
    return {
      /** Stops the reactors as a shutdown does. */
      stop: async (): Promise<void> => {
        running.delete(stopping);
        stopping.abort();
        await Promise.all(working);
      },
      /** Stops the reactors and leaves all their work pending forever. */
      kill: (): void => {
        dead = true;
        stopping.abort();
      },
    };
  };

  const events = async (): Promise<DeliveryEvent[]> => {
    const all: DeliveryEvent[] = [];
    for (let after = 0n; ;) {
      const page = await stores.results.readAll({ after, categories: ['deliveries'], limit: 1_000 });
      all.push(...(page as unknown as DeliveryEvent[]));
      const last = page.at(-1);
      if (!last) return all;
      after = last.position;
    }
  };

  const reading = () => readers.for({ appended: new Map() })(deliveries);

  return {
    inbox,
    logged,
    time,
    stores,
    state,
    start,
    reading,
    /** Adds a cause with receivers. */
    happens: (id: string, fields: Partial<CauseItem> = {}): void => {
      const position = causes.length + 1;
      const cause = { kind: 'announcement', id };
      const what = { caused_at: instantOf(time.now), series: null, priority: 'page' as const };
      causes.push({ id, changed_position: position, organization_id: ORGANIZATION, cause, ...what, ...fields });
      for (const written of watchers) written(false);
    },
    /** Adds `count` receivers to causes, each with its own target. */
    inviting: (count: number): void => {
      state.receivers = Array.from({ length: count }, (_, index) => {
        const id = `r${index.toString().padStart(6, '0')}`;
        return { id, notifier: 'test', target: `place of ${id}` };
      });
    },
    /** Returns the number of events of each type in the log, and the number of planned deliveries. */
    counts: async (): Promise<Record<string, number>> => {
      const counts: Record<string, number> = {};
      const count = (what: string, more: number): void => {
        counts[what] = (counts[what] ?? 0) + more;
      };
      for (const { type, data } of await events()) {
        if (type === 'DeliveriesPlanned') count('planned', data.deliveries.length);
        else count(type, 1);
      }
      return counts;
    },
    events,
    deliveries: (status?: DeliveryDocument['status']): Promise<DeliveryDocument[]> =>
      reading().deliveries.find({ ...(status && { where: { status } }), sort: { receiver_id: 1 } }),
    fanOut: (id: string) => reading().fan_outs.get(causeKey({ kind: 'announcement', id })),
    now: () => instantOf(time.now),
    /** Advances the clock, and wakes the reactors. */
    pass: (milliseconds: number): void => {
      time.now += milliseconds;
      for (const written of watchers) written(false);
    },
    close: async (): Promise<void> => {
      for (const stopping of running) stopping.abort();
      await stopService();
    },
  };
};
