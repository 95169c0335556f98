import * as assert from 'uvu/assert';
import type { EventData } from '../../../domain/event-types.ts';
import { derivedId, derivedUuid } from '../../../domain/identity.ts';
import type { SubscriberMode } from '../../../domain/subscriber/events.ts';
import { subscriberKey } from '../../../domain/subscriber/state.ts';
import { systemEvent } from '../../../domain/system-event.ts';
import { instantOf } from '../../../domain/time.ts';
import type { NotificationMessage, Notifier, SendOutcome, NotifierSettings } from '../../../notifiers/notifier.ts';
import { deliveries, type DeliveryDocument } from '../../../projections/deliveries/projection.ts';
import { DELIVERY } from '../../../reactors/delivery/deliver.ts';
import { fanOutName } from '../../../reactors/delivery/fan-out.ts';
import { readCheckpoint } from '../../../reactors/engine/checkpoint.ts';
import { runReactor } from '../../../reactors/engine/loop.ts';
import { createMemoryCoordination } from '../../../stores/coordination/memory.ts';
import { startService } from '../../api/service.ts';
import { subscriberAdded } from '../../domain/subscriber/examples.ts';
import { eventually } from '../../waiting.ts';
import { reactorsOf } from '../context.ts';

export const PUBLIC_URL = 'https://status.example.org';
const START = Date.UTC(2026, 10, 20, 15);

/** A message that was passed to a notifier. */
export interface SentMessage {
  by: string;
  message: NotificationMessage;
  settings: NotifierSettings;
}

const NOTIFIERS = ['email', 'sms', 'webhook', 'telegram', 'max', 'slack', 'ntfy'];

const PLANNING = fanOutName({ kind: 'mailing' });

/** Starts the API with a page, and the reactors that notify subscribers. Notifiers only record their messages. */
export const openDeliveryService = async (
  reactorNames: readonly string[] = [PLANNING, DELIVERY],
  { begun = true } = {},
) => {
  const service = await startService({ now: START });
  const { stores, readers, statuses, time, keys, first } = service;
  const coordination = createMemoryCoordination();
  let stopping = new AbortController();
  const told: SentMessage[] = [];
  let answer: (handed: SentMessage) => SendOutcome = () => ({ status: 'delivered', response_code: 200 });

  const notifier = (name: string): Notifier => ({
    name,
    validate: () => ({}),
    maskedSettings: (settings) => settings,
    rateLimitTarget: () => '',
    send: async (message, settings) => {
      const handed = { by: name, message, settings };
      const sent = answer(handed);
      if (sent.status === 'delivered') told.push(handed);
      return sent;
    },
  });
  const newReactors = () =>
    reactorsOf({
      handle: service.commands.bind(({ handle }) => handle),
      main: stores.main,
      results: stores.results,
      readers,
      statuses,
      keys,
      notifiers: new Map(NOTIFIERS.map((name) => [name, notifier(name)])),
      publicUrl: PUBLIC_URL,
      mails: true,
      perSecond: 10_000,
      clock: () => time.now,
    }).filter(({ name }) => reactorNames.includes(name));
  let working: Promise<void>[] = [];
  const begin = async (): Promise<void> => {
    const reactors = newReactors();
    working = reactors.map((reactor) =>
      runReactor(reactor, {
        coordination,
        clock: () => time.now,
        log: (level, message, fields, error) => {
          if (level === 'error') console.error(message, fields, error);
        },
        signal: stopping.signal,
        timings: { retry: 1, halted: 1, spacing: 0, checkpoint: 0, clockCheck: 5 },
      }),
    );
    for (const { name } of reactors) await eventually(async () => (await readCheckpoint(coordination, name)) !== null);
  };

  const ask = async (method: string, path: string, body?: object): Promise<{ id: string }> => {
    const reply = await service.request(method, path, body && { body });
    assert.ok(reply.status < 300, reply.text);
    return (reply.status === 204 ? {} : reply.json()) as { id: string };
  };
  const page = (await ask('POST', '/v1/pages', { name: 'Acme', allow_sms_subscribers: true })).id;
  // Causes from before the first activation produce no messages.
  if (begun) await begin();

  return {
    /** Starts the reactors unless they are running. */
    begin,
    /** Replaces the reactors by new ones, as another process does. State that was not stored is lost. */
    restart: async (): Promise<void> => {
      stopping.abort();
      await Promise.all(working);
      stopping = new AbortController();
      await begin();
    },
    service,
    page,
    time,
    told,
    stores,
    keys,
    /** Overrides the result of notifiers, which is otherwise a successful delivery. */
    answers: (other: (handed: SentMessage) => SendOutcome): void => {
      answer = other;
    },
    ask,
    /** Adds a confirmed subscriber, as a caller with an API key does. */
    subscribes: async (
      mode: SubscriberMode,
      address: string,
      more: Partial<EventData['SubscriberAdded']> = {},
    ): Promise<string> => {
      const number = more.number ?? 1;
      const id = derivedId(`${page}/${mode}/${address}`);
      const seal = (field: string, text: string) =>
        keys.seal(subscriberKey(id, number), text, { organizationId: first.id, field });
      const { type, data } = subscriberAdded({
        subscriber_id: id,
        page_id: page,
        number,
        mode,
        address: await seal('address', address),
        secret: mode === 'webhook' ? await seal('secret', `secret of ${address}`) : null,
        target: address,
        verified: true,
        asks: false,
        purge_at: null,
        added_at: instantOf(time.now),
        ...more,
      });
      const event = systemEvent({ type, data } as const, {
        id: derivedUuid(`${id}/${number}`),
        by: 'test',
        organizationId: first.id,
        now: instantOf(time.now),
      });
      await stores.main.append(`subscriber-${id}`, [event], 'any');
      return id;
    },
    /** Returns the times at which unplanned mailings will be checked again, in milliseconds since 1970. */
    planned: async (): Promise<number[]> =>
      (await coordination.failedItems.page(PLANNING, { after: null, limit: 100 })).map(({ again }) => again),
    /** Waits until this many messages were passed to notifiers. */
    received: async (count: number): Promise<readonly SentMessage[]> => {
      await eventually(() => told.length >= count);
      return told;
    },
    deliveries: (): Promise<DeliveryDocument[]> =>
      readers
        .for({ appended: new Map() })(deliveries)
        .deliveries.find({ sort: { created_at: 1 } }),
    close: async (): Promise<void> => {
      stopping.abort();
      await Promise.all(working);
      await service.stop();
    },
  };
};

export type DeliveryService = Awaited<ReturnType<typeof openDeliveryService>>;
