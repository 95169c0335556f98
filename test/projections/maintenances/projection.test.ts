import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ScheduleFields } from '../../../domain/incident/fields.ts';
import { maintenances, type DueMaintenanceDocument } from '../../../projections/maintenances/projection.ts';
import {
  appended,
  at,
  byClock,
  changed,
  deleted,
  edited,
  missed,
  moved,
  of,
  opened,
  reminded,
  removed,
  scheduled,
  update,
} from '../../domain/incident/examples.ts';
import { PAGE, pageDeleted } from '../../domain/page/examples.ts';
import type { Fact } from '../history.ts';
import { projection, projectionRules } from '../specification.ts';

const test = suite('the list of due maintenances');

const automatic = (more: Partial<ScheduleFields> = {}) =>
  scheduled({
    scheduled_auto_in_progress: true,
    scheduled_auto_completed: true,
    scheduled_remind_prior: true,
    reminder_intervals: '2h, 1h',
    ...more,
  });

const listed = async (...facts: Fact[]): Promise<DueMaintenanceDocument | null> =>
  projection(maintenances)
    .given(...facts)
    .document('due_maintenances', 'incident');
const dueAfter = async (...facts: Fact[]): Promise<string | undefined> =>
  (await listed(...facts))?.due_at.slice(11, 16);

test('a maintenance is listed at the time of its next reminder or status change, with the event that set this time', async () => {
  assert.equal(await listed(automatic()), {
    id: 'incident',
    organization_id: 'org000000001',
    page_id: PAGE,
    due_at: at('18:00'),
    changed_position: 10,
  });
  const sent = [automatic(), reminded('18:00', '2h'), reminded('19:00', '1h')];
  assert.is(await dueAfter(...sent.slice(0, 2)), '19:00');
  assert.is(await dueAfter(...sent), '20:00');
  const started = [...sent, byClock('20:00', 'scheduled', 'in_progress')];
  assert.is(await dueAfter(...started), '22:00');
  assert.is(await listed(...started, byClock('22:00', 'in_progress', 'completed')), null);
  assert.is(await dueAfter(automatic(), missed('20:00', '1h')), '20:00');
});

test('the due time of a maintenance on the list follows every change of its schedule and status', async () => {
  const later = changed('12:00', { scheduled_for: at('21:00') }, { scheduled_for: at('20:00') });
  assert.is(await dueAfter(automatic(), later), '19:00');
  assert.is((await listed(automatic(), later))?.changed_position, 20);
  assert.is(await dueAfter(automatic(), moved('11:00', 'scheduled', 'in_progress')), '22:00');
  const began = update('u2', '11:00', { status: 'in_progress' });
  assert.is(await dueAfter(automatic(), appended(began)), '22:00');
  assert.is(await dueAfter(automatic(), appended(began), removed(began, '12:00')), '18:00');
  const before = edited('u2', '12:00', { created_at: at('09:00') }, { created_at: at('11:00') });
  assert.is(await dueAfter(automatic(), appended(began), before), '18:00');
  assert.is(await listed(automatic(), deleted('11:00')), null);
});

test('changes of other fields than schedule and status do not change the due time of a maintenance on the list', async () => {
  const named = changed('12:00', { name: 'New' }, { name: 'New disks' });
  assert.is((await listed(automatic(), named))?.changed_position, 10);
});

test('manual maintenances and other incidents are not listed', async () => {
  assert.is(await listed(scheduled()), null);
  assert.is(await listed(opened(), changed('12:00', { name: 'New' }, { name: 'No answer' })), null);
});

test('maintenances of a deleted page are not listed, even after later events', async () => {
  assert.is(await listed(automatic(), pageDeleted), null);
  const later = changed('12:00', { scheduled_for: at('21:00') }, { scheduled_for: at('20:00') });
  assert.is(await listed(automatic(), pageDeleted, later), null);
  const elsewhere = automatic();
  const other = { ...elsewhere, data: { ...elsewhere.data, page_id: 'page2' } };
  assert.is(await dueAfter(other, pageDeleted), '18:00');
});

test.run();

projectionRules(maintenances, [
  automatic(),
  of('other', automatic({ reminder_intervals: null })),
  reminded('18:00', '2h'),
  of('other', missed('19:00', '60m')),
  changed('18:10', { scheduled_until: at('23:00') }, { scheduled_until: at('22:00') }),
  byClock('20:00', 'scheduled', 'in_progress'),
  appended(update('u2', '20:30', { status: 'verifying' })),
  edited('u2', '20:40', { created_at: at('20:35') }, { created_at: at('20:30') }),
  removed(update('u2', '20:35', { status: 'verifying' }), '20:50'),
  of('other', deleted('21:00')),
  pageDeleted,
]);
