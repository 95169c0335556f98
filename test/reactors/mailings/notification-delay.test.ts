import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eventually } from '../../waiting.ts';
import { openDeliveryService, type DeliveryService } from './delivery-service.ts';

const test = suite<{ room: DeliveryService }>('messages of an update with a notification delay');

test.before.each(async (context) => {
  context.room = await openDeliveryService();
  await context.room.subscribes('email', 'ann@example.com');
});
test.after.each(async ({ room }) => {
  await room.close();
});

const open = (room: DeliveryService, name: string, more: object = {}): Promise<{ id: string }> =>
  room.ask('POST', `/v1/pages/${room.page}/incidents`, {
    name,
    body: 'We look into it.',
    status: 'investigating',
    components: {},
    ...more,
  });

const subjects = ({ told }: DeliveryService): string[] =>
  told.map(({ message }) => message.subject.replace(/^\[Acme\] /, ''));

const HELD = { notification_delay: 10 };

test('delayed messages are sent after the delay, while the page shows the update immediately', async ({ room }) => {
  const web = (await room.ask('POST', `/v1/pages/${room.page}/components`, { name: 'Web' })).id;
  await open(room, 'Held', { ...HELD, components: { [web]: 'major_outage' } });
  const { status } = (await room.ask('GET', `/v1/pages/${room.page}/components/${web}`)) as unknown as {
    status: string;
  };
  assert.is(status, 'major_outage');
  await open(room, 'At once');
  await room.received(1);
  assert.equal(subjects(room), ['Investigating: At once']);
  room.time.now += 10_000;
  await room.received(2);
  assert.equal(subjects(room), ['Investigating: At once', 'Investigating: Held']);
});

test('delayed messages are not sent if the incident or the update is deleted meanwhile', async ({ room }) => {
  const gone = await open(room, 'Gone', HELD);
  const stays = await open(room, 'Stays', { deliver_notifications: false });
  const updates = `/v1/pages/${room.page}/incidents/${stays.id}/incident_updates`;
  const update = await room.ask('POST', updates, { status: 'resolved', body: 'Over.', ...HELD });
  await room.ask('DELETE', `/v1/pages/${room.page}/incidents/${gone.id}`);
  await room.ask('DELETE', `${updates}/${update.id}`);
  room.time.now += 10_000;
  await open(room, 'Later');
  await room.received(1);
  await room.ask('POST', updates, { status: 'identified', body: 'Still there.' });
  await room.received(2);
  assert.equal(subjects(room), ['Investigating: Later', 'Identified: Stays']);
  assert.is((await room.deliveries()).length, 2);
});

test('delayed messages are not overtaken by later messages about the same incident', async ({ room }) => {
  const { id } = await open(room, 'Outage', HELD);
  await room.ask('PATCH', `/v1/pages/${room.page}/incidents/${id}`, { status: 'resolved', body: 'Over.' });
  await open(room, 'Another');
  await room.received(1);
  room.time.now += 10_000;
  await eventually(() => {
    // The message about the resolution is retried once a second until the earlier message was sent.
    room.time.now += 1_000;
    return subjects(room).includes('Resolved: Outage');
  });
  const [first, ...rest] = subjects(room);
  assert.is(first, 'Investigating: Another');
  // The older message can be superseded by the newer one, but must never follow it.
  assert.is(rest.at(-1), 'Resolved: Outage');
});

test('messages about updates that wait behind a delayed message are due at the same time as the delayed message', async ({
  room,
}) => {
  const { id } = await open(room, 'Outage', HELD);
  for (const status of ['identified', 'resolved']) {
    const updates = `/v1/pages/${room.page}/incidents/${id}/incident_updates`;
    await room.ask('POST', updates, { status, body: 'More is known.' });
  }
  const due = room.time.now + 10_000;
  await eventually(async () => (await room.planned()).length === 3);
  assert.equal(await room.planned(), [due, due, due]);
});

test('delayed messages keep their order if the service is restarted meanwhile', async ({ room }) => {
  const names = ['A', 'B', 'C', 'D', 'E', 'F'];
  for (const name of names) {
    const { id } = await open(room, name, HELD);
    await room.ask('POST', `/v1/pages/${room.page}/incidents/${id}/incident_updates`, {
      status: 'identified',
      body: 'We know why.',
    });
  }
  await eventually(async () => (await room.planned()).length === 2 * names.length);
  await room.restart();
  assert.equal(subjects(room), []);
  room.time.now += 10_000;
  const areSent = (word: string): boolean => names.every((name) => subjects(room).includes(`${word}: ${name}`));
  await eventually(() => areSent('Investigating'));
  await eventually(() => {
    // The second message of each incident is retried once a second until the first one was sent. The number of retries
    // is limited, so the clock must not advance further than the first messages need on a busy machine.
    room.time.now += 1_000;
    return areSent('Identified');
  });
  for (const name of names) {
    const sent = subjects(room).filter((subject) => subject.endsWith(`: ${name}`));
    assert.equal(sent, [`Investigating: ${name}`, `Identified: ${name}`]);
  }
});

test('delayed messages are sent immediately if the clock is set back by more than the longest notification delay', async ({
  room,
}) => {
  room.time.now += 3_600_000;
  await open(room, 'Ahead', HELD);
  room.time.now -= 3_600_000;
  await room.received(1);
  assert.equal(subjects(room), ['Investigating: Ahead']);
});

test('messages of updates after a clock was set back to the correct time are delayed as configured', async ({
  room,
}) => {
  room.time.now += 86_400_000;
  const { id } = await open(room, 'Ahead', HELD);
  room.time.now -= 86_400_000;
  await room.received(1);
  await room.ask('POST', `/v1/pages/${room.page}/incidents/${id}/incident_updates`, {
    status: 'identified',
    body: 'We know why.',
    ...HELD,
  });
  await open(room, 'Another');
  await room.received(2);
  assert.equal(subjects(room), ['Investigating: Ahead', 'Investigating: Another']);
  room.time.now += 10_000;
  await room.received(3);
  assert.is(subjects(room)[2], 'Identified: Ahead');
});

test('messages are delayed if a maintenance is started by a change of its status without an update', async ({
  room,
}) => {
  const { id } = await open(room, 'Move', {
    status: 'scheduled',
    scheduled_for: '2026-11-20T16:00:00Z',
    scheduled_until: '2026-11-20T17:00:00Z',
    deliver_notifications: false,
  });
  await room.ask('PATCH', `/v1/pages/${room.page}/incidents/${id}`, { status: 'in_progress', ...HELD });
  await open(room, 'Another');
  await room.received(1);
  assert.equal(subjects(room), ['Investigating: Another']);
  room.time.now += 10_000;
  await room.received(2);
  assert.match(subjects(room)[1] ?? '', 'Move');
});

test('a silent update with a notification_delay does not delay later messages', async ({ room }) => {
  const { id } = await open(room, 'Quiet', { ...HELD, deliver_notifications: false });
  await room.ask('POST', `/v1/pages/${room.page}/incidents/${id}/incident_updates`, {
    status: 'identified',
    body: 'We know why.',
  });
  await room.received(1);
  assert.equal(subjects(room), ['Identified: Quiet']);
});

test('messages are delayed by a minute at most', async ({ room }) => {
  const reply = await room.service.request('POST', `/v1/pages/${room.page}/incidents`, {
    body: { name: 'Outage', body: 'Text', status: 'investigating', components: {}, notification_delay: 61 },
  });
  assert.is(reply.status, 422);
  assert.equal((reply.json() as { errors: unknown }).errors, {
    json: { notification_delay: ['Must be less than or equal to 60.'] },
  });
});

test.run();
