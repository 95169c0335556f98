import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Sealed } from '../../../domain/sealed.ts';
import { instantOf } from '../../../domain/time.ts';
import type { PurgeDocument } from '../../../projections/subscription-tasks/projection.ts';
import { purge } from '../../../reactors/subscriptions/purges.ts';
import { FORGOTTEN } from '../../../stores/keys/port.ts';
import {
  SUBSCRIBER,
  subscriberQuarantined,
  subscriberReleased,
  subscriberVerified,
} from '../../domain/subscriber/examples.ts';
import { ORGANIZATION, subscribedLog } from './subscriber-log.ts';

const test = suite('the subscription-purges reactor');

const staged = async () => {
  const log = subscribedLog();
  await log.subscribe('ida@example.com');
  const removed = async (item: Partial<PurgeDocument> = {}): Promise<string[]> => {
    const now = instantOf(log.time.now);
    const whose = { id: SUBSCRIBER, organization_id: ORGANIZATION, number: 1, changed_position: 10 };
    const due = { ...whose, reason: 'unconfirmed', due_at: now, ...item } as const;
    await purge({ handle: log.handle(), keys: log.keys })(due, { now, appended: new Map() });
    return log.types();
  };
  return { log, removed };
};

test('an unconfirmed subscription is removed, and its address is forgotten', async () => {
  const { log, removed } = await staged();
  const [added] = await log.events();
  assert.equal(await removed(), ['SubscriberAdded', 'SubscriberPurged']);
  const { address } = added?.data as { address: Sealed };
  assert.is(await log.keys.open(address, { organizationId: ORGANIZATION, field: 'address' }), FORGOTTEN);
  assert.equal(await removed(), ['SubscriberAdded', 'SubscriberPurged'], 'once');
});

test('a subscription that is confirmed just before it would be removed stays', async () => {
  const { log, removed } = await staged();
  await log.append(subscriberVerified());
  assert.equal(await removed(), ['SubscriberAdded', 'SubscriberVerified']);
});

test('a subscription is removed at the end of its quarantine, unless it was released from quarantine or subscribed again before', async () => {
  const { log, removed } = await staged();
  await log.append(subscriberVerified());
  await log.append(subscriberQuarantined());
  assert.is((await removed({ reason: 'quarantined', number: 2, changed_position: 20 })).length, 3);
  await log.append(subscriberReleased());
  assert.is((await removed({ reason: 'quarantined', changed_position: 30 })).length, 4);
  await log.append(subscriberQuarantined());
  assert.is((await removed({ reason: 'quarantined', changed_position: 40 })).at(-1), 'SubscriberPurged');
});

test.run();
