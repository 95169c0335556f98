import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { IllegalState, Invalid, NotFound } from '../../../domain/errors.ts';
import { appendUpdate, changeIncident, deleteIncident, type IncidentInput } from '../../../domain/incident/decide.ts';
import type { IncidentEvent } from '../../../domain/incident/events.ts';
import { progressOf } from '../../../domain/incident/facts.ts';
import { incidentDecider, type Incident } from '../../../domain/incident/state.ts';
import type { IncidentStatus } from '../../../domain/incident/statuses.ts';
import { componentRemoved, pageDeleted } from '../page/examples.ts';
import { specification } from '../specification.ts';
import { appended, at, changed, deleted, moved, opened, page, scheduled, switching, update } from './examples.ts';

const incident = specification(incidentDecider);
const test = suite('changes of an incident');

const change =
  (input: IncidentInput, clock = '11:00', on = page()) =>
  (state: Incident) =>
    changeIncident(state, on, 'u2', input, at(clock));
const existing = (state: Incident) => {
  if (state.status !== 'active') throw new Error('There is no incident.');
  return progressOf(state.facts);
};
const updateOf = (clock: string, more: Parameters<typeof update>[2] = {}) => update('u2', clock, { body: '', ...more });
const breaks = (given: Parameters<typeof incident.given>, input: IncidentInput, errors: Record<string, string[]>) => {
  incident
    .given(...given)
    .when(change(input))
    .throws(Invalid, 'The request is invalid.', (error) => {
      assert.equal(error.errors, { json: errors });
    });
};

test('an incident gets no update if only its name or impact is changed', () => {
  incident
    .given(opened())
    .when(change({ name: 'Slow', impact: 'minor' }))
    .then(changed('11:00', { name: 'Slow', impact: 'minor' }, { name: 'No answer', impact: 'critical' }));
  incident
    .given(opened())
    .when(change({ metadata: { ticket: 4 } }))
    .then(changed('11:00', { metadata: { ticket: 4 } }, { metadata: null }));
});

test('an incident is unchanged if its current values are sent', () => {
  incident
    .given(opened({}, { metadata: { a: [1] } }))
    .when(change({ name: 'No answer', metadata: { a: [1] } }))
    .thenNothing();
  incident
    .given(opened())
    .when(change({ status: 'investigating' }))
    .thenNothing();
  incident.given(opened()).when(change({})).thenNothing();
});

test('an incident gets an update if body, components or deliver_notifications is sent', () => {
  incident
    .given(opened())
    .when(change({ body: 'We know.' }))
    .then(appended(updateOf('11:00', { body: 'We know.', status_sent: false })));
  incident
    .given(opened())
    .when(change({ components: { web: 'partial_outage' } }))
    .then(appended(updateOf('11:00', { components: { web: 'partial_outage' }, status_sent: false })));
  incident
    .given(opened())
    .when(change({ deliver_notifications: false }))
    .then(appended(updateOf('11:00', { deliver_notifications: false, status_sent: false })));
});

test('an update of an incident has the status sent with it', () => {
  incident
    .given(opened())
    .when(change({ body: 'Found it.', status: 'identified', name: 'Slow' }))
    .then(
      changed('11:00', { name: 'Slow' }, { name: 'No answer' }),
      appended(updateOf('11:00', { body: 'Found it.', status: 'identified' })),
    );
});

test('an incident changes its status without an update if only the status is sent', () => {
  incident
    .given(opened())
    .when(change({ status: 'monitoring' }))
    .then(moved('11:00', 'investigating', 'monitoring'));
});

test('an incident can change between all its statuses', () => {
  const regular: IncidentStatus[] = ['investigating', 'identified', 'monitoring', 'resolved'];
  const planned: IncidentStatus[] = ['scheduled', 'in_progress', 'verifying', 'completed'];
  for (const [begin, statuses] of [
    [opened(), regular],
    [scheduled(), planned],
  ] as const) {
    for (const from of statuses) {
      for (const to of statuses) {
        if (from === to) continue;
        const before = from === statuses[0] ? [] : [moved('10:30', statuses[0] ?? from, from)];
        incident
          .given(begin, ...before)
          .when(change({ status: to }))
          .then(moved('11:00', from, to, {}));
      }
    }
  }
});

test('an incident accepts only statuses of its kind', () => {
  const regular = ['Must be one of: investigating, identified, monitoring, resolved.'];
  const planned = ['Must be one of: scheduled, in_progress, verifying, completed.'];
  breaks([opened()], { status: 'completed' }, { status: regular });
  breaks([opened()], { status: 'scheduled', body: 'x' }, { status: regular });
  breaks([scheduled()], { status: 'resolved' }, { status: planned });
  incident
    .given(scheduled())
    .when((state) => appendUpdate(state, page(), 'u2', { status: 'monitoring' }, at('11:00')))
    .throws(Invalid);
});

test('the resolution time of an incident is the time of the change that resolved the incident most recently', () => {
  incident
    .given(opened())
    .when(change({ status: 'resolved' }))
    .then(moved('11:00', 'investigating', 'resolved'));
  const resolved = [opened(), moved('11:00', 'investigating', 'resolved')];
  incident
    .given(...resolved)
    .when(change({ status: 'resolved' }, '12:00'))
    .then(moved('12:00', 'resolved', 'resolved'));
  assert.is(existing(incident.given(...resolved).state()).resolved_at, at('11:00'));
  const again = incident.given(...resolved, moved('12:00', 'resolved', 'resolved')).state();
  assert.is(existing(again).resolved_at, at('12:00'));
});

test('a resolved incident that is sent back as it was read keeps its resolution time', () => {
  const resolved = [opened(), moved('11:00', 'investigating', 'resolved')];
  const whole: IncidentInput = { status: 'resolved', resolved_at: at('11:00') };
  incident
    .given(...resolved)
    .when(change(whole, '12:00'))
    .thenNothing();
  incident
    .given(...resolved)
    .when(change({ ...whole, name: 'Slow' }, '12:00'))
    .then(changed('12:00', { name: 'Slow' }, { name: 'No answer' }));
  incident
    .given(...resolved)
    .when(change({ ...whole, body: 'Thanks.' }, '12:00'))
    .then(appended(updateOf('12:00', { body: 'Thanks.', status: 'resolved', status_sent: false })));
  const completed = [scheduled(), moved('11:00', 'scheduled', 'completed', {})];
  incident
    .given(...completed)
    .when(change({ status: 'completed', resolved_at: at('11:00') }, '12:00'))
    .thenNothing();
});

test('a resolved incident that is sent with another resolution time is resolved again', () => {
  const reopened = [opened(), moved('11:00', 'investigating', 'resolved'), moved('12:00', 'resolved', 'identified')];
  incident
    .given(...reopened)
    .when(change({ status: 'resolved', resolved_at: at('11:00') }, '13:00'))
    .then(moved('13:00', 'identified', 'resolved'));
  for (const resolved_at of [at('10:59'), null]) {
    incident
      .given(opened(), moved('11:00', 'investigating', 'resolved'))
      .when(change({ status: 'resolved', resolved_at }, '13:00'))
      .then(moved('13:00', 'resolved', 'resolved'));
  }
});

test('a resolved incident keeps its resolution time if an update without a status is added', () => {
  const resolved = [opened(), moved('11:00', 'investigating', 'resolved')];
  const later = updateOf('12:00', { body: 'Thanks.', status: 'resolved', status_sent: false });
  incident
    .given(...resolved)
    .when(change({ body: 'Thanks.' }, '12:00'))
    .then(appended(later));
  assert.is(existing(incident.given(...resolved, appended(later)).state()).resolved_at, at('11:00'));
});

test('an incident is open again if its status changes from resolved to another status', () => {
  const reopened = [opened(), moved('11:00', 'investigating', 'resolved'), moved('12:00', 'resolved', 'identified')];
  assert.equal(existing(incident.given(...reopened).state()), {
    status: 'identified',
    monitoring_at: null,
    resolved_at: null,
  });
});

test('an incident keeps the time at which it first had the status monitoring', () => {
  const twice = [
    opened(),
    moved('11:00', 'investigating', 'monitoring'),
    moved('12:00', 'monitoring', 'identified'),
    moved('13:00', 'identified', 'monitoring'),
  ];
  assert.is(existing(incident.given(...twice).state()).monitoring_at, at('11:00'));
});

test('a change of an incident is never earlier than the previous changes, even if the clock was set back', () => {
  const late = [opened(), moved('12:00', 'investigating', 'identified')];
  incident
    .given(...late)
    .when(change({ status: 'resolved' }, '11:00'))
    .then(moved('12:00', 'identified', 'resolved'));
  incident
    .given(...late)
    .when(change({ body: 'x', status: 'resolved' }, '11:00'))
    .then(appended(updateOf('12:00', { body: 'x', status: 'resolved' })));
});

test('a change of an incident can name only components of its page', () => {
  breaks(
    [opened()],
    { components: { other: 'operational', group: 'operational' } },
    {
      'components.other': ['Must be a component of this page.'],
      'components.group': ['Is a group, whose status is derived from its components.'],
    },
  );
});

test('an incident has at most 500 updates', () => {
  const many = Array.from({ length: 499 }, (_, n) => appended(update(`v${n}`, '10:30')));
  const full: IncidentInput = { body: 'x' };
  incident
    .given(opened(), ...many)
    .when(change(full))
    .throws(IllegalState, 'An incident can have at most 500 updates.');
  assert.is(change(full)(incident.given(opened(), ...many.slice(1)).state()).length, 1);
});

test('an incident is not found on another page, after its deletion, or after the deletion of its page', () => {
  const input = change({ name: 'x' });
  incident.given().when(input).throws(NotFound, 'There is no such incident.');
  incident.given(opened(), deleted('10:30')).when(input).throws(NotFound, 'There is no such incident.');
  incident
    .given(opened())
    .when(change({ name: 'x' }, '11:00', page(pageDeleted)))
    .throws(NotFound);
  const elsewhere = opened();
  elsewhere.data.page_id = 'other';
  incident.given(elsewhere).when(input).throws(NotFound, 'There is no such incident.');
});

test('an incident is deleted', () => {
  incident
    .given(opened(), appended(update('u2', '10:30', { components: { web: 'operational' } })))
    .when((state) => deleteIncident(state, page(), at('11:00')))
    .then(deleted('11:00'));
  incident
    .given(opened(), deleted('10:30'))
    .when((state) => deleteIncident(state, page(), at('11:00')))
    .throws(NotFound);
});

test('a posted update has the given status and an optional body', () => {
  incident
    .given(opened())
    .when((state) => appendUpdate(state, page(), 'u2', { status: 'monitoring' }, at('11:00')))
    .then(appended(updateOf('11:00', { status: 'monitoring' })));
  incident
    .given(opened())
    .when((state) =>
      appendUpdate(
        state,
        page(),
        'u2',
        { status: 'resolved', body: 'Done.', components: { api: 'operational' }, deliver_notifications: false },
        at('11:00'),
      ),
    )
    .then(
      appended(
        updateOf('11:00', {
          body: 'Done.',
          status: 'resolved',
          components: { api: 'operational' },
          deliver_notifications: false,
        }),
      ),
    );
});

test("an incident can't become a maintenance, nor a maintenance an incident", () => {
  const sentence = ["Can't be set: an incident can't become a maintenance."];
  breaks(
    [opened()],
    { scheduled_for: at('20:00'), scheduled_until: at('22:00') },
    {
      scheduled_for: sentence,
      scheduled_until: sentence,
    },
  );
  breaks([scheduled()], { scheduled_for: null }, { scheduled_for: ['Is required for a maintenance.'] });
  incident
    .given(opened())
    .when(change({ scheduled_for: null, scheduled_until: null, scheduled_auto_completed: false }))
    .thenNothing();
});

test('a maintenance is rescheduled without an update', () => {
  incident
    .given(scheduled())
    .when(change({ scheduled_until: at('23:00'), scheduled_remind_prior: true, reminder_intervals: '1h' }))
    .then(
      changed(
        '11:00',
        { scheduled_until: at('23:00'), scheduled_remind_prior: true, reminder_intervals: '1h' },
        { scheduled_until: at('22:00'), scheduled_remind_prior: false, reminder_intervals: null },
      ),
    );
  breaks([scheduled()], { scheduled_for: at('22:00') }, { scheduled_until: ['Must be later than scheduled_for.'] });
});

test('a maintenance that starts sets its components to under_maintenance if configured', () => {
  const start = change({ status: 'in_progress' });
  incident
    .given(scheduled())
    .when(start)
    .then(moved('11:00', 'scheduled', 'in_progress', {}));
  incident
    .given(scheduled({ auto_transition_to_maintenance_state: true }))
    .when(start)
    .then(
      moved(
        '11:00',
        'scheduled',
        'in_progress',
        { api: 'under_maintenance', web: 'under_maintenance' },
        switching('under_maintenance'),
      ),
    );
});

test('subscribers are notified of a status change without an update only when a maintenance starts or ends', () => {
  const notifies = (given: IncidentEvent[], status: IncidentStatus): boolean | undefined => {
    const [event] = change({ status }, '12:00')(incident.given(...given).state());
    return event?.type === 'IncidentStatusChanged' ? event.data.deliver_notifications : undefined;
  };
  const started = [scheduled(), moved('11:00', 'scheduled', 'in_progress')];
  const verified = [...started, moved('11:30', 'in_progress', 'verifying')];
  const completed = [...started, moved('11:30', 'in_progress', 'completed')];
  assert.is(notifies([scheduled()], 'in_progress'), true);
  assert.is(notifies([scheduled()], 'completed'), true);
  assert.is(notifies(started, 'verifying'), false);
  assert.is(notifies(started, 'scheduled'), false);
  assert.is(notifies(started, 'completed'), true);
  assert.is(notifies(verified, 'in_progress'), false);
  assert.is(notifies(verified, 'completed'), true);
  assert.is(notifies(completed, 'in_progress'), true);
  assert.is(notifies(completed, 'completed'), false);
  assert.is(notifies([opened()], 'resolved'), false);
});

test('a completed maintenance sets its components to operational if configured', () => {
  const complete = change({ status: 'completed' });
  const started = moved('10:30', 'scheduled', 'in_progress', {});
  incident
    .given(scheduled(), started)
    .when(complete)
    .then(moved('11:00', 'in_progress', 'completed', {}));
  incident
    .given(scheduled({ auto_transition_to_operational_state: true }), started)
    .when(complete)
    .then(
      moved('11:00', 'in_progress', 'completed', { api: 'operational', web: 'operational' }, switching('operational')),
    );
});

test('components in the request take precedence over those set by the maintenance', () => {
  incident
    .given(scheduled({ auto_transition_to_maintenance_state: true }))
    .when(change({ status: 'in_progress', components: { web: 'partial_outage', db: 'major_outage' } }))
    .then(
      appended(
        updateOf('11:00', {
          status: 'in_progress',
          components: { api: 'under_maintenance', web: 'partial_outage', db: 'major_outage' },
        }),
        switching('under_maintenance', { web: 'partial_outage', db: 'major_outage' }),
      ),
    );
});

test('a status change of a maintenance applies the settings that are sent in the same request', () => {
  incident
    .given(scheduled())
    .when(change({ status: 'in_progress', auto_transition_to_maintenance_state: true }))
    .then(
      changed('11:00', { auto_transition_to_maintenance_state: true }, { auto_transition_to_maintenance_state: false }),
      moved(
        '11:00',
        'scheduled',
        'in_progress',
        { api: 'under_maintenance', web: 'under_maintenance' },
        switching('under_maintenance'),
      ),
    );
});

test('a maintenance does not set components that were removed from the page', () => {
  incident
    .given(scheduled({ auto_transition_to_maintenance_state: true }))
    .when(change({ status: 'in_progress' }, '11:00', page(componentRemoved('web'))))
    .then(moved('11:00', 'scheduled', 'in_progress', { api: 'under_maintenance' }, switching('under_maintenance')));
});

test('a completed maintenance is resolved', () => {
  const completed = [scheduled(), moved('21:00', 'scheduled', 'completed', {})];
  assert.is(existing(incident.given(...completed).state()).resolved_at, at('21:00'));
});

test.run();
