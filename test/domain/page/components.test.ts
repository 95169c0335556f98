import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Invalid, NotFound } from '../../../domain/errors.ts';
import {
  addComponent,
  removeComponent,
  updateComponent,
  type ComponentInput,
  type DisplayedStatus,
} from '../../../domain/page/components.ts';
import { worstStatus } from '../../../domain/page/component-status.ts';
import { pageDecider, type Page } from '../../../domain/page/state.ts';
import { specification } from '../specification.ts';
import {
  componentAdded,
  componentFields,
  componentRemoved,
  componentUpdated,
  LATER,
  NOW,
  pageCreated,
  pageDeleted,
} from './examples.ts';

const page = specification(pageDecider);
const test = suite('a component');

const created = pageCreated();
const web = componentAdded('web');
const group = componentAdded('group', { name: 'Servers', group: true, position: 2 });

const add =
  (input: Partial<ComponentInput> = {}) =>
  (state: Page) =>
    addComponent(state, 'new', { name: 'Web', ...input }, NOW);
const update =
  (id: string, input: ComponentInput, shown: DisplayedStatus | null = { status: 'operational', updated_at: NOW }) =>
  (state: Page) =>
    updateComponent(state, id, input, shown, LATER);
const remove = (id: string) => (state: Page) => removeComponent(state, id, LATER);

test('a component is added with defaults: operational, visible, last, starting today', () => {
  page.given(created).when(add()).then(componentAdded('new'));
  page
    .given(created, web, componentAdded('far', { position: 7 }), group, componentAdded('in', { group_id: 'group' }))
    .when(add())
    .then(componentAdded('new', { position: 8 }));
});

test('a component can be added at the end of its group', () => {
  page
    .given(created, web, group)
    .when(add({ group_id: 'group' }))
    .then(componentAdded('new', { group_id: 'group' }));
  page
    .given(created, group, componentAdded('in', { group_id: 'group', position: 3 }))
    .when(add({ group_id: 'group' }))
    .then(componentAdded('new', { group_id: 'group', position: 4 }));
});

test('a component keeps all given fields', () => {
  const sent: ComponentInput = {
    description: 'All servers',
    group_id: 'group',
    position: 9,
    showcase: false,
    only_show_if_degraded: true,
    start_date: '2020-02-29',
    show_response_times: true,
    status: 'partial_outage',
  };
  page.given(created, group).when(add(sent)).then(componentAdded('new', sent));
});

test('a component shows response times, even before it has a check, and a group does not', () => {
  const shown = { show_response_times: true };
  const hidden = { show_response_times: false };
  const set = (state: Page) => updateComponent(state, 'web', shown, null, LATER);
  page
    .given(created, componentAdded('web'))
    .when(set)
    .then(componentUpdated('web', shown, hidden));
  page.given(created, componentAdded('web', shown)).when(set).thenNothing();
  const named = ({ errors }: Invalid) => {
    assert.equal(Object.keys(errors.json ?? {}), ['show_response_times']);
  };
  page
    .given(created)
    .when(add({ group: true, ...shown }))
    .throws(Invalid, undefined, named);
  page
    .given(created, componentAdded('web', { group: true }))
    .when(set)
    .throws(Invalid, undefined, named);
});

test('a component can have a tag instead of a check, and setting one replaces the other', () => {
  const byCheck = { check_id: 'check0000001', check_tag: null };
  const byTag = { check_id: null, check_tag: 'prod' };
  page
    .given(created)
    .when(add({ check_tag: 'prod' }))
    .then(componentAdded('new', byTag));
  page
    .given(created, componentAdded('web', byCheck))
    .when(update('web', { check_tag: 'prod' }))
    .then(componentUpdated('web', byTag, byCheck));
  page
    .given(created, componentAdded('web', byTag))
    .when(update('web', { check_id: 'check0000001' }))
    .then(componentUpdated('web', byCheck, byTag));
});

test('a component keeps its tag if a client without tag support sends back all fields it knows', () => {
  const byTag = { check_id: null, check_tag: 'prod' };
  page
    .given(created, componentAdded('web', byTag))
    .when(update('web', { name: 'Shop', check_id: null }))
    .then(componentUpdated('web', { name: 'Shop' }, { name: 'Web' }));
  page
    .given(created, componentAdded('web', byTag))
    .when(update('web', { check_tag: null }))
    .then(componentUpdated('web', { check_tag: null }, { check_tag: 'prod' }));
});

test('a component has a check or a tag but not both, and a group has neither', () => {
  const both = { check_id: 'check0000001', check_tag: 'prod' };
  const named = ({ errors }: Invalid) => {
    assert.equal(Object.keys(errors.json ?? {}), ['check_tag']);
  };
  page.given(created).when(add(both)).throws(Invalid, undefined, named);
  page.given(created, web).when(update('web', both)).throws(Invalid, undefined, named);
  page
    .given(created)
    .when(add({ group: true, check_tag: 'prod' }))
    .throws(Invalid, undefined, named);
  page
    .given(created, group)
    .when(update('group', { check_tag: 'prod' }))
    .throws(Invalid, undefined, named);
});

test('a component starts on the day of its creation in the time zone of the page', () => {
  const eleven = (zone: string) =>
    page
      .given(pageCreated({ time_zone: zone }))
      .when((state) => addComponent(state, 'new', { name: 'Web' }, '2026-11-20T23:30:00.000000'));
  const started = (day: string) => ({
    ...componentAdded('new', { start_date: day }),
    data: { ...componentAdded('new', { start_date: day }).data, created_at: '2026-11-20T23:30:00.000000' },
  });
  eleven('UTC').then(started('2026-11-20'));
  eleven('Europe/Moscow').then(started('2026-11-21'));
  eleven('America/New_York').then(started('2026-11-20'));
});

test('a component accepts a date or a timestamp as start date, and no other text', () => {
  const moscow = pageCreated({ time_zone: 'Europe/Moscow' });
  const readings: [string | null, string | null][] = [
    ['2026-01-31', '2026-01-31'],
    ['2026-01-31T12:00:00Z', '2026-01-31'],
    ['2026-01-31T22:00:00Z', '2026-02-01'],
    ['2026-01-31T22:00:00+03:00', '2026-01-31'],
    [null, null],
  ];
  for (const [sent, read] of readings) {
    page
      .given(moscow)
      .when(add({ start_date: sent }))
      .then(componentAdded('new', { start_date: read }));
  }
  for (const wrong of ['2026-02-30', 'yesterday', '2026', '', '9999-12-31T22:00:00Z']) {
    page
      .given(moscow)
      .when(add({ start_date: wrong }))
      .throws(Invalid);
    page
      .given(moscow, web)
      .when(update('web', { start_date: wrong }))
      .throws(Invalid);
  }
});

test('a component belongs to no group, or to a group on the same page', () => {
  page
    .given(created, web)
    .when(add({ group_id: 'elsewhere' }))
    .throws(Invalid);
  page
    .given(created, web)
    .when(add({ group_id: 'web' }))
    .throws(Invalid);
  page
    .given(created, web)
    .when(update('web', { group_id: 'web' }))
    .throws(Invalid);
  page
    .given(created, group, componentRemoved('group'))
    .when(add({ group_id: 'group' }))
    .throws(Invalid);
});

test('a component group belongs to no group and accepts no status', () => {
  const inside = page.given(created, group);
  inside.when(add({ group: true, group_id: 'group' })).throws(Invalid);
  inside.when(update('group', { group_id: 'group' })).throws(Invalid);
  inside.when(update('group', { group_id: null })).thenNothing();
  inside
    .when(add({ group: true, status: 'major_outage' }))
    .then(componentAdded('new', { group: true, position: 3, status: 'operational' }));
  inside.when(update('group', { status: 'major_outage' })).thenNothing();
});

test("a component can't become a group, nor a group a component", () => {
  page
    .given(created, web, group)
    .when(update('web', { group: true }))
    .thenNothing();
  page
    .given(created, web, group)
    .when(update('group', { group: false }))
    .thenNothing();
});

test('a change of a component contains only the fields that differ, even if all fields are sent back', () => {
  page.given(created, web).when(update('web', componentFields())).thenNothing();
  page
    .given(created, web)
    .when(update('web', { ...componentFields(), name: 'Site', description: 'Ours', showcase: false }))
    .then(
      componentUpdated(
        'web',
        { name: 'Site', description: 'Ours', showcase: false },
        { name: 'Web', description: null, showcase: true },
      ),
    );
  page
    .given(created, componentAdded('web', { description: 'Ours' }))
    .when(update('web', { description: null, start_date: null }))
    .then(
      componentUpdated(
        'web',
        { description: null, start_date: null },
        { description: 'Ours', start_date: '2026-11-20' },
      ),
    );
});

test('a component moves to the end of its new group unless a position is given', () => {
  const moving = page.given(created, web, group, componentAdded('in', { group_id: 'group', position: 4 }));
  moving
    .when(update('web', { group_id: 'group' }))
    .then(componentUpdated('web', { group_id: 'group', position: 5 }, { group_id: null, position: 1 }));
  moving
    .when(update('web', { group_id: 'group', position: 2 }))
    .then(componentUpdated('web', { group_id: 'group', position: 2 }, { group_id: null, position: 1 }));
  moving
    .when(update('in', { group_id: null }))
    .then(componentUpdated('in', { group_id: null, position: 3 }, { group_id: 'group', position: 4 }));
  moving.when(update('web', { position: 2 })).then(componentUpdated('web', { position: 2 }, { position: 1 }));
});

test('a component gets the given status if it shows another status, even one that an incident or a check has set', () => {
  const shown = (status: DisplayedStatus['status']): DisplayedStatus => ({ status, updated_at: NOW });
  page
    .given(created, web)
    .when(update('web', { status: 'operational' }, shown('major_outage')))
    .then(componentUpdated('web', { status: 'operational' }, { status: 'major_outage' }));
  page
    .given(created, web)
    .when(update('web', { status: 'major_outage' }, shown('major_outage')))
    .thenNothing();
});

test('a component gets the given status if its shown status is unknown', () => {
  const statusSet = componentUpdated('web', { status: 'major_outage' }, { status: 'operational' });
  const late: DisplayedStatus = { status: 'operational', updated_at: NOW };
  for (const shown of [late, null]) {
    page
      .given(created, web, statusSet)
      .when(update('web', { status: 'operational' }, shown))
      .then(componentUpdated('web', { status: 'operational' }, { status: 'major_outage' }));
  }
});

test('a component is removed, and the components of a removed group move to the end of the page in order', () => {
  page.given(created, web).when(remove('web')).then(componentRemoved('web'));
  page
    .given(
      created,
      web,
      group,
      componentAdded('second', { group_id: 'group', position: 2 }),
      componentAdded('first', { group_id: 'group', position: 1 }),
      componentAdded('third', { group_id: 'group', position: 2, name: 'Xylophone' }),
    )
    .when(remove('group'))
    .then(
      componentUpdated('first', { group_id: null, position: 3 }, { group_id: 'group', position: 1 }),
      componentUpdated('second', { group_id: null, position: 4 }, { group_id: 'group', position: 2 }),
      componentUpdated('third', { group_id: null, position: 5 }, { group_id: 'group', position: 2 }),
      componentRemoved('group'),
    );
});

test('a component is not found on another page, after its removal, or after the removal of its page', () => {
  for (const decide of [update('web', { name: 'X' }), remove('web')]) {
    page.given(created).when(decide).throws(NotFound);
    page.given(created, web, componentRemoved('web')).when(decide).throws(NotFound);
    page.given(created, web, pageDeleted).when(decide).throws(NotFound);
    page.given().when(decide).throws(NotFound);
  }
  page.given(created, pageDeleted).when(add()).throws(NotFound);
});

test('a component group has the worst status of its components, and an empty group is operational', () => {
  assert.is(worstStatus([]), 'operational');
  assert.is(worstStatus(['operational', 'under_maintenance']), 'under_maintenance');
  assert.is(worstStatus(['partial_outage', 'degraded_performance', 'under_maintenance']), 'partial_outage');
  assert.is(worstStatus(['partial_outage', 'major_outage', 'operational']), 'major_outage');
});

test.run();
