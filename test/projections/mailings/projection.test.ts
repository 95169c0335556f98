import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mailings } from '../../../projections/mailings/projection.ts';
import {
  appended,
  at,
  changed,
  deleted,
  edited,
  logged,
  moved,
  of,
  opened,
  published,
  reminded,
  removed,
  scheduled,
  setManually,
  update,
} from '../../domain/incident/examples.ts';
import { PAGE } from '../../domain/page/examples.ts';
import { ORGANIZATION } from '../../domain/check/examples.ts';
import { projection, projectionRules } from '../specification.ts';

const test = suite('the list of mailings');
const { given } = projection(mailings);

/** Returns the id of the n-th event of a history, counted from 1. */
const eventId = (number: number): string => `00000000-0000-4000-8000-${number.toString().padStart(12, '0')}`;

test('each notifying event has one mailing, with the id of the event', async () => {
  await given(opened()).then('mailings', [
    {
      id: eventId(1),
      organization_id: ORGANIZATION,
      cause: { kind: 'mailing', id: eventId(1) },
      caused_at: at('15:00'),
      series: 'incident',
      priority: 'page',
      about: { page_id: PAGE, event: 'incident.created', incident_id: 'incident', incident_update_id: 'u1' },
      told: {
        event: 'incident.created',
        page_id: PAGE,
        at: at('10:00'),
        incident: {
          id: 'incident',
          update_id: 'u1',
          status: 'investigating',
          components: { api: 'major_outage' },
          scheduled_for: null,
        },
        component: null,
      },
      changed_position: 10,
    },
  ]);
});

test('an event with disabled notifications has no mailing, and neither has a change of fields', async () => {
  const silent = { deliver_notifications: false };
  const quiet = given(
    opened(silent),
    appended(update('u2', '11:00', silent)),
    moved('11:30', 'investigating', 'resolved'),
    changed('12:00', { name: 'New' }, { name: 'No answer' }),
  );
  await quiet.thenNone('mailings');
});

const resolved = update('u2', '11:00', { status: 'resolved' });

test('a mailing names the effect of its event, which depends on the earlier state of the same incident', async () => {
  const history = given(opened(), of('other', opened()), appended(resolved), of('other', deleted('12:00')));
  const events = (await history.documents('mailings')).map(({ told }) => told.event);
  assert.equal(events, ['incident.created', 'incident.created', 'incident.resolved']);
  assert.equal(
    (await history.documents('told_facts')).map(({ id }) => id),
    ['incident'],
  );
});

test('a mailing stays when its incident is deleted, because its messages may still be composed', async () => {
  const history = given(opened(), deleted('12:00'));
  assert.is((await history.documents('mailings')).length, 1);
  await history.thenNone('told_facts');
});

test.run();

projectionRules(mailings, [
  opened(),
  appended(resolved),
  edited('u2', '11:30', { created_at: at('10:30') }, { created_at: at('11:00') }),
  removed(resolved, '12:00'),
  of('maintenance', scheduled()),
  of('maintenance', reminded('19:00', '1h')),
  of('maintenance', moved('20:00', 'scheduled', 'in_progress')),
  of('past', logged(update('p1', '08:00', { status: 'resolved' }))),
  setManually('api', '12:00', 'major_outage', 'operational'),
  published('12:30', 'Why it happened.'),
  deleted('13:00'),
]);
