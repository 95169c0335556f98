import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { components } from '../../../projections/components/projection.ts';
import { checkRestored } from '../../domain/check/examples.ts';
import type { Fact } from '../history.ts';
import { NEVER, type ComponentDocument } from '../../../projections/components/documents.ts';
import {
  added,
  appended,
  at,
  deleted,
  edited,
  logged,
  moved,
  of,
  opened,
  removed,
  scheduled,
  setManually,
  switching,
  update,
} from '../../domain/incident/examples.ts';
import {
  componentFields,
  componentHeld,
  componentReleased,
  componentRemoved,
  componentUpdated,
  LATER,
  PAGE,
} from '../../domain/page/examples.ts';
import { projection, projectionRules } from '../specification.ts';

const test = suite('the read model of components');

const api = added('api');
const resolved = update('u2', '11:00', { status: 'resolved', components: { api: 'operational' } });

const status = async (...facts: Fact[]): Promise<string | undefined> =>
  (
    await projection(components)
      .given(api, added('web'), ...facts)
      .document('components', 'api')
  )?.status;
const document = async (...facts: Fact[]): Promise<ComponentDocument | null> =>
  projection(components)
    .given(api, added('web'), ...facts)
    .document('components', 'api');

test('a component has its initial state, in the organization that added it', () =>
  projection(components)
    .given(api)
    .then('components', {
      ...componentFields({ name: 'api' }),
      id: 'api',
      organization_id: 'org000000001',
      page_id: PAGE,
      revision: 1,
      created_at: at('00:00'),
      updated_at: at('00:00'),
      own_status: 'operational',
      holds: [],
      status_set: { lane: 'api@00000000000000000010.0000', moment: `${at('00:00')}/00000000000000000010.0000` },
    }));

test('changes of a component are stored, and a removed component is deleted', async () => {
  const renamed = await document(componentUpdated('api', { name: 'API', position: 4 }, { name: 'api', position: 1 }));
  assert.equal([renamed?.name, renamed?.position, renamed?.updated_at], ['API', 4, LATER]);
  // The stream also contains the addition of another component before the renaming.
  assert.is(renamed?.revision, 3);
  await projection(components).given(api, componentRemoved('api')).thenNone('components');
});

test('a component does not name a deleted check', async () => {
  const watched = componentUpdated('api', { check_id: 'check0000001' }, { check_id: null });
  assert.is((await document(watched))?.check_id, 'check0000001');
  const gone: Fact = { type: 'CheckDeleted', data: { check_id: 'check0000001' } };
  assert.is((await document(watched, gone))?.check_id, null);
});

test('a component names a restored check again, unless the component was changed to name another check or none', async () => {
  const CHECK = 'check0000001';
  const watched = componentUpdated('api', { check_id: CHECK }, { check_id: null });
  const gone: Fact = { type: 'CheckDeleted', data: { check_id: CHECK } };
  const restored = checkRestored({ check_id: CHECK });
  const named = async (...facts: Fact[]) => (await document(watched, gone, ...facts, restored))?.check_id;
  assert.is(await named(), CHECK);
  assert.is(await named(componentUpdated('api', { name: 'API' }, { name: 'api' })), CHECK);
  assert.is(await named(componentUpdated('api', { check_id: null }, { check_id: CHECK })), null);
  assert.is(await named(componentUpdated('api', { check_id: 'check0000002' }, { check_id: CHECK })), 'check0000002');
  assert.is(await named(componentRemoved('api')), undefined);
});

test('a component has the status that an incident and its updates have set most recently', async () => {
  assert.is(await status(), 'operational');
  assert.is(await status(opened()), 'major_outage');
  assert.is(await status(opened(), appended(resolved)), 'operational');
  assert.is((await document(opened()))?.updated_at, at('10:00'));
});

test('a component keeps its status when an update does not name it, and when an incident is resolved', async () => {
  assert.is(await status(opened(), appended(update('u2', '11:00'))), 'major_outage');
  assert.is(await status(opened(), moved('11:00', 'investigating', 'resolved')), 'major_outage');
});

test('a component has the status of the fact with the latest time, whatever the order of the facts in the log', async () => {
  const other = of('other', opened({ created_at: at('09:00'), components: { api: 'partial_outage' } }));
  assert.is(await status(opened(), other), 'major_outage');
  assert.is(
    await status(setManually('api', '10:30', 'degraded_performance', 'operational'), opened()),
    'degraded_performance',
  );
  assert.is(
    await status(opened(), setManually('api', '10:30', 'degraded_performance', 'major_outage')),
    'degraded_performance',
  );
});

test('of several facts with the same time, the last one in the log determines the status of a component', async () => {
  assert.is(await status(opened(), setManually('api', '10:00', 'operational', 'major_outage')), 'operational');
  assert.is(await status(setManually('api', '10:00', 'partial_outage', 'operational'), opened()), 'major_outage');
});

test('editing an incident update withdraws the component statuses that the update had set', async () => {
  const history = [opened(), appended(resolved)];
  const edit = (changes: Parameters<typeof edited>[2]) => edited('u2', '12:00', changes, {});
  assert.is(await status(...history, edit({ components: {} })), 'major_outage');
  assert.is(await status(...history, edit({ components: { api: 'partial_outage' } })), 'partial_outage');
  assert.is(await status(...history, edit({ created_at: at('09:00') })), 'major_outage');
  const between = setManually('api', '10:30', 'degraded_performance', 'major_outage');
  assert.is(
    await status(opened(), between, appended(resolved), edit({ created_at: at('10:15') })),
    'degraded_performance',
  );
  assert.is((await document(...history, edit({ components: {} })))?.updated_at, at('12:00'));
});

test('removing an incident update restores the previous status of a component, even if a user or another incident had set it', async () => {
  assert.is(await status(opened(), appended(resolved), removed(resolved, '12:00')), 'major_outage');
  const hand = setManually('api', '10:30', 'degraded_performance', 'major_outage');
  assert.is(await status(opened(), hand, appended(resolved), removed(resolved, '12:00')), 'degraded_performance');
  const other = of('other', opened({ created_at: at('10:45'), components: { api: 'partial_outage' } }));
  assert.is(await status(opened(), other, appended(resolved), removed(resolved, '12:00')), 'partial_outage');
});

test('withdrawing the statuses of an incident does not affect a component whose status was set by something else later', async () => {
  const hand = setManually('api', '11:30', 'degraded_performance', 'operational');
  assert.is(await status(opened(), appended(resolved), hand, removed(resolved, '12:00')), 'degraded_performance');
  assert.is(await status(opened(), hand, deleted('12:00')), 'degraded_performance');
});

test('deleting an incident withdraws the statuses that it has set on all its components', async () => {
  const wide = opened({ components: { api: 'major_outage', web: 'partial_outage' } });
  const gone = deleted('12:00');
  const facts = [api, added('web'), setManually('web', '09:00', 'degraded_performance', 'operational'), wide, gone];
  const all = await projection(components)
    .given(...facts)
    .documents('components');
  assert.equal(
    all.map((component) => [component.id, component.status]),
    [
      ['api', 'operational'],
      ['web', 'degraded_performance'],
    ],
  );
  const lanes = await projection(components)
    .given(...facts)
    .documents('lanes');
  assert.equal(
    lanes.map((lane) => lane.source),
    ['creation', 'creation', 'edit'],
  );
  await projection(components)
    .given(...facts)
    .thenNone('timelines');
});

test('a component has the status set by its holder if that status is worse than the component’s own status, until the holder releases the component', async () => {
  const [first, second] = [
    componentHeld('api', 'one', 'partial_outage', at('10:00')),
    componentHeld('api', 'two', 'major_outage', at('10:01')),
  ];
  assert.is(await status(first), 'partial_outage');
  assert.is((await document(first))?.updated_at, at('10:00'));
  assert.is(await status(first, second), 'major_outage');
  const let1 = componentReleased('api', 'two', at('10:10'));
  assert.is(await status(first, second, let1), 'partial_outage');
  assert.is(await status(first, second, let1, componentReleased('api', 'one', at('10:11'))), 'operational');
  // A status that is set during the hold is shown after the release.
  const opening = opened({ components: { api: 'degraded_performance' } });
  assert.is(await status(first, opening), 'partial_outage');
  assert.is(await status(first, opening, componentReleased('api', 'one', at('10:11'))), 'degraded_performance');
});

test('a manual change of a component’s status overrides holders, and remains in effect when the holders release the component', async () => {
  const held = componentHeld('api', 'one', 'major_outage', at('10:00'));
  const edited = setManually('api', '10:05', 'degraded_performance', 'major_outage');
  assert.is(await status(held, edited), 'degraded_performance');
  assert.is(await status(held, edited, componentReleased('api', 'one', at('10:11'))), 'degraded_performance');
  assert.is(await status(held, edited, componentHeld('api', 'two', 'partial_outage', at('10:06'))), 'partial_outage');
});

test('an incident that was created as already resolved does not change the present status of a component', async () => {
  const past = logged(
    update('u1', '08:00', { components: { api: 'partial_outage' } }),
    update('u2', '09:00', { status: 'resolved' }),
  );
  assert.is(await status(past), 'operational');
  // A later update sets the present status.
  assert.is(
    await status(past, appended(update('u3', '13:00', { components: { api: 'major_outage' } }))),
    'major_outage',
  );
});

test('a maintenance does not change the status of a component before the maintenance has begun', async () => {
  assert.is(await status(scheduled()), 'operational');
  const start = moved('20:00', 'scheduled', 'in_progress', { api: 'under_maintenance' });
  assert.is(await status(scheduled(), start), 'under_maintenance');
});

test('a status change of a maintenance sets the components that the maintenance names at that time', async () => {
  const start = moved('20:00', 'scheduled', 'in_progress', {}, switching('under_maintenance'));
  const other = edited('u1', '20:30', { components: { web: 'under_maintenance' } }, {});
  assert.is(await status(scheduled(), start), 'under_maintenance');
  assert.is(await status(scheduled(), start, other), 'operational');
  assert.is(await status(scheduled(), other, start), 'operational');
  const named = appended(update('u2', '19:00', { status: 'scheduled', components: { api: 'operational' } }));
  assert.is(await status(scheduled(), other, named, start), 'under_maintenance');
  assert.is(await status(scheduled(), other, named, start, removed(named.data.update, '20:40')), 'operational');
  const late = edited('u2', '20:50', { created_at: at('20:10') }, {});
  assert.is(await status(scheduled(), other, named, start, late), 'operational');
});

test('the collection of lanes stores which statuses an incident sets on a component, and when', () =>
  projection(components)
    .given(api, opened(), appended(update('u2', '10:30')), appended(resolved))
    .then('lanes', {
      id: 'incident:api',
      component_id: 'api',
      incident_id: 'incident',
      source: 'incident',
      begins: at('10:00'),
      first_update: at('10:00'),
      resolved: at('11:00'),
      settled: at('11:00'),
      leaves: at('11:00'),
      span: 0,
      last_set: `${at('11:00')}/00000000000000000040.0000`,
      steps: [
        {
          at: at('10:00'),
          order: '00000000000000000020.0000',
          sets: 'major_outage',
          past: false,
          open: true,
          under_way: false,
        },
        {
          at: at('11:00'),
          order: '00000000000000000040.0000',
          sets: 'operational',
          past: false,
          open: false,
          under_way: false,
        },
      ],
    }));

test('a lane has no end while its incident is open', async () => {
  const lane = await projection(components).given(api, opened()).document('lanes', 'incident:api');
  assert.equal([lane?.resolved, lane?.settled, lane?.leaves, lane?.span], [NEVER, NEVER, NEVER, 5]);
});

test('a component that an incident no longer names has no lane for that incident', async () => {
  await projection(components)
    .given(api, added('web'), opened(), edited('u1', '11:00', { components: { web: 'major_outage' } }, {}))
    .thenNone('lanes', 'incident:api');
});

test('a lane begins with its first step, even if the updates before that step are removed', async () => {
  const first = update('u1', '10:00', { status: 'scheduled', components: { api: 'under_maintenance' } });
  const later = update('u2', '21:00', { status: 'in_progress', components: { api: 'operational' } });
  const facts = [
    api,
    scheduled(),
    moved('20:00', 'scheduled', 'in_progress', {}),
    appended(later),
    removed(first, '22:00'),
  ];
  const lane = await projection(components)
    .given(...facts)
    .document('lanes', 'incident:api');
  assert.equal([lane?.begins, lane?.first_update], [at('20:00'), at('21:00')]);
});

test('an incident that changed no component status while it was active leaves no status behind', async () => {
  const facts = [api, added('web'), scheduled(), moved('21:00', 'scheduled', 'completed', {})];
  const lane = await projection(components)
    .given(...facts)
    .document('lanes', 'incident:api');
  assert.equal([lane?.leaves, lane?.last_set, lane?.settled], [null, null, at('21:00')]);
});

test.run();

projectionRules(components, [
  api,
  added('web'),
  added('group', { group: true }),
  opened(),
  of('maintenance', scheduled()),
  setManually('web', '10:20', 'degraded_performance', 'operational'),
  of('past', logged(update('p1', '08:00', { status: 'resolved', components: { web: 'partial_outage' } }))),
  appended(update('u3', '10:30', { components: { web: 'partial_outage' } })),
  appended(resolved),
  of('maintenance', moved('10:40', 'scheduled', 'in_progress', { web: 'under_maintenance' })),
  edited('u2', '12:00', { created_at: at('10:10') }, { created_at: at('11:00') }),
  removed(resolved, '12:10'),
  deleted('12:20'),
  componentUpdated('web', { check_id: 'check0000001' }, { check_id: null }),
  { type: 'CheckDeleted', data: { check_id: 'check0000001' } },
  checkRestored({ check_id: 'check0000001' }),
  componentHeld('web', 'one', 'major_outage'),
  componentReleased('web', 'one'),
  componentRemoved('api'),
  componentHeld('web', 'two', 'major_outage'),
  of('maintenance', moved('12:30', 'in_progress', 'completed', { web: 'operational' })),
]);
