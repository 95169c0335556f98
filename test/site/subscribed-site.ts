import type { EventData, EventOf } from '../../domain/event-types.ts';
import { streamOf } from '../../domain/decider.ts';
import { confirmPath, managePath, unsubscribePath, type Subscription } from '../../domain/subscriber/links.ts';
import { systemEvent } from '../../domain/system-event.ts';
import { instantOf } from '../../domain/time.ts';
import { derivedUuid } from '../../domain/identity.ts';
import { request, type Reply, type TestRequest } from '../api/http.ts';
import { startService } from '../api/service.ts';
import { subscriberAdded, SUBSCRIBER } from '../domain/subscriber/examples.ts';

export const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

/** Starts a service with a page and a new e-mail subscriber. */
export const startSubscribedSite = async (page: object = {}) => {
  const service = await startService({ now: Date.parse('2026-11-20T15:00:00Z') });
  const made = await service.request('POST', '/v1/pages', { body: { name: 'Shop', ...page } });
  const { id: pageId } = made.json() as { id: string };
  const organizationId = service.first.id;
  let appended = 0;

  /** Appends an event of the subscriber, and waits until the read model contains it. */
  const append = async (event: EventOf<`Subscriber${string}` & keyof EventData>): Promise<void> => {
    const id = derivedUuid(`append ${appended++}`);
    const now = instantOf(service.time.now);
    const by = systemEvent(event, { id, by: 'test', organizationId, causeId: id, now });
    const { position } = await service.stores.main.append(streamOf('subscriber', SUBSCRIBER), [by], 'any');
    await service.readers.waitFor(['subscribers'], { appended: new Map([['main', position]]) });
  };
  const subscribe = async (number: number, more: Partial<EventData['SubscriberAdded']> = {}): Promise<void> => {
    const place = { organizationId, field: 'address' };
    const address = await service.keys.seal(`subscriber-${SUBSCRIBER}-${number}`, 'ida@example.com', place);
    await append(subscriberAdded({ page_id: pageId, number, address, ...more }));
  };
  await subscribe(1);
  const subscription = (number: number): Subscription => ({ id: SUBSCRIBER, organization_id: organizationId, number });
  const mac = (kind: string, text: string) => service.keys.fingerprint(kind, text);

  return {
    service,
    pageId,
    append,
    subscribe,
    confirmLink: (number = 1) => confirmPath(subscription(number), null, mac),
    unsubscribeLink: (number = 1) => unsubscribePath(subscription(number), mac),
    manageLink: (number = 1) => managePath(subscription(number), mac),
    /** Sends a request as a browser does. */
    visit: (path: string, { headers, ...sent }: Partial<TestRequest> = {}): Promise<Reply> =>
      request(service.port, { path, headers: { accept: BROWSER, ...headers }, ...sent }),
    /** Waits until the read model contains all events of the subscriber. */
    settled: async (): Promise<void> => {
      const last = (await service.stores.main.readStream(streamOf('subscriber', SUBSCRIBER))).at(-1);
      await service.readers.waitFor(['subscribers'], { appended: new Map([['main', last?.position ?? 0n]]) });
    },
    events: async (): Promise<string[]> =>
      (await service.stores.main.readStream(streamOf('subscriber', SUBSCRIBER))).map(({ type }) => type),
    stop: service.stop,
  };
};

export type SubscribedSite = Awaited<ReturnType<typeof startSubscribedSite>>;
