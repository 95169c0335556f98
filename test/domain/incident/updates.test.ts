import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { IllegalState, Invalid, NotFound } from '../../../domain/errors.ts';
import { progressOf } from '../../../domain/incident/facts.ts';
import { incidentDecider, type Incident } from '../../../domain/incident/state.ts';
import { editUpdate, removeUpdate, withholdText, type UpdateEdit } from '../../../domain/incident/updates.ts';
import { pageDeleted } from '../page/examples.ts';
import { specification } from '../specification.ts';
import type { UpdateFields } from '../../../domain/incident/fields.ts';
import {
  appended,
  at,
  edited,
  moved,
  opened,
  page,
  removed,
  scheduled,
  switching,
  update,
  withheld,
} from './examples.ts';

const incident = specification(incidentDecider);
const test = suite('an incident update');

const edit =
  (id: string, input: UpdateEdit, on = page()) =>
  (state: Incident) =>
    editUpdate(state, on, id, input, at('14:00'));
const withhold =
  (id: string, on = page()) =>
  (state: Incident) =>
    withholdText(state, on, id, at('14:00'));
const remove = (id: string) => (state: Incident) => removeUpdate(state, page(), id, at('14:00'));
const stateAfter = (...given: Parameters<typeof incident.given>) => {
  const state = incident.given(...given).state();
  if (state.status !== 'active') throw new Error('There is no incident.');
  return progressOf(state.facts);
};

const monitoring = update('u2', '11:00', { status: 'monitoring' });
const resolved = update('u3', '12:00', { status: 'resolved', components: { web: 'operational' } });
const history = [opened(), appended(monitoring), appended(resolved)] as const;

test('an incident update can get another body, time and set of components', () => {
  incident
    .given(...history)
    .when(edit('u2', { body: 'Better.', created_at: at('10:45'), components: { db: 'operational' } }))
    .then(
      edited(
        'u2',
        '14:00',
        { body: 'Better.', created_at: at('10:45'), components: { db: 'operational' } },
        { body: 'It is 11:00.', created_at: at('11:00'), components: {} },
      ),
    );
});

test('the components of an incident update are replaced completely', () => {
  incident
    .given(opened())
    .when(edit('u1', { components: {} }))
    .then(edited('u1', '14:00', { components: {} }, { components: { api: 'major_outage' } }));
});

test('an incident update with equal values is unchanged', () => {
  incident
    .given(opened())
    .when(edit('u1', { body: 'It is 10:00.', created_at: at('10:00'), components: { api: 'major_outage' } }))
    .thenNothing();
});

test('an edit of an incident update builds on earlier edits', () => {
  const once = edited('u2', '13:00', { created_at: at('10:45') }, { created_at: at('11:00') });
  incident
    .given(opened(), appended(monitoring), once)
    .when(edit('u2', { created_at: at('10:50') }))
    .then(edited('u2', '14:00', { created_at: at('10:50') }, { created_at: at('10:45') }));
});

test("an incident update can't be in the future", () => {
  incident
    .given(...history)
    .when(edit('u2', { created_at: at('14:01'), components: { other: 'operational' } }))
    .throws(Invalid, 'The request is invalid.', (error) => {
      assert.equal(error.errors, {
        json: {
          created_at: ['Must not be in the future.'],
          'components.other': ['Must be a component of this page.'],
        },
      });
    });
  assert.is(edit('u2', { created_at: at('14:00') })(incident.given(...history).state()).length, 1);
});

test('the body of an incident update can’t be changed to an empty text', () => {
  const silent = appended(update('u2', '11:00', { body: '' }));
  incident
    .given(...history)
    .when(edit('u2', { body: '' }))
    .throws(Invalid);
  incident
    .given(opened(), silent)
    .when(edit('u2', { body: '' }))
    .thenNothing();
});

test('an incident update can be removed unless it is the only one', () => {
  incident
    .given(...history)
    .when(remove('u3'))
    .then(removed(resolved, '14:00'));
  incident.given(opened()).when(remove('u1')).throws(IllegalState, "The last update of an incident can't be deleted.");
  incident
    .given(opened(), moved('11:00', 'investigating', 'resolved'))
    .when(remove('u1'))
    .throws(IllegalState, "The last update of an incident can't be deleted.");
});

test('a removed or nonexistent incident update is not found', () => {
  incident
    .given(...history, removed(resolved, '13:00'))
    .when(remove('u3'))
    .throws(NotFound, 'There is no such incident update.');
  incident
    .given(...history)
    .when(edit('other', {}))
    .throws(NotFound, 'There is no such incident update.');
  incident
    .given(...history)
    .when(edit('u1', {}, page(pageDeleted)))
    .throws(NotFound);
});

test('editing the time of an incident update changes the times of its incident', () => {
  assert.equal(stateAfter(...history), { status: 'resolved', monitoring_at: at('11:00'), resolved_at: at('12:00') });
  assert.equal(
    stateAfter(
      ...history,
      edited('u2', '14:00', { created_at: at('10:30') }, {}),
      edited('u3', '14:00', { created_at: at('13:30') }, {}),
    ),
    { status: 'resolved', monitoring_at: at('10:30'), resolved_at: at('13:30') },
  );
});

test('an incident is open again if the update that resolved it is changed', () => {
  assert.equal(stateAfter(...history, removed(resolved, '14:00')), {
    status: 'monitoring',
    monitoring_at: at('11:00'),
    resolved_at: null,
  });
  assert.equal(stateAfter(...history, edited('u3', '14:00', { created_at: at('10:30') }, {})), {
    status: 'monitoring',
    monitoring_at: at('11:00'),
    resolved_at: null,
  });
});

test('if the update that resolved an incident is removed, a later resolving update determines the resolution time', () => {
  const later = update('u4', '13:00', { status: 'resolved', status_sent: false });
  assert.is(stateAfter(...history, appended(later)).resolved_at, at('12:00'));
  assert.is(stateAfter(...history, appended(later), removed(resolved, '14:00')).resolved_at, at('13:00'));
});

test('incident updates with equal times are ordered by the log', () => {
  const same = update('u4', '12:00', { status: 'identified' });
  assert.is(stateAfter(...history, appended(same)).status, 'identified');
});

const started = moved(
  '11:00',
  'scheduled',
  'in_progress',
  { api: 'under_maintenance', web: 'under_maintenance' },
  switching('under_maintenance'),
);
const completed = (sent: UpdateFields['components']) =>
  appended(
    update('u2', '12:00', { status: 'completed', components: { api: 'operational', web: 'operational', ...sent } }),
    switching('operational', sent),
  );

test('an update of a maintenance shows the component statuses that were set automatically, and can be sent back unchanged', () => {
  incident
    .given(scheduled(), started, completed({ web: 'partial_outage' }))
    .when(edit('u2', { components: { api: 'operational', web: 'partial_outage' } }))
    .thenNothing();
});

test('after an edit of the components of a maintenance, its automatic status changes apply to the new components', () => {
  const names = edited('u1', '13:00', { components: { db: 'operational' } }, {});
  const given = incident.given(scheduled(), started, completed({ web: 'partial_outage' }), names);
  const whole = { db: 'operational', web: 'partial_outage' } as const;
  given.when(edit('u2', { components: whole })).thenNothing();
  given.when(edit('u2', { components: {} })).then(edited('u2', '14:00', { components: {} }, { components: whole }));
});

test('the texts of an incident update can be withheld, also after its removal', () => {
  incident
    .given(...history)
    .when(withhold('u2'))
    .then(withheld('u2', '14:00'));
  incident
    .given(...history, removed(monitoring, '13:00'))
    .when(withhold('u2'))
    .then(withheld('u2', '14:00'));
});

test('an incident update can be withheld again only after an edit has changed its text', () => {
  const given = [...history, withheld('u2', '13:00')];
  const moved = edited('u2', '13:10', { created_at: at('10:45') }, { created_at: at('11:00') });
  const reworded = edited('u2', '13:20', { body: 'Better.' }, { body: 'It is 11:00.' });
  for (const more of [[], [moved], [removed(monitoring, '13:30')]]) {
    incident
      .given(...given, ...more)
      .when(withhold('u2'))
      .thenNothing();
  }
  incident
    .given(...given, moved, reworded)
    .when(withhold('u2'))
    .then(withheld('u2', '14:00'));
});

test('only existing incident updates on existing pages can be withheld', () => {
  incident
    .given(...history)
    .when(withhold('u4'))
    .throws(NotFound);
  incident
    .given(...history)
    .when(withhold('u2', page(pageDeleted)))
    .throws(NotFound);
});

test.run();
