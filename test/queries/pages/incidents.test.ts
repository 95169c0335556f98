import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NotFound } from '../../../domain/errors.ts';
import {
  findIncident,
  findUpdate,
  incidentWithComponents,
  listIncidents,
  listMaintenances,
  listUnresolved,
  type JoinedIncident,
} from '../../../queries/pages/incidents.ts';
import { findPage } from '../../../queries/pages/pages.ts';
import { added, changed, opened, scheduled } from '../../domain/incident/examples.ts';
import { componentRemoved, PAGE, pageCreated } from '../../domain/page/examples.ts';
import type { Fact } from '../../projections/history.ts';
import { rejects } from '../../rejects.ts';
import { everyIncident, OTHER_ORGANIZATION, scopeOf } from '../engine/scope.ts';

const test = suite('queries of incidents');

const COMPONENTS = [pageCreated(), added('web', { position: 1 }), added('api', { position: 2 })];
const incident = (id: string, components: Parameters<typeof opened>[0] = {}): Fact => {
  const { type, data } = opened(components);
  return { type, data: { ...data, incident_id: id }, stream: `incident-${id}` };
};
const both = incident('both', { components: { api: 'major_outage', web: 'partial_outage' } });
const keyOf = (incident_id: string) => ({ page_id: PAGE, incident_id });
const idsOf = (found: readonly { id: string }[]): string[] => found.map(({ id }) => id);
const incidentIdsOf = (found: readonly JoinedIncident[]): string[] => idsOf(found.map(({ incident }) => incident));

test('an incident contains its components that still exist, ordered by position', async () => {
  const scope = scopeOf([...COMPONENTS, both]);
  assert.equal(idsOf((await incidentWithComponents(scope, keyOf('both'))).components), ['web', 'api']);
  const after = scopeOf([...COMPONENTS, both, componentRemoved('web')]);
  assert.equal(idsOf((await incidentWithComponents(after, keyOf('both'))).components), ['api']);
});

test('neither an incident of another page or organization nor its updates are found', async () => {
  const scope = scopeOf([...COMPONENTS, both]);
  const theirs = { ...scope, organizationId: OTHER_ORGANIZATION };
  await rejects(findIncident(theirs, keyOf('both')), NotFound, 'There is no such page.');
  await rejects(findIncident(scope, keyOf('none')), NotFound, 'There is no such incident.');
  await rejects(findUpdate(scope, { ...keyOf('both'), incident_update_id: 'u2' }), NotFound);
  assert.is((await findUpdate(scope, { ...keyOf('both'), incident_update_id: 'u1' })).update.id, 'u1');
});

test('a list of incidents reads each component once, and only a few incidents at a time', async () => {
  const scope = scopeOf([...COMPONENTS, both, incident('api'), incident('api2')]);
  const page = await findPage(scope, PAGE);
  scope.reads.length = 0;
  const found = await everyIncident(listIncidents(scope, page));
  assert.equal(
    new Map(found.map((joined) => [joined.incident.id, idsOf(joined.components)])),
    new Map([
      ['both', ['web', 'api']],
      ['api2', ['api']],
      ['api', ['api']],
    ]),
  );
  assert.equal(scope.reads, ['incidents.pick', 'incidents.getMany', 'components.getMany', 'incidents.getMany']);
});

test('a list of incidents reads incidents only when they are requested', async () => {
  const scope = scopeOf([...COMPONENTS, ...Array.from({ length: 50 }, (_, index) => incident(`i${index}`))]);
  const page = await findPage(scope, PAGE);
  scope.reads.length = 0;
  for await (const joined of listIncidents(scope, page).incidents()) {
    assert.ok(joined);
    break;
  }
  assert.equal(scope.reads, ['incidents.pick', 'incidents.getMany', 'components.getMany']);
});

test('the version of an incident list changes with everything that it shows, even if the clock was set back', async () => {
  const edit = (clock: string): Fact => {
    const { type, data } = changed(clock, { name: clock }, { name: 'No answer' });
    return { type, data: { ...data, incident_id: 'both' }, stream: 'incident-both' };
  };
  const histories: Fact[][] = [
    [...COMPONENTS, both],
    [...COMPONENTS, both, edit('10:30')],
    [...COMPONENTS, both, edit('10:30'), edit('08:00')],
    [...COMPONENTS, both, incident('another')],
    [...COMPONENTS, both, componentRemoved('web')],
  ];
  const versions = await Promise.all(
    histories.map(async (history) => {
      const scope = scopeOf(history);
      return listIncidents(scope, await findPage(scope, PAGE)).version();
    }),
  );
  assert.is(new Set(versions).size, histories.length);
});

test('an incident list filtered by a component contains the incidents that name the component', async () => {
  const scope = scopeOf([...COMPONENTS, both, incident('api')]);
  const page = await findPage(scope, PAGE);
  assert.equal(incidentIdsOf(await everyIncident(listIncidents(scope, page, { component_id: 'web' }))), ['both']);
  assert.equal(incidentIdsOf(await everyIncident(listUnresolved(scope, page, { component_id: 'web' }))), ['both']);
  assert.equal(await everyIncident(listUnresolved(scope, page, { component_id: 'nobody' })), []);
});

test('a page of an incident list reads only the incidents on that page, and counts all incidents', async () => {
  const scope = scopeOf([...COMPONENTS, ...Array.from({ length: 50 }, (_, index) => incident(`i${index}`))]);
  const page = await findPage(scope, PAGE);
  scope.reads.length = 0;
  const { incidents, total } = await listIncidents(scope, page).page({ page: 25, size: 2 });
  const found: JoinedIncident[] = [];
  for await (const joined of incidents) found.push(joined);
  assert.is(total, 50);
  assert.is(found.length, 2);
  assert.equal(scope.reads, [
    'incidents.pick',
    'incidents.count',
    'incidents.getMany',
    'components.getMany',
    'incidents.getMany',
  ]);
});

test('maintenances are listed separately from incidents, and can be filtered by status', async () => {
  const scope = scopeOf([...COMPONENTS, scheduled()]);
  const page = await findPage(scope, PAGE);
  assert.equal(await everyIncident(listIncidents(scope, page)), []);
  assert.equal(incidentIdsOf(await everyIncident(listMaintenances(scope, page, ['scheduled']))), ['incident']);
  assert.equal(await everyIncident(listMaintenances(scope, page, ['in_progress'])), []);
});

test.run();
