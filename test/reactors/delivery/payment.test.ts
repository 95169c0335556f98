import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createHandle } from '../../../commands/engine/handle.ts';
import { updateOrganization } from '../../../commands/organizations/organization-update.ts';
import { invoiceProvider } from '../../../commands/payments/invoices.ts';
import { cancelPayment, settlePayment } from '../../../commands/payments/payments.ts';
import { recordRenewalFailure } from '../../../commands/payments/subscriptions.ts';
import { createUser } from '../../../commands/organizations/users.ts';
import { existing, paymentDecider } from '../../../domain/payment/state.ts';
import { payments } from '../../../projections/payments/projection.ts';
import { DELIVERY } from '../../../reactors/delivery/deliver.ts';
import { fanOutName } from '../../../reactors/delivery/fan-out.ts';
import { request } from '../../api/http.ts';
import { storePayment } from '../../api/payments.ts';
import { CUSTOMER, forTeam, SELLER } from '../../payments.ts';
import {
  openDeliveryService,
  PUBLIC_URL,
  type SentMessage,
  type DeliveryService,
} from '../mailings/delivery-service.ts';
import { refused } from './stage.ts';
import { eventually } from '../../waiting.ts';

const test = suite<{ room: DeliveryService }>('e-mails about payments');

test.before.each(async (context) => {
  context.room = await openDeliveryService([fanOutName({ kind: 'payment' }), DELIVERY]);
});
test.after.each(({ room }) => room.close());

const contextOf = ({ service }: DeliveryService) => service.context(service.first.id, randomUUID());

/** Sends the notice of an invoice. */
const invoiced = async (room: DeliveryService, ...given: Given): Promise<string> => {
  const { service, stores, time } = room;
  const id = await storePayment(service, service.first.id, ...given);
  const handle = createHandle({ store: stores.main, clock: () => time.now });
  const context = contextOf(room);
  const payment = existing(await handle.load(id, paymentDecider, context));
  await invoiceProvider({ handle }, SELLER).begin(payment, context);
  return id;
};
type Given = Parameters<typeof storePayment> extends [unknown, unknown, ...infer More] ? More : never;

const joins = (room: DeliveryService, email: string, role: string): Promise<string> => {
  const input = { email, role, password: 'a long walk home', first_name: null, last_name: null };
  return room.service.commands.bind(createUser)(input, contextOf(room));
};

const addressesOf = (messages: readonly SentMessage[]): unknown[] =>
  messages.map(({ settings }) => settings['address']).sort();

const linkIn = (handed: SentMessage | undefined): string => {
  const [, path = ''] = new RegExp(`${PUBLIC_URL}(\\S+)`).exec(handed?.message.text ?? '') ?? [];
  assert.ok((handed?.message.mail?.html ?? '').includes(`href="${PUBLIC_URL}${path}"`));
  return path;
};

test('an invoice is sent only to the invoice address, with a link that is valid for 30 days', async ({ room }) => {
  const { service, time } = room;
  await joins(room, 'ann@acme.example', 'admin');
  const invoice_details = { legal_name: null, tax_id: null, address: null, email: 'invoices@acme.example' };
  await service.commands.bind(updateOrganization)({ invoice_details }, contextOf(room));
  await invoiced(room);
  const [handed] = await room.received(1);
  assert.ok(handed);
  assert.equal([handed.by, handed.settings], ['email', { address: 'invoices@acme.example' }]);
  assert.is(handed.message.subject, 'Invoice 2026-000001');
  assert.match(handed.message.text, 'The amount is 49.90 EUR.');
  assert.match(handed.message.text, 'The invoice says how to pay.');
  assert.is(handed.message.mail?.sender.name, SELLER.name);
  const open = () => request(service.port, { method: 'GET', path: linkIn(handed), headers: {} });
  time.now += 29 * 86_400_000;
  assert.match((await open()).text, /^%PDF-/);
  time.now += 2 * 86_400_000;
  assert.is((await open()).status, 403);
  assert.is((await room.deliveries()).length, 1);
});

test('an invoice is sent to the users who manage payments if there is no invoice address', async ({ room }) => {
  for (const role of ['admin', 'billing', 'editor', 'viewer']) await joins(room, `${role}@acme.example`, role);
  await invoiced(room);
  assert.equal(addressesOf(await room.received(2)), ['admin@acme.example', 'billing@acme.example']);
});

test('names in payment e-mails are shown as text, and no recipient sees the other recipients', async ({ room }) => {
  const { service } = room;
  await joins(room, 'ann@acme.example', 'admin');
  await joins(room, 'ben@acme.example', 'billing');
  await service.commands.bind(updateOrganization)({ name: '<img src=x>\nAcme & Co' }, contextOf(room));
  await invoiced(room, { payment: forTeam({ description: '<b>Team</b>, 30 days' }), customer: CUSTOMER });
  for (const { message, settings } of await room.received(2)) {
    const html = message.mail?.html ?? '';
    assert.match(html, '&lt;img src=x&gt; Acme &amp; Co has ordered: &lt;b&gt;Team&lt;/b&gt;, 30 days.');
    assert.not.match(html, /<img src=x|<b>Team/);
    assert.match(message.text, '<img src=x> Acme & Co has ordered: <b>Team</b>, 30 days.');
    const other = settings['address'] === 'ann@acme.example' ? 'ben@acme.example' : 'ann@acme.example';
    assert.not.match(message.text + html, other);
  }
});

test('a payment e-mail shows the present state of the payment, and is not sent for a canceled payment', async ({
  room,
}) => {
  const { service } = room;
  await joins(room, 'ann@acme.example', 'admin');
  room.answers(() => refused(false));
  const [paid, canceled] = [await invoiced(room), await invoiced(room)];
  await eventually(async () => (await room.deliveries()).filter(({ attempt_count }) => attempt_count > 0).length === 2);
  await service.commands.bind(settlePayment)(paid, contextOf(room));
  await service.commands.bind(cancelPayment)(canceled, contextOf(room));
  const { payments: shown } = service.readers.for({ appended: new Map() })(payments);
  await eventually(async () => (await shown.get(paid))?.status === 'succeeded');
  await eventually(async () => (await shown.get(canceled))?.status === 'canceled');
  room.answers(() => ({ status: 'delivered', response_code: 200 }));
  room.time.now += 3_600_000;
  const [handed] = await room.received(1);
  assert.match(handed?.message.text ?? '', 'It is paid.');
  await eventually(async () => (await room.deliveries()).every(({ status }) => status !== 'planned'));
  assert.is(room.told.length, 1);
});

test('the e-mail that a subscription is not renewed has no link', async ({ room }) => {
  const { service } = room;
  await joins(room, 'ann@acme.example', 'admin');
  const ending = { subscription_id: 'sub', end_date: '2026-11-27T15:00:00.000000', plan_name: 'Team' };
  await service.commands.bind(recordRenewalFailure)(ending, contextOf(room));
  const [handed] = await room.received(1);
  assert.ok(handed);
  const { event, subject, text } = handed.message;
  assert.equal([event, subject], ['subscription.not_renewed', 'The plan Team will not be renewed']);
  assert.match(text, 'is paid until 2026-11-27');
  assert.not.match(text, PUBLIC_URL);
});

test.run();
