import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openIncident } from '../../../../commands/pages/incidents.ts';
import type { Component } from '../../../../api/v1/components/schema.ts';
import type { Page } from '../../../../api/v1/pages/schema.ts';
import { COMPONENT_STATUSES } from '../../../../domain/page/component-status.ts';
import { instantOf } from '../../../../domain/time.ts';
import { aContext } from '../../../commands/simulated-processes.ts';
import type { Reply } from '../../http.ts';
import { startService, type ServiceRequest } from '../../service.ts';

const NOW = Date.UTC(2026, 10, 20, 22, 30);

const test = suite('components and component groups');
const service = await startService({ now: NOW });
const { first, second, request } = service;
test.after(() => service.stop());
test.before.each(() => {
  service.time.now = NOW;
});

const body = (reply: Reply, status = 200): Component => {
  assert.is(reply.status, status, reply.text);
  return reply.json() as Component;
};
const brokenFields = (reply: Reply): string[] => {
  assert.is(reply.status, 422, reply.text);
  return Object.keys((reply.json() as { errors: { json: object } }).errors.json).sort();
};

const aPage = async (sent: object = {}): Promise<string> => {
  const reply = await request('POST', '/v1/pages', { body: { name: 'Acme', ...sent } });
  return (reply.json() as Page).id;
};

/** Returns functions for `/components` and `/component-groups` of a page, the two families of component endpoints. */
const families = (page: string) => {
  const family = (name: string) => {
    const all = `/v1/pages/${page}/${name}`;
    return {
      all,
      add: (sent: object = {}, ask: ServiceRequest = {}) =>
        request('POST', all, { ...ask, body: { name: 'Web', ...sent } }),
      list: async (ask: ServiceRequest = {}) => {
        const reply = await request('GET', all, ask);
        assert.is(reply.status, 200, reply.text);
        return reply.json() as Component[];
      },
      get: (id: string, ask: ServiceRequest = {}) => request('GET', `${all}/${id}`, ask),
      patch: (id: string, sent: object, ask: ServiceRequest = {}) =>
        request('PATCH', `${all}/${id}`, { ...ask, body: sent }),
      put: (id: string, sent: object) => request('PUT', `${all}/${id}`, { body: sent }),
      remove: (id: string, ask: ServiceRequest = {}) => request('DELETE', `${all}/${id}`, ask),
    };
  };
  return { components: family('components'), groups: family('component-groups') };
};

test('a component is created from its name alone, with every field in the response', async () => {
  const page = await aPage({ time_zone: 'Europe/Moscow' });
  const { components } = families(page);
  const reply = await components.add();
  const component = body(reply, 201);
  assert.is(reply.headers.location, `${components.all}/${component.id}`);
  assert.match(component.id, /^[a-z0-9]{12}$/);
  assert.equal(component, {
    id: component.id,
    page_id: page,
    name: 'Web',
    description: null,
    group: false,
    group_id: null,
    position: 1,
    showcase: true,
    only_show_if_degraded: false,
    // The page is in the time zone of Moscow, where it is half past one of the next day.
    start_date: '2026-11-21',
    check_id: null,
    check_tag: null,
    show_response_times: false,
    status: 'operational',
    managed_by: null,
    created_at: '2026-11-20T22:30:00.000000',
    updated_at: '2026-11-20T22:30:00.000000',
    revision: 2,
  });
  assert.equal(body(await components.get(component.id)), component);
});

test('every field of a component can be set, changed and, if nullable, cleared', async () => {
  const { components, groups } = families(await aPage());
  const group = body(await groups.add({ name: 'Servers' }), 201);
  const sent = {
    name: 'Mail',
    description: 'Both servers',
    group_id: group.id,
    position: 7,
    showcase: false,
    only_show_if_degraded: true,
    start_date: '2020-02-29',
    show_response_times: true,
    status: 'degraded_performance',
  };
  const added = body(await components.add(sent), 201);
  assert.equal({ ...added, ...sent }, added);
  const other = body(await components.add(), 201);
  service.time.now += 1_000;
  const updated_at = '2026-11-20T22:30:01.000000';
  const patched = body(await components.patch(other.id, sent));
  const { revision } = patched;
  assert.equal(patched, { ...other, ...sent, updated_at, revision });
  assert.ok(revision > other.revision);
  const cleared = { description: null, group_id: null, start_date: null };
  const rest = body(await components.put(other.id, cleared));
  assert.equal({ ...rest, ...cleared }, rest);
  for (const field of ['name', 'position', 'showcase', 'only_show_if_degraded', 'show_response_times', 'status']) {
    assert.equal(brokenFields(await components.patch(other.id, { [field]: null })), [field]);
  }
});

test('every component status can be set, and the latest one is shown', async () => {
  const { components } = families(await aPage());
  const { id } = body(await components.add(), 201);
  for (const status of [...COMPONENT_STATUSES, 'operational'] as const) {
    service.time.now += 1_000;
    assert.is(body(await components.patch(id, { status })).status, status);
    assert.is(body(await components.get(id)).status, status);
  }
});

test('sending a whole component back changes nothing, and unknown and read-only fields are ignored', async () => {
  const { components, groups } = families(await aPage());
  const group = body(await groups.add({ name: 'Servers' }), 201);
  const component = body(await components.add({ group_id: group.id, status: 'major_outage' }), 201);
  service.time.now += 1_000;
  assert.equal(body(await components.put(component.id, component)), component);
  const shown = body(await groups.get(group.id));
  assert.is(shown.status, 'major_outage');
  assert.equal(body(await groups.put(group.id, shown)), shown);
  assert.equal(body(await components.put(group.id, shown)), shown);
  const ignored = { id: 'x', page_id: 'y', created_at: 1, group: 'maybe', no_such: {} };
  assert.equal(body(await components.patch(component.id, ignored)), component);
  assert.equal(body(await groups.patch(group.id, { status: 'no status', group: false })), shown);
});

test('a component status set by an incident is shown, counts as unchanged when it is sent back, and can be overridden', async () => {
  const page = await aPage();
  const { components, groups } = families(page);
  const group = body(await groups.add({ name: 'Servers' }), 201);
  const { id } = body(await components.add({ group_id: group.id }), 201);
  const context = aContext({ organizationId: first.id, now: instantOf(NOW + 1_000) });
  const incident = { name: 'Down', body: 'x', status: 'investigating', components: { [id]: 'major_outage' } } as const;
  await service.commands.bind(openIncident)(page, incident, context);
  await service.readers.waitFor(['components'], context);
  const shown = body(await components.get(id));
  assert.is(shown.status, 'major_outage');
  assert.is(body(await groups.get(group.id)).status, 'major_outage');

  service.time.now += 2_000;
  const renamed = body(await components.put(id, { ...shown, name: 'Mail' }));
  assert.equal([renamed.name, renamed.status], ['Mail', 'major_outage']);
  assert.is(body(await components.patch(id, { status: 'operational' })).status, 'operational');
  const edits = (await service.stores.main.readStream(`page-${page}`)).filter(
    ({ type }) => type === 'ComponentUpdated',
  );
  assert.equal(
    edits.map(({ data }) => [(data as Edit).changes, (data as Edit).previous]),
    [
      [{ name: 'Mail' }, { name: 'Web' }],
      [{ status: 'operational' }, { status: 'major_outage' }],
    ],
  );
});

interface Edit {
  changes: object;
  previous: object;
}

test('the error for a component names every invalid field', async () => {
  const { components, groups } = families(await aPage());
  const broken = {
    name: 'x'.repeat(101),
    description: 'x'.repeat(10_001),
    group_id: 7,
    position: 0,
    showcase: 'yes',
    only_show_if_degraded: 1,
    start_date: '2026-02-30',
  };
  const fields = Object.keys(broken).sort();
  const { id } = body(await components.add(), 201);
  const more = { show_response_times: 'yes', status: 'fine' };
  assert.equal(brokenFields(await components.add({ ...broken, ...more })), [...fields, ...Object.keys(more)].sort());
  assert.equal(
    brokenFields(await components.patch(id, { ...broken, ...more })),
    [...fields, ...Object.keys(more)].sort(),
  );
  assert.equal(brokenFields(await groups.add(broken)), fields);
  assert.equal(brokenFields(await request('POST', components.all, { body: {} })), ['name']);
  assert.equal(brokenFields(await components.add({ name: '' })), ['name']);
  assert.equal(brokenFields(await components.add({ position: 1.5 })), ['position']);
});

test('a component group shows no response times and can be sent back unchanged', async () => {
  const { components, groups } = families(await aPage());
  const sent = { group: true, show_response_times: true, group_id: 'nosuchgroup1' };
  assert.equal(brokenFields(await components.add(sent)), ['group_id', 'show_response_times']);
  const group = body(await groups.add({ name: 'Servers', show_response_times: true }), 201);
  assert.is(group.show_response_times, false);
  assert.equal(brokenFields(await components.patch(group.id, { show_response_times: true })), ['show_response_times']);
  assert.equal(body(await components.put(group.id, group)), group);
});

test('the start date of a component is read from a timestamp in the time zone of the page', async () => {
  const { components } = families(await aPage({ time_zone: 'Asia/Tokyo' }));
  const { id, start_date } = body(await components.add({ start_date: '2026-01-31T20:00:00Z' }), 201);
  assert.is(start_date, '2026-02-01');
  assert.is(body(await components.patch(id, { start_date: '2026-03-01' })).start_date, '2026-03-01');
});

test('/components and /component-groups both create groups, and only /components creates components', async () => {
  const { components, groups } = families(await aPage());
  const one = body(await groups.add({ name: 'One', group: false }), 201);
  const two = body(await components.add({ name: 'Two', group: true }), 201);
  const web = body(await components.add(), 201);
  assert.equal([one.group, two.group, web.group], [true, true, false]);
  assert.equal(
    (await groups.list()).map(({ id }) => id),
    [one.id, two.id],
  );
  assert.equal(
    (await components.list()).map(({ id }) => id),
    [one.id, two.id, web.id],
  );
  for (const group of [one, two]) {
    assert.equal(body(await components.get(group.id)), group);
    assert.equal(body(await groups.get(group.id)), group);
  }
  assert.is((await groups.get(web.id)).status, 404);
  assert.is((await groups.patch(web.id, { name: 'X' })).status, 404);
  assert.is((await groups.remove(web.id)).status, 404);
  assert.is((await components.remove(two.id)).status, 204);
  assert.equal(
    (await groups.list()).map(({ id }) => id),
    [one.id],
  );
});

test('a component can belong only to a group of its page, and groups do not nest', async () => {
  const { components, groups } = families(await aPage());
  const elsewhere = families(await aPage());
  const group = body(await groups.add({ name: 'Here' }), 201);
  const web = body(await components.add(), 201);
  const foreign = body(await elsewhere.groups.add({ name: 'There' }), 201);
  for (const group_id of [foreign.id, web.id, 'aaaaaaaaaaaa', 'no id']) {
    assert.equal(brokenFields(await components.add({ group_id })), ['group_id']);
    assert.equal(brokenFields(await components.patch(web.id, { group_id })), ['group_id']);
  }
  for (const family of [components, groups]) {
    assert.equal(brokenFields(await family.add({ group: true, group_id: group.id })), ['group_id']);
    assert.equal(brokenFields(await family.patch(group.id, { group_id: group.id })), ['group_id']);
  }
});

test('components are listed by position, then by name, and new ones are added at the end of their group', async () => {
  const { components, groups } = families(await aPage());
  const group = body(await groups.add({ name: 'Group' }), 201);
  const positions: [object, number][] = [
    [{ name: 'a' }, 2],
    [{ name: 'b', position: 9 }, 9],
    [{ name: 'c' }, 10],
    [{ name: 'in', group_id: group.id }, 1],
    [{ name: 'also in', group_id: group.id }, 2],
  ];
  for (const [sent, position] of positions) assert.is(body(await components.add(sent), 201).position, position);
  const listed = async () => (await components.list()).map(({ name, position }) => `${position} ${name}`);
  assert.equal(await listed(), ['1 Group', '1 in', '2 a', '2 also in', '9 b', '10 c']);
  const [a] = (await components.list()).filter(({ name }) => name === 'a');
  const moved = body(await components.patch(a?.id ?? '', { group_id: group.id }));
  assert.is(moved.position, 3);
  assert.is(body(await components.patch(moved.id, { group_id: null, position: 1 })).position, 1);
  assert.equal(await listed(), ['1 Group', '1 a', '1 in', '2 also in', '9 b', '10 c']);
});

test('a component group has the status of its worst component, and is operational if it has no components', async () => {
  const { components, groups } = families(await aPage());
  const group = body(await groups.add({ name: 'Group', status: 'major_outage' }), 201);
  assert.is(group.status, 'operational');
  const statusOfGroup = async () => {
    const [listed] = (await groups.list()).map(({ status }) => status);
    const [among] = (await components.list()).filter(({ id }) => id === group.id);
    const one = body(await groups.get(group.id)).status;
    assert.equal([listed, among?.status], [one, one]);
    return one;
  };
  const one = body(await components.add({ group_id: group.id, status: 'under_maintenance' }), 201);
  assert.is(await statusOfGroup(), 'under_maintenance');
  const two = body(await components.add({ group_id: group.id, status: 'partial_outage' }), 201);
  assert.is(await statusOfGroup(), 'partial_outage');
  await components.patch(one.id, { status: 'major_outage' });
  assert.is(await statusOfGroup(), 'major_outage');
  await components.patch(one.id, { group_id: null });
  assert.is(await statusOfGroup(), 'partial_outage');
  await components.remove(two.id);
  assert.is(await statusOfGroup(), 'operational');
});

test('components of a removed group remain without a group, at the end of the page', async () => {
  const { components, groups } = families(await aPage());
  const group = body(await groups.add({ name: 'Group' }), 201);
  const inside = body(await components.add({ name: 'in', group_id: group.id }), 201);
  const outside = body(await components.add({ name: 'out' }), 201);
  assert.equal([(await groups.remove(group.id)).status, (await groups.remove(group.id)).status], [204, 404]);
  const left = await components.list();
  assert.equal(
    left.map(({ id, group_id, position }) => [id, group_id, position]),
    [
      [outside.id, null, 2],
      [inside.id, null, 3],
    ],
  );
});

test('a removed component is gone, and removing it again is 404', async () => {
  const { components } = families(await aPage());
  const { id } = body(await components.add(), 201);
  const gone = await components.remove(id);
  assert.equal([gone.status, gone.text], [204, '']);
  for (const reply of [await components.get(id), await components.patch(id, {}), await components.remove(id)]) {
    assert.is(reply.status, 404);
  }
  assert.equal(await components.list(), []);
});

test('a component is found only on its own page', async () => {
  const { components } = families(await aPage());
  const elsewhere = families(await aPage()).components;
  const { id } = body(await components.add(), 201);
  for (const reply of [await elsewhere.get(id), await elsewhere.patch(id, {}), await elsewhere.remove(id)]) {
    assert.is(reply.status, 404);
  }
  assert.equal(await elsewhere.list(), []);
});

test('components of a deleted page or of another organization are not found', async () => {
  const page = await aPage();
  const { components, groups } = families(page);
  const { id } = body(await components.add(), 201);
  const key = second.keys.admin;
  const gone = async (ask: ServiceRequest): Promise<void> => {
    for (const { all, get, patch, add, remove } of [components, groups]) {
      const replies = [
        await request('GET', all, ask),
        await get(id, ask),
        await add({}, ask),
        await patch(id, {}, ask),
        await remove(id, ask),
      ];
      assert.equal(
        replies.map(({ status }) => status),
        [404, 404, 404, 404, 404],
      );
    }
  };
  await gone({ key });
  await request('DELETE', `/v1/pages/${page}`);
  await gone({});
});

test('viewers and billing read components, and editors and admins write them', async () => {
  const { components, groups } = families(await aPage());
  for (const [role, key] of Object.entries(first.keys)) {
    const writes = role === 'editor' || role === 'admin';
    for (const family of [components, groups]) {
      assert.is((await family.add({}, { key })).status, writes ? 201 : 403, role);
      await family.list({ key });
    }
  }
});

test('a component can refer only to an existing check of its organization, and a component group to no check', async () => {
  const { components, groups } = families(await aPage());
  const aCheck = async (ask: ServiceRequest = {}): Promise<string> => {
    const check = {
      name: 'Web',
      type: 'web',
      interval: 60,
      timeout: 10,
      url: 'http://127.0.0.1/',
      regions: ['default'],
    };
    const reply = await request('POST', '/v1/checks', { ...ask, body: check });
    assert.is(reply.status, 201, reply.text);
    return (reply.json() as { id: string }).id;
  };
  const check_id = await aCheck();
  const added = body(await components.add({ check_id }), 201);
  assert.is(added.check_id, check_id);
  const other = body(await components.add(), 201);
  assert.is(body(await components.patch(other.id, { check_id })).check_id, check_id);
  assert.is(body(await components.patch(other.id, { check_id: null })).check_id, null);
  const foreign = await aCheck({ key: second.keys.admin });
  for (const check of [foreign, 'check0000000', 7]) {
    assert.equal(brokenFields(await components.add({ check_id: check })), ['check_id']);
    assert.equal(brokenFields(await components.patch(other.id, { check_id: check })), ['check_id']);
  }
  assert.equal(brokenFields(await components.add({ group: true, check_id })), ['check_id']);
  assert.is(body(await groups.add({ check_id }), 201).check_id, null);
  assert.is((await request('DELETE', `/v1/checks/${check_id}`)).status, 204);
  assert.is(body(await components.get(added.id)).check_id, null);
});

test('a component can have a tag instead of a check, even if no check has the tag', async () => {
  const { components, groups } = families(await aPage());
  const check = { name: 'Web', type: 'web', interval: 60, url: 'http://127.0.0.1/' };
  const { id: check_id } = (await request('POST', '/v1/checks', { body: check })).json() as { id: string };
  const shown = ({ check_id, check_tag }: Component) => [check_id, check_tag];
  const added = body(await components.add({ check_tag: 'team:shop' }), 201);
  assert.equal(shown(added), [null, 'team:shop']);
  assert.equal(shown(body(await components.patch(added.id, { check_id }))), [check_id, null]);
  assert.equal(shown(body(await components.patch(added.id, { check_tag: 'eu' }))), [null, 'eu']);
  assert.equal(shown(body(await components.get(added.id))), [null, 'eu']);
  assert.equal(shown(body(await components.put(added.id, { name: 'Shop', check_id: null }))), [null, 'eu']);
  for (const tag of ['Team', '', 7, 'a b', 'x'.repeat(51)]) {
    assert.equal(brokenFields(await components.add({ check_tag: tag })), ['check_tag']);
  }
  assert.equal(brokenFields(await components.add({ check_id, check_tag: 'eu' })), ['check_tag']);
  assert.equal(brokenFields(await components.patch(added.id, { check_id, check_tag: 'eu' })), ['check_tag']);
  assert.equal(brokenFields(await components.add({ group: true, check_tag: 'eu' })), ['check_tag']);
  assert.is(body(await groups.add({ check_tag: 'eu' }), 201).check_tag, null);
  assert.equal(shown(body(await components.patch(added.id, { check_tag: null }))), [null, null]);
});

test('an unknown group of a component is reported together with other errors', async () => {
  const page = families(await aPage());
  const { id } = body(await page.components.add(), 201);
  const wrong = { name: ' ', group_id: id, position: 0 };
  assert.equal(brokenFields(await page.components.add(wrong)), ['group_id', 'name', 'position']);
  assert.equal(brokenFields(await page.groups.add(wrong)), ['group_id', 'name', 'position']);
  const path = `${page.components.all}/${id}`;
  assert.equal(brokenFields(await request('PATCH', path, { body: wrong })), ['group_id', 'name', 'position']);
});

test('a long list of components is complete, and a change of a component changes the ETag of the list', async () => {
  const { components, groups } = families(await aPage());
  const group = body(await groups.add({ name: 'All' }), 201);
  const description = '\u0001'.repeat(10_000);
  const names = Array.from({ length: 60 }, (_, index) => `Server ${index.toString().padStart(2, '0')}`);
  for (const name of names) body(await components.add({ name, description, group_id: group.id }), 201);
  const [last] = (await components.list()).slice(-1);
  if (!last) throw new Error('There is none.');
  body(await components.patch(last.id, { status: 'partial_outage' }));
  const reply = await request('GET', components.all);
  const all = reply.json() as Component[];
  assert.equal(all.map(({ name }) => name).sort(), ['All', ...names].sort());
  assert.equal(
    all.filter((one) => one.group_id === group.id).map(({ name }) => name),
    names,
  );
  assert.is(all.find(({ id }) => id === group.id)?.status, 'partial_outage');
  assert.equal(
    (await groups.list()).map(({ id, status }) => [id, status]),
    [[group.id, 'partial_outage']],
  );
  assert.equal(
    all.find(({ id }) => id === last.id),
    body(await components.get(last.id)),
  );

  const headers = { 'if-none-match': String(reply.headers['etag']) };
  assert.is((await request('GET', components.all, { headers })).status, 304);
  body(await components.patch(last.id, { status: 'operational' }));
  assert.is((await request('GET', components.all, { headers })).status, 200);
});

test('when a body is refused, only the components that the body names were read, not all components of the page', async () => {
  const page = await aPage();
  const { components } = families(page);
  const made: string[] = [];
  for (const name of ['One', 'Two', 'Three']) made.push(body(await components.add({ name }), 201).id);
  const [named = ''] = made;
  const find = service.readStore.find.bind(service.readStore);
  const read: string[] = [];
  service.readStore.find = async (generation, collection, query) => {
    const found = await find(generation, collection, query);
    if (collection === 'components') read.push(...found.map(({ id }) => id));
    return found;
  };
  const incident = {
    name: '',
    status: 'investigating',
    body: 'x',
    components: { [named]: 'major_outage', unknown: '' },
  };
  const refused = await request('POST', `/v1/pages/${page}/incidents`, { body: incident });
  const added = await components.add({ name: '', group_id: named });
  service.readStore.find = find;
  assert.ok(brokenFields(refused).includes('components.unknown'), refused.text);
  assert.equal(brokenFields(added), ['group_id', 'name']);
  assert.equal(read, [named, named]);
});

test.run();
