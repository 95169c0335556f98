import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dueAutomaticActions } from '../../../domain/incident/automatic-actions.ts';
import type { IncidentEvent } from '../../../domain/incident/events.ts';
import type { ScheduleFields } from '../../../domain/incident/fields.ts';
import { incidentDecider } from '../../../domain/incident/state.ts';
import type { Instant } from '../../../domain/time.ts';
import { componentRemoved, pageDeleted } from '../page/examples.ts';
import { specification } from '../specification.ts';
import {
  appended,
  at,
  byClock,
  changed,
  deleted,
  edited,
  missed,
  moved,
  opened,
  page,
  reminded,
  removed,
  scheduled,
  switching,
  update,
} from './examples.ts';

const incident = specification(incidentDecider);
const test = suite('automatic actions of a maintenance');

/** Returns a maintenance with automatic start and end, scheduled at 10:00 for 20:00 to 22:00. */
const automatic = (more: Partial<ScheduleFields> = {}) =>
  scheduled({ scheduled_auto_in_progress: true, scheduled_auto_completed: true, ...more });
const reminding = (reminder_intervals: string | null, more: Partial<ScheduleFields> = {}) =>
  scheduled({ scheduled_remind_prior: true, reminder_intervals, ...more });

const clock =
  (time: string, on = page(), setAt: Instant | null = null) =>
  (state: Parameters<typeof dueAutomaticActions>[0]) =>
    dueAutomaticActions(state, on, at(time), setAt);
/**
 * Returns the automatic actions at the given times of processing: new statuses or reminder offsets, with their times.
 */
const doneAt = (given: IncidentEvent[], ...times: string[]): string[] => {
  const done: IncidentEvent[] = [];
  for (const time of times) done.push(...clock(time)(incident.given(...given, ...done).state()));
  return done.map((event) => {
    if (event.type === 'IncidentStatusChanged')
      return `${event.data.changes.status} ${event.data.changed_at.slice(11, 16)}`;
    if (event.type === 'MaintenanceReminded')
      return `remind ${event.data.offset} ${event.data.reminded_at.slice(11, 16)}`;
    return event.type;
  });
};

test('a maintenance starts at scheduled_for and completes at scheduled_until if configured', () => {
  incident.given(automatic()).when(clock('19:59')).thenNothing();
  incident
    .given(automatic())
    .when(clock('20:00'))
    .then(byClock('20:00', 'scheduled', 'in_progress'));
  const started = [automatic(), byClock('20:00', 'scheduled', 'in_progress')];
  incident
    .given(...started)
    .when(clock('21:59'))
    .thenNothing();
  incident
    .given(...started)
    .when(clock('22:00'))
    .then(byClock('22:00', 'in_progress', 'completed'));
  incident.given(scheduled()).when(clock('23:00')).thenNothing();
  assert.equal(doneAt([automatic({ scheduled_auto_in_progress: false })], '23:00'), []);
  assert.equal(doneAt([automatic({ scheduled_auto_completed: false })], '23:00'), ['in_progress 20:00']);
  incident.given(opened()).when(clock('23:00')).thenNothing();
});

test('missed automatic actions are performed later, in order and with the times at which they were due', () => {
  incident
    .given(automatic())
    .when(clock('23:30'))
    .then(byClock('20:00', 'scheduled', 'in_progress'), byClock('22:00', 'in_progress', 'completed'));
});

test('automatic actions set components and notify subscribers at the start and the end of a maintenance if configured', () => {
  const switches = { auto_transition_to_maintenance_state: true, auto_transition_to_operational_state: true };
  const told = {
    auto_transition_deliver_notifications_at_start: true,
    auto_transition_deliver_notifications_at_end: true,
  };
  incident
    .given(automatic({ ...switches, ...told }))
    .when(clock('22:00'))
    .then(
      byClock('20:00', 'scheduled', 'in_progress', {
        components: { api: 'under_maintenance', web: 'under_maintenance' },
        switched: switching('under_maintenance'),
        deliver_notifications: true,
      }),
      byClock('22:00', 'in_progress', 'completed', {
        components: { api: 'operational', web: 'operational' },
        switched: switching('operational'),
        deliver_notifications: true,
      }),
    );
  incident
    .given(automatic({ ...switches, scheduled_auto_completed: false }))
    .when(clock('22:00', page(componentRemoved('web'))))
    .then(
      byClock('20:00', 'scheduled', 'in_progress', {
        components: { api: 'under_maintenance' },
        switched: switching('under_maintenance'),
      }),
    );
});

test('an automatic action that becomes due in the past because of a change has the time of that change', () => {
  const on = changed('20:30', { scheduled_auto_in_progress: true }, { scheduled_auto_in_progress: false });
  assert.equal(doneAt([scheduled(), on], '21:00'), ['in_progress 20:30']);
  const earlier = changed('12:00', { scheduled_for: at('11:00') }, { scheduled_for: at('20:00') });
  assert.equal(doneAt([automatic(), earlier], '13:00'), ['in_progress 12:00']);
  const renamed = changed('20:30', { name: 'New disks!' }, { name: 'New disks' });
  assert.equal(doneAt([automatic(), renamed], '21:00'), ['in_progress 20:00'], 'of nothing that concerns it');
});

test('a maintenance created after its end starts and completes immediately, in order', () => {
  const past = automatic({ scheduled_for: at('08:00'), scheduled_until: at('09:00') });
  assert.equal(doneAt([past], '10:00'), ['in_progress 10:00', 'completed 10:00']);
});

test('an automatic action is never earlier than the newest event of the maintenance', () => {
  const laterUpdate = appended(update('u2', '21:00', { status: 'scheduled', status_sent: false }));
  assert.equal(doneAt([automatic(), laterUpdate], '21:30'), ['in_progress 21:00']);
  assert.equal(doneAt([automatic(), laterUpdate], '23:00'), ['in_progress 21:00', 'completed 22:00']);
});

test('automatic actions follow a rescheduled maintenance', () => {
  const later = changed('19:00', { scheduled_for: at('21:00') }, { scheduled_for: at('20:00') });
  assert.equal(doneAt([automatic(), later], '20:30', '21:00', '22:00'), ['in_progress 21:00', 'completed 22:00']);
  const longer = changed('21:00', { scheduled_until: at('23:00') }, { scheduled_until: at('22:00') });
  const started = byClock('20:00', 'scheduled', 'in_progress');
  assert.equal(doneAt([automatic(), started, longer], '22:30', '23:00'), ['completed 23:00']);
  const off = changed('19:00', { scheduled_auto_in_progress: false }, { scheduled_auto_in_progress: true });
  assert.equal(doneAt([automatic(), off], '23:00'), []);
});

test('automatic actions neither repeat nor undo actions of a person', () => {
  assert.equal(doneAt([automatic(), moved('19:00', 'scheduled', 'completed')], '23:00'), []);
  assert.equal(doneAt([automatic(), moved('19:00', 'scheduled', 'in_progress')], '20:00', '22:00'), [
    'completed 22:00',
  ]);
  const verified = [
    automatic(),
    moved('19:00', 'scheduled', 'in_progress'),
    moved('21:00', 'in_progress', 'verifying'),
  ];
  assert.equal(doneAt(verified, '23:00'), [], 'verifying completes by hand');
  const early = [automatic(), moved('18:00', 'scheduled', 'in_progress'), moved('19:00', 'in_progress', 'scheduled')];
  assert.equal(doneAt(early, '20:00'), ['in_progress 20:00'], 'its time is still to come');
  const putBack = [
    automatic(),
    byClock('20:00', 'scheduled', 'in_progress'),
    moved('20:10', 'in_progress', 'scheduled'),
  ];
  assert.equal(doneAt(putBack, '20:10', '23:00'), [], 'its time was before');
  const planned = changed('20:20', { scheduled_for: at('21:00') }, { scheduled_for: at('20:00') });
  assert.equal(doneAt([...putBack, planned], '20:30', '21:00', '22:00'), ['in_progress 21:00', 'completed 22:00']);
  const reopened = [automatic(), moved('11:00', 'scheduled', 'completed'), moved('22:30', 'completed', 'in_progress')];
  assert.equal(doneAt(reopened, '23:00'), [], 'opened again after its end');
});

test('removing an update of a maintenance triggers no automatic action again', () => {
  const began = update('u2', '20:10', { status: 'in_progress' });
  const given = [automatic({ scheduled_auto_in_progress: false }), appended(began), removed(began, '20:30')];
  const on = changed('20:40', { scheduled_auto_in_progress: true }, { scheduled_auto_in_progress: false });
  assert.equal(doneAt([automatic(), appended(began), removed(began, '20:30')], '21:00'), []);
  assert.equal(doneAt([...given, on], '21:00'), ['in_progress 20:40']);
  const moved = edited('u2', '20:30', { created_at: at('09:00') }, { created_at: at('20:10') });
  assert.equal(doneAt([automatic(), appended(began), moved], '21:00'), []);
});

test('a deleted maintenance, or one of a deleted page, has no automatic actions', () => {
  incident.given(automatic(), deleted('11:00')).when(clock('23:00')).thenNothing();
  incident
    .given(reminding('1h'))
    .when(clock('19:30', page(pageDeleted)))
    .thenNothing();
  incident
    .given(automatic())
    .when(clock('23:00', page(pageDeleted)))
    .thenNothing();
});

test('an automatic action that sets components has a later time than statuses set by a fast clock', () => {
  const more = { scheduled_auto_completed: false, auto_transition_to_maintenance_state: true };
  const components = { api: 'under_maintenance', web: 'under_maintenance' } as const;
  incident
    .given(automatic(more))
    .when(clock('20:01', page(), at('20:40')))
    .then(byClock('20:40', 'scheduled', 'in_progress', { components, switched: switching('under_maintenance') }));
  incident
    .given(automatic({ scheduled_auto_completed: false }))
    .when(clock('20:01', page(), at('20:40')))
    .then(byClock('20:00', 'scheduled', 'in_progress'));
});

test('reminders of a maintenance are due at each offset, or by default an hour before the start, and only if enabled', () => {
  incident.given(reminding('2h, 30m')).when(clock('18:00')).then(reminded('18:00', '2h'));
  const times = ['17:59', '18:00', '18:01', '19:29', '19:30', '20:00', '21:00'];
  assert.equal(doneAt([reminding('2h, 30m')], ...times), ['remind 2h 18:00', 'remind 30m 19:30']);
  assert.equal(doneAt([reminding(null)], '18:59', '19:00', '19:30'), ['remind 60m 19:00']);
  assert.equal(doneAt([scheduled({ reminder_intervals: '2h' })], '19:00'), []);
  assert.equal(doneAt([reminding('60m, 1h')], '19:00', '19:01'), ['remind 1h 19:00'], 'the same offset');
});

test('a missed reminder is sent once if the start of the maintenance is still in the future', () => {
  assert.equal(doneAt([reminding('9h, 2h, 1h, 30m')], '19:10', '19:40'), ['remind 1h 19:10', 'remind 30m 19:40']);
  incident.given(reminding('2h, 1h')).when(clock('20:00')).then(missed('20:00', '1h'));
  assert.equal(doneAt([reminding('2h, 1h')], '20:00', '20:30'), ['MaintenanceReminderMissed'], 'noted once');
  assert.equal(doneAt([automatic({ scheduled_remind_prior: true })], '23:00'), [
    'MaintenanceReminderMissed',
    'in_progress 20:00',
    'completed 22:00',
  ]);
});

test('reminders that were already past when the maintenance was created or rescheduled are not sent', () => {
  assert.equal(doneAt([reminding('365d, 10h, 2h')], '10:00', '18:00'), ['remind 2h 18:00']);
  const moves = (clock: string, to: string) =>
    changed(clock, { scheduled_for: at(to) }, { scheduled_for: at('20:00') });
  assert.equal(doneAt([reminding('2h, 1h'), moves('12:00', '13:30')], '12:00', '12:30', '13:30'), ['remind 1h 12:30']);
  const added = changed('19:00', { reminder_intervals: '2h, 30m' }, { reminder_intervals: '30m' });
  assert.equal(doneAt([reminding('30m'), added], '19:10', '19:30'), ['remind 30m 19:30']);
});

test('a missed reminder stays due after unrelated changes of the maintenance', () => {
  const more = changed('18:30', { reminder_intervals: '2h, 30m' }, { reminder_intervals: '2h' });
  const laterUpdate = appended(update('u2', '18:40', { status: 'scheduled', status_sent: false }));
  assert.equal(doneAt([reminding('2h'), more, laterUpdate], '19:00', '19:30'), ['remind 2h 19:00', 'remind 30m 19:30']);
});

test('reminders are sent again for another start of the maintenance, and never twice for the same start', () => {
  const sent = [reminding('2h'), reminded('18:00', '2h')];
  const later = changed('18:30', { scheduled_for: at('21:30') }, { scheduled_for: at('20:00') });
  assert.equal(doneAt([...sent, later], '19:30', '20:00'), ['remind 2h 19:30']);
  // A clock that was set back makes the reminder due again, but the reminder is not repeated.
  const back = changed('17:30', { scheduled_for: at('20:00') }, { scheduled_for: at('21:30') });
  assert.equal(doneAt([...sent, later, back], '18:00', '19:59'), []);
  const off = changed('17:00', { scheduled_remind_prior: false }, { scheduled_remind_prior: true });
  const on = changed('17:10', { scheduled_remind_prior: true }, { scheduled_remind_prior: false });
  assert.equal(doneAt([...sent, off, on], '18:00', '19:59'), []);
});

test('a started maintenance has no reminders until it is scheduled again', () => {
  const begun = [reminding('2h, 30m'), moved('17:00', 'scheduled', 'in_progress')];
  assert.equal(doneAt(begun, '18:00', '19:30'), []);
  assert.equal(doneAt([...begun, moved('19:00', 'in_progress', 'scheduled')], '19:10', '19:30'), ['remind 30m 19:30']);
});

test('reminder offsets stored before limits were introduced can be read', () => {
  assert.equal(doneAt([reminding(`${'9'.repeat(30)}d, 0m, 2h`)], '18:00', '20:00'), ['remind 2h 18:00']);
});

test.run();
