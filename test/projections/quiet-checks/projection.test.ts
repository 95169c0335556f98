import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { suppressedTagId, type SuppressionDocument } from '../../../projections/quiet-checks/documents.ts';
import { quietChecks } from '../../../projections/quiet-checks/projection.ts';
import {
  added,
  appended,
  at,
  byClock,
  changed,
  deleted,
  edited,
  moved,
  of,
  removed,
  scheduled,
  update,
} from '../../domain/incident/examples.ts';
import { componentRemoved, componentUpdated, pageDeleted } from '../../domain/page/examples.ts';
import type { Fact } from '../history.ts';
import { projection, projectionRules } from '../specification.ts';

const test = suite('the read model of suppressed checks');

const CHECK = 'check0000001';
const api = added('api', { check_id: CHECK });
const begun = byClock('20:00', 'scheduled', 'in_progress');

const check = (...facts: Fact[]): Promise<SuppressionDocument | null> =>
  projection(quietChecks)
    .given(...facts)
    .document('quiet_checks', CHECK);
const quiet = async (...facts: Fact[]): Promise<readonly string[] | undefined> => (await check(...facts))?.incident_ids;

test('a check is suppressed while a maintenance that names its component is in progress', async () => {
  assert.equal(await quiet(api, scheduled()), []);
  assert.equal(await quiet(api, scheduled(), begun), ['incident']);
  assert.equal(await quiet(api, scheduled(), begun, moved('21:00', 'in_progress', 'verifying')), ['incident']);
  assert.equal(await quiet(api, scheduled(), begun, moved('21:00', 'in_progress', 'completed')), []);
  assert.equal(await quiet(added('db', { check_id: CHECK }), scheduled(), begun), []);
});

test('a check is suppressed as soon as a component in maintenance names it, until the component names another check or none', async () => {
  const named = componentUpdated('api', { check_id: CHECK }, { check_id: null });
  assert.equal(await quiet(added('api'), scheduled(), begun, named), ['incident']);
  const other = componentUpdated('api', { check_id: 'check0000002' }, { check_id: CHECK });
  const facts = [api, scheduled(), begun];
  assert.equal(await quiet(...facts, other), []);
  assert.equal(await quiet(...facts, componentUpdated('api', { check_id: null }, { check_id: CHECK })), []);
  assert.equal(await quiet(...facts, componentUpdated('api', { name: 'API' }, { name: 'api' })), ['incident']);
});

test('a check is suppressed until the last of its maintenances ends, however many components of each maintenance name the check', async () => {
  const two = [
    api,
    added('web', { check_id: CHECK }),
    scheduled(),
    begun,
    of('other', scheduled()),
    of('other', begun),
  ];
  assert.equal(await quiet(...two), ['incident', 'other']);
  assert.equal(await quiet(...two, deleted('21:00')), ['other']);
  assert.equal(await quiet(...two, componentRemoved('api')), ['incident', 'other']);
  assert.equal(await quiet(...two, componentRemoved('api'), componentRemoved('web')), []);
});

test('edits and removals of a maintenance’s updates change the suppression of checks', async () => {
  const started = update('u2', '20:00', { status: 'in_progress', components: { db: 'under_maintenance' } });
  const facts = [added('db', { check_id: CHECK }), scheduled(), appended(started)];
  assert.equal(await quiet(...facts), ['incident']);
  assert.equal(await quiet(...facts, removed(started, '20:05')), []);
  assert.equal(await quiet(...facts, edited('u2', '20:05', { components: {} }, {})), []);
});

test('the position of a suppressed check changes only when the suppression changes, not with other changes of the maintenance', async () => {
  const facts = [api, scheduled(), begun];
  assert.is((await check(...facts))?.changed_position, 30);
  const renamed = changed('20:30', { name: 'Newer disks', scheduled_until: at('23:00') }, {});
  assert.is((await check(...facts, renamed))?.changed_position, 30);
  const maintenance = await projection(quietChecks)
    .given(...facts, renamed)
    .document('maintenances', 'incident');
  assert.equal([maintenance?.name, maintenance?.until], ['Newer disks', at('23:00')]);
});

test('a deleted page suppresses nothing', async () => {
  const facts = [api, scheduled(), begun];
  assert.equal(await quiet(...facts, pageDeleted), []);
});

const TAG = suppressedTagId('org000000001', 'prod');
const quietTag = async (...facts: Fact[]): Promise<readonly string[] | undefined> =>
  (
    await projection(quietChecks)
      .given(...facts)
      .document('quiet_tags', TAG)
  )?.incident_ids;

test('checks with a tag are suppressed while a maintenance that names a component with the tag is in progress', async () => {
  const tagged = added('api', { check_tag: 'prod' });
  assert.equal(await quietTag(tagged, scheduled()), []);
  assert.equal(await quietTag(tagged, scheduled(), begun), ['incident']);
  assert.equal(await quietTag(tagged, scheduled(), begun, moved('21:00', 'in_progress', 'completed')), []);
  assert.equal(await quietTag(tagged, scheduled(), begun, componentRemoved('api')), []);
  assert.equal(await quietTag(tagged, scheduled(), begun, pageDeleted), []);
  assert.equal(await quietTag(tagged, scheduled(), begun, deleted('21:00')), []);
  const byCheck = componentUpdated('api', { check_id: CHECK, check_tag: null }, { check_id: null, check_tag: 'prod' });
  const replaced = [tagged, scheduled(), begun, byCheck];
  assert.equal([await quietTag(...replaced), await quiet(...replaced)], [[], ['incident']]);
  const byTag = componentUpdated('api', { check_id: null, check_tag: 'prod' }, { check_id: CHECK, check_tag: null });
  const back = [api, scheduled(), begun, byTag];
  assert.equal([await quietTag(...back), await quiet(...back)], [['incident'], []]);
});

test.run();

const second = update('u2', '21:00', { status: 'in_progress' });
projectionRules(quietChecks, [
  added('web'),
  added('db', { check_tag: 'prod' }),
  api,
  componentUpdated('db', { check_tag: 'eu' }, { check_tag: 'prod' }),
  componentUpdated('web', { check_id: CHECK }, { check_id: null }),
  scheduled(),
  begun,
  changed('20:10', { name: 'Disks' }, { name: 'New disks' }),
  appended(second),
  edited('u2', '21:10', { created_at: at('20:50') }, { created_at: at('21:00') }),
  removed(second, '21:15'),
  of('other', scheduled()),
  of('other', begun),
  componentRemoved('web'),
  deleted('21:20'),
  pageDeleted,
]);
