import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDeliveryService, type DeliveryService } from './delivery-service.ts';

const test = suite('webhook messages caused by requests');

const opening = (more: object = {}) => ({
  name: 'Outage',
  body: 'We **look** into it.',
  status: 'investigating',
  components: {},
  ...more,
});

const planned = (more: object = {}) =>
  opening({
    name: 'New disks',
    body: 'We change disks.',
    status: 'scheduled',
    scheduled_for: '2026-11-21T20:00:00Z',
    scheduled_until: '2026-11-21T22:00:00Z',
    ...more,
  });

const silent = { deliver_notifications: false };

interface Step {
  method: string;
  /** path below the page; `{incident}` is replaced by the id of the newest incident */
  path: string;
  body?: object;
  /** the events that the messages report */
  told: readonly string[];
}

const post = (path: string, body: object, ...told: string[]): Step => ({ method: 'POST', path, body, told });
const patch = (path: string, body: object, ...told: string[]): Step => ({ method: 'PATCH', path, body, told });

const STEPS: readonly Step[] = [
  post('incidents', opening(), 'incident.created'),
  patch('incidents/{incident}', { name: 'Big outage', impact: 'major' }),
  patch('incidents/{incident}', { status: 'identified' }),
  patch('incidents/{incident}', { body: 'A disk.' }, 'incident.updated'),
  patch('incidents/{incident}', { body: 'Quietly.', ...silent }),
  patch('incidents/{incident}', { components: {} }, 'incident.updated'),
  post('incidents/{incident}/incident_updates', { status: 'monitoring', body: 'Better.' }, 'incident.updated'),
  patch('incidents/{incident}', { status: 'resolved', body: 'Well again.' }, 'incident.resolved'),
  patch('incidents/{incident}', { body: 'One more word.' }, 'incident.updated'),
  { method: 'PUT', path: 'incidents/{incident}/postmortem', body: { body_draft: 'Why.' }, told: [] },
  {
    method: 'PUT',
    path: 'incidents/{incident}/postmortem/publish',
    body: { notify_subscribers: true },
    told: ['postmortem.published'],
  },
  post('incidents', opening(silent)),
  patch('incidents/{incident}', { status: 'resolved' }),
  post('incidents', planned(), 'incident.created'),
  patch('incidents/{incident}', { scheduled_until: '2026-11-21T23:00:00Z' }),
  patch('incidents/{incident}', { status: 'in_progress' }, 'maintenance.started'),
  patch('incidents/{incident}', { status: 'verifying' }),
  patch('incidents/{incident}', { status: 'completed' }, 'maintenance.completed'),
  post('incidents', planned(), 'incident.created'),
  patch('incidents/{incident}', { status: 'in_progress', body: 'We begin.' }, 'maintenance.started'),
  patch('incidents/{incident}', { body: 'Half way.' }, 'incident.updated'),
  patch('incidents/{incident}', { status: 'completed', body: 'Done.' }, 'maintenance.completed'),
  patch('components/{component}', { name: 'API' }),
  patch('components/{component}', { status: 'partial_outage' }, 'component.status_changed'),
  post('incidents/log-past-incident', {
    name: 'Slow',
    impact: 'minor',
    incident_updates: [{ body: 'Slow.', status: 'resolved', created_at: '2026-11-19T10:00:00Z' }],
  }),
  post(
    'incidents/log-past-incident',
    {
      name: 'Slow',
      impact: 'minor',
      incident_updates: [{ body: 'Slow.', status: 'resolved', created_at: '2026-11-19T10:00:00Z' }],
      deliver_notifications: true,
    },
    'incident.created',
  ),
];

const perform = async (room: DeliveryService, steps: readonly Step[]): Promise<string[]> => {
  const component = (await room.ask('POST', `/v1/pages/${room.page}/components`, { name: 'Api' })).id;
  let incident = '';
  const expected: string[] = [];
  for (const { method, path, body, told } of steps) {
    const filledPath = path.replace('{incident}', incident).replace('{component}', component);
    const { id } = await room.ask(method, `/v1/pages/${room.page}/${filledPath}`, body);
    if (path.startsWith('incidents') && method === 'POST' && !path.includes('{')) incident = id;
    expected.push(...told);
    // Each message is sent before the next request, so that no message is superseded.
    await room.received(expected.length);
    room.time.now += 60_000;
  }
  return expected;
};

test('a request causes one webhook message named after the effect of the request, or none', async () => {
  const room = await openDeliveryService();
  await room.subscribes('webhook', 'https://hooks.example/a');
  const expected = await perform(room, STEPS);
  assert.equal(
    room.told.map(({ message }) => message.event),
    expected,
  );
  assert.is(new Set(room.told.map(({ message }) => message.id)).size, expected.length);
  await room.close();
});

test.run();
