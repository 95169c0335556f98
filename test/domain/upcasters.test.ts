import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { upcast, type Upcasters } from '../../domain/upcasters.ts';

const test = suite('upcasting');

const known: Upcasters = {
  ShipSailed: {
    1: (data) => ({ ...data, harbour: 'unknown' }),
    2: (data) => ({ ...data, steps: [...((data as { steps?: string[] }).steps ?? []), 'third'] }),
  },
};

test('an event is upcast in steps from its version to the current one', () => {
  assert.equal(upcast('ShipSailed', { name: 'Ada' }, 1, 3, known), {
    name: 'Ada',
    harbour: 'unknown',
    steps: ['third'],
  });
  assert.equal(upcast('ShipSailed', { name: 'Ada' }, 2, 3, known), { name: 'Ada', steps: ['third'] });
});

test('upcasting does not change the data of an event in the current version', () => {
  const data = { name: 'Ada' };
  assert.is(upcast('ShipSailed', data, 3, 3, known), data);
});

test('upcasting adds no tag to alert rules of releases without tags', () => {
  assert.equal(upcast('AlertRuleCreated', { rule_id: 'a', rule: { name: 'Shop', check_id: 'b' } }, 1, 2), {
    rule_id: 'a',
    rule: { name: 'Shop', check_id: 'b', tag: null },
  });
});

test('upcasting adds no field to objects of releases without managed_by', () => {
  const data = { check_group_id: 'a', check_group: { name: 'Shop' } };
  assert.equal(upcast('CheckGroupCreated', data, 1, 2), data);
});

test('upcasting returns null if a step is missing', () => {
  assert.is(upcast('ShipSailed', {}, 0, 3, known), null);
  assert.is(upcast('ShipSailed', {}, 1, 4, known), null);
  assert.is(upcast('ShipSank', {}, 1, 2, known), null);
});

test('upcasting a maintenance status change that set components records these components as set automatically', () => {
  const moved = { incident_id: 'a', changes: { status: 'in_progress' }, touched: ['api', 'web'] };
  const components = { api: 'under_maintenance', web: 'under_maintenance' };
  assert.equal(upcast('IncidentStatusChanged', { ...moved, components }, 1, 2), {
    ...moved,
    components,
    switched: { status: 'under_maintenance', sent: {} },
  });
  assert.equal(upcast('IncidentStatusChanged', { ...moved, components: {} }, 1, 2), { ...moved, components: {} });
});

test('upcasting an old status change of a maintenance describes the change as made by a person, without a notification', () => {
  const moved = { incident_id: 'a', changes: { status: 'completed' } };
  assert.equal(upcast('IncidentStatusChanged', moved, 3, 4), {
    ...moved,
    automatic: false,
    deliver_notifications: false,
  });
});

test('upcasting adds no tags to components and reports of releases without tags', () => {
  assert.equal(upcast('ComponentAdded', { page_id: 'p', component: { name: 'Web' } }, 3, 4), {
    page_id: 'p',
    component: { name: 'Web', check_tag: null },
  });
  assert.equal(upcast('ReportRequested', { report_id: 'r', report: { name: 'Uptime' } }, 1, 2), {
    report_id: 'r',
    report: { name: 'Uptime', tag: null },
  });
});

test('upcasting adds no tags to checks and heartbeats of releases without tags', () => {
  assert.equal(upcast('CheckCreated', { name: 'Shop', secrets: [] }, 4, 5), { name: 'Shop', secrets: [], tags: [] });
  assert.equal(upcast('HeartbeatCreated', { heartbeat_id: 'a', heartbeat: { name: 'Backup' } }, 1, 2), {
    heartbeat_id: 'a',
    heartbeat: { name: 'Backup', tags: [] },
  });
});

test('upcasting an incident event removes fields that only helped read models to find documents', () => {
  const ids = { incident_id: 'a', page_id: 'p' };
  const hints = { touched: ['api'], incident_update_ids: ['u1'] };
  for (const [type, version] of [
    ['IncidentStatusChanged', 2],
    ['IncidentUpdateAppended', 2],
    ['IncidentUpdateEdited', 1],
    ['IncidentUpdateRemoved', 1],
    ['IncidentDeleted', 1],
  ] as const) {
    assert.equal(upcast(type, { ...ids, ...hints }, version, version + 1), ids, type);
  }
});

test('upcasting an API key event does not change the role', () => {
  for (const role of ['viewer', 'editor', 'admin', 'billing']) {
    assert.equal(upcast('ApiKeyCreated', { api_key_id: 'key1', role }, 1, 2), { api_key_id: 'key1', role });
  }
});

test('upcasting an API key event without a user adds no user and allows any address', () => {
  assert.equal(upcast('ApiKeyCreated', { api_key_id: 'key1' }, 2, 3), {
    api_key_id: 'key1',
    created_by: null,
    created_by_key: null,
    allowed_ips: [],
  });
});

test.run();
