import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Invalid, NotFound } from '../../../domain/errors.ts';
import { logPastIncident, type PastIncident, type PastUpdate } from '../../../domain/incident/past.ts';
import { incidentDecider, type Incident } from '../../../domain/incident/state.ts';
import { pageDeleted } from '../page/examples.ts';
import { specification } from '../specification.ts';
import { at, logged, page, update } from './examples.ts';

const incident = specification(incidentDecider);
const test = suite('a past incident');

const first: PastUpdate = {
  id: 'u1',
  body: 'It is 08:00.',
  status: 'investigating',
  created_at: at('08:00'),
  components: { api: 'partial_outage' },
};
const last: PastUpdate = { id: 'u2', body: 'It is 09:00.', status: 'resolved', created_at: at('09:00') };

const log =
  (updates: PastUpdate[], more: Partial<PastIncident> = {}, on = page()) =>
  (state: Incident) =>
    logPastIncident(
      state,
      on,
      'incident',
      { name: 'Slow this morning', impact: 'minor', incident_updates: updates, ...more },
      at('12:00'),
    );
const breaks = (updates: PastUpdate[], errors: Record<string, string[]>): void => {
  incident
    .given()
    .when(log(updates))
    .throws(Invalid, 'The request is invalid.', (error) => {
      assert.equal(error.errors, { json: errors });
    });
};

const silent = { deliver_notifications: false };
const written = [
  update('u1', '08:00', { components: { api: 'partial_outage' }, ...silent }),
  update('u2', '09:00', { status: 'resolved', ...silent }),
];

test('a past incident is created with its updates and sends no notifications by default', () => {
  incident
    .given()
    .when(log([first, last]))
    .then(logged(...written));
  incident
    .given()
    .when(log([first, last], { deliver_notifications: true }))
    .then(logged(...written.map((each) => ({ ...each, deliver_notifications: true }))));
});

test('a past incident can have a single update', () => {
  incident
    .given()
    .when(log([last]))
    .then(logged(...written.slice(1)));
});

test('a past incident is refused if one of its updates is earlier than the previous update', () => {
  breaks([{ ...first, created_at: at('09:30') }, last], {
    'incident_updates.1.created_at': ['Must not be earlier than that of the previous update.'],
  });
  assert.is(log([{ ...first, created_at: at('09:00') }, last])({ status: 'absent' }).data.updates.length, 2);
});

test("a past incident can't have an update in the future", () => {
  breaks([first, { ...last, created_at: at('12:01') }], {
    'incident_updates.1.created_at': ['Must not be in the future.'],
  });
});

test('the last update of a past incident must resolve the incident', () => {
  breaks([first, { ...last, status: 'monitoring' }], {
    'incident_updates.1.status': ['Must be resolved for the last update.'],
  });
});

test('a past incident accepts only statuses of an incident and components of its page', () => {
  breaks([{ ...first, status: 'scheduled', components: { other: 'operational' } }, last], {
    'incident_updates.0.status': ['Must be one of: investigating, identified, monitoring, resolved.'],
    'incident_updates.0.components.other': ['Must be a component of this page.'],
  });
});

test('a past incident needs an existing page', () => {
  incident
    .given()
    .when(log([last], {}, page(pageDeleted)))
    .throws(NotFound);
});

test.run();
