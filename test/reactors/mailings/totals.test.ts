import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { restartDelivery } from '../../../commands/alerts/deliveries.ts';
import type { MailingTotals } from '../../../domain/mailing/events.ts';
import { instantOf } from '../../../domain/time.ts';
import { DELIVERY } from '../../../reactors/delivery/deliver.ts';
import { fanOutName } from '../../../reactors/delivery/fan-out.ts';
import { MAILING_TOTALS } from '../../../reactors/mailings/totals.ts';
import { openDeliveryService, type DeliveryService } from './delivery-service.ts';
import { eventually } from '../../waiting.ts';

const test = suite('the totals of a mailing');

const REACTORS = [fanOutName({ kind: 'mailing' }), DELIVERY, MAILING_TOTALS];

const open = (room: DeliveryService, name: string): Promise<unknown> =>
  room.ask('POST', `/v1/pages/${room.page}/incidents`, {
    name,
    body: 'We look into it.',
    status: 'investigating',
    components: {},
  });

const recorded = async ({ stores }: DeliveryService): Promise<MailingTotals[]> => {
  const events = await stores.main.readAll({ after: 0n, categories: ['mailing'], limit: 100 });
  return events.map(({ data }) => data as unknown as MailingTotals);
};

const gone = {
  status: 'failed',
  permanent: true,
  notBefore: null,
  reason: 'status',
  error_message: 'It is gone.',
  response_code: 410,
} as const;

test('totals are recorded when all messages of a mailing have ended, and again after a manual retry', async () => {
  const room = await openDeliveryService(REACTORS);
  await open(room, 'Nobody is there yet');
  await room.subscribes('email', 'ina@example.com');
  await room.subscribes('webhook', 'https://gone.example/hook');
  let isGone = true;
  room.answers(({ by }) => (by === 'webhook' && isGone ? gone : { status: 'delivered', response_code: 200 }));
  await open(room, 'Outage');
  await eventually(async () => (await recorded(room)).length > 0);
  const [first, ...others] = await recorded(room);
  assert.equal(others, []);
  assert.equal([first?.planned, first?.delivered, first?.failed], [2, 1, 1]);

  isGone = false;
  room.time.now += 60_000;
  const failed = (await room.deliveries()).find(({ status }) => status === 'given_up');
  assert.ok(failed);
  await restartDelivery({ results: room.stores.results })(failed, { by: 'test', now: instantOf(room.time.now) });
  await eventually(async () => (await recorded(room)).length > 1);
  const again = (await recorded(room)).at(-1);
  assert.equal([again?.planned, again?.delivered, again?.failed], [2, 2, 0]);
  assert.is(again?.begun_at, first?.begun_at);
  assert.ok(first && again && again.ended_at > first.ended_at);
  await room.close();
});

test.run();
