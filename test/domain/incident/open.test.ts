import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Invalid, NotFound } from '../../../domain/errors.ts';
import type { IncidentEvent } from '../../../domain/incident/events.ts';
import { openIncident, type NewIncident } from '../../../domain/incident/open.ts';
import { incidentDecider, type Incident } from '../../../domain/incident/state.ts';
import type { ComponentMap } from '../../../domain/incident/fields.ts';
import { pageDeleted } from '../page/examples.ts';
import { specification } from '../specification.ts';
import { added, at, opened, page, schedule, scheduled } from './examples.ts';

const incident = specification(incidentDecider);
const test = suite('new incidents');

const sent: NewIncident = {
  name: 'No answer',
  body: 'It is 10:00.',
  status: 'investigating',
  components: { api: 'major_outage' },
};
const planned: NewIncident = {
  name: 'New disks',
  body: 'It is 10:00.',
  status: 'scheduled',
  components: { api: 'under_maintenance', web: 'under_maintenance' },
  scheduled_for: at('20:00'),
  scheduled_until: at('22:00'),
};
const ids = { incident: 'incident', update: 'u1' };
const open =
  (input: Partial<NewIncident> = {}, on = page()) =>
  (state: Incident) =>
    openIncident(state, on, ids, { ...sent, ...input }, at('10:00'));
const plan =
  (input: Partial<NewIncident> = {}) =>
  (state: Incident) =>
    openIncident(state, page(), ids, { ...planned, ...input }, at('10:00'));

const breaks = (decide: (state: Incident) => IncidentEvent, errors: Record<string, string[]>): void => {
  incident
    .given()
    .when(decide)
    .throws(Invalid, 'The request is invalid.', (error) => {
      assert.equal(error.errors, { json: errors });
    });
};

test('a new incident has the given status, and a first update with body, status and components', () => {
  incident.given().when(open()).then(opened());
  for (const status of ['identified', 'monitoring', 'resolved'] as const) {
    incident.given().when(open({ status })).then(opened({ status }));
  }
});

test('a new incident notifies subscribers unless that is disabled', () => {
  incident
    .given()
    .when(open({ deliver_notifications: false }))
    .then(opened({ deliver_notifications: false }));
});

test('a new incident keeps its metadata', () => {
  const metadata = { ticket: { id: 4, tags: ['a', null] } };
  incident.given().when(open({ metadata })).then(opened({}, { metadata }));
});

test('a new incident has the impact of the most severe given component status', () => {
  const impact = (components: ComponentMap) => {
    const state = incident.given(open({ components })({ status: 'absent' })).state();
    return state.status === 'active' && state.fields.impact;
  };
  assert.is(impact({ api: 'degraded_performance' }), 'minor');
  assert.is(impact({ api: 'degraded_performance', web: 'partial_outage' }), 'major');
  assert.is(impact({ api: 'major_outage', web: 'partial_outage', db: 'operational' }), 'critical');
});

test('a new incident has no impact if no component is degraded', () => {
  for (const components of [{}, { api: 'operational' }, { api: 'under_maintenance' }] as ComponentMap[]) {
    incident
      .given()
      .when(open({ components }))
      .then(opened({ components }, { impact: 'none' }));
  }
});

test('a new incident has the given impact, whatever its components are', () => {
  incident
    .given()
    .when(open({ impact: 'minor' }))
    .then(opened({}, { impact: 'minor' }));
});

test('a new incident can name only components of its page, and no groups', () => {
  breaks(open({ components: { api: 'operational', other: 'operational', group: 'major_outage' } }), {
    'components.other': ['Must be a component of this page.'],
    'components.group': ['Is a group, whose status is derived from its components.'],
  });
});

test('a new incident can name at most 300 components', () => {
  const wide = page(...Array.from({ length: 301 }, (_, id) => added(`c${id}`)));
  const map = (length: number): ComponentMap =>
    Object.fromEntries(Array.from({ length }, (_, id) => [`c${id}`, 'operational' as const]));
  breaks(open({ components: map(301) }, wide), { components: ['An incident can name at most 300 components.'] });
  assert.is(Object.keys(open({ components: map(300) }, wide)({ status: 'absent' }).data.update.components).length, 300);
});

test('a new incident accepts only the four statuses of an incident', () => {
  breaks(open({ status: 'scheduled' }), {
    status: ['Must be one of: investigating, identified, monitoring, resolved. A maintenance requires scheduled_for.'],
  });
});

test('a new incident needs an existing page', () => {
  incident
    .given()
    .when(open({}, page(pageDeleted)))
    .throws(NotFound);
  incident
    .given()
    .when(open({}, { status: 'absent' }))
    .throws(NotFound);
});

test('a new incident with scheduled_for is a maintenance, without reminders and automatic actions by default', () => {
  incident.given().when(plan()).then(scheduled());
  const switches = {
    scheduled_remind_prior: true,
    reminder_intervals: '1d, 2h',
    scheduled_auto_in_progress: true,
    scheduled_auto_completed: true,
    auto_transition_to_maintenance_state: true,
    auto_transition_to_operational_state: true,
    auto_transition_deliver_notifications_at_start: true,
    auto_transition_deliver_notifications_at_end: true,
  };
  incident.given().when(plan(switches)).then(scheduled(switches));
});

test('a new maintenance has the status scheduled', () => {
  breaks(plan({ status: 'in_progress' }), { status: ['Must be scheduled for a maintenance.'] });
  breaks(plan({ status: 'investigating' }), { status: ['Must be scheduled for a maintenance.'] });
});

test('a new maintenance has the impact maintenance, or the impact of its degraded components', () => {
  const components: ComponentMap = { api: 'partial_outage' };
  const event = plan({ components })({ status: 'absent' });
  assert.is(event.data.incident.impact, 'major');
  assert.is(plan({ components: {} })({ status: 'absent' }).data.incident.impact, 'maintenance');
});

test('a new maintenance must end after its start', () => {
  breaks(plan({ scheduled_until: null }), { scheduled_until: ['Is required for a maintenance.'] });
  breaks(plan({ scheduled_until: schedule.scheduled_for }), { scheduled_until: ['Must be later than scheduled_for.'] });
  breaks(open({ scheduled_until: at('22:00') }), { scheduled_until: ['Requires scheduled_for.'] });
});

test('a new incident without scheduled_for has no schedule, even if other schedule fields are sent', () => {
  incident
    .given()
    .when(
      open({ scheduled_for: null, scheduled_until: null, scheduled_auto_completed: true, reminder_intervals: null }),
    )
    .then(opened());
});

test('a new incident with several invalid fields is refused with all errors', () => {
  breaks(plan({ status: 'resolved', components: { other: 'operational' }, scheduled_until: at('19:00') }), {
    status: ['Must be scheduled for a maintenance.'],
    'components.other': ['Must be a component of this page.'],
    scheduled_until: ['Must be later than scheduled_for.'],
  });
});

test.run();
