import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  ANY_ID,
  audienceOf,
  ChangeList,
  changesOf,
  receives,
  permissionOf,
  type ResourceChange,
} from '../../../../api/v1/events/changes.ts';
import { mayOf } from '../../../../api/permissions.ts';
import { definitionOf, type EventType } from '../../../../domain/event-types.ts';
import type { RecordedEvent } from '../../../../domain/event.ts';
import { goldenEvents } from '../../../golden/golden.ts';

const test = suite('changes of resources by event');

const changesFrom = (type: EventType, data: object): string[] =>
  changesOf({ type, data, metadata: {} } as unknown as RecordedEvent).map(shown);

const shown = ({ resource, id, page_id, change }: ResourceChange): string =>
  `${resource} ${id === ANY_ID ? 'ANY' : id} ${change}${page_id === null ? '' : ` of ${page_id}`}`;

test('events of checks, heartbeats and jobs are reported as changes of these resources', () => {
  assert.equal(changesFrom('CheckWentDown', { check_id: 'c' }), ['check c changed']);
  assert.equal(changesFrom('CheckDeleted', { check_id: 'c' }), ['check c deleted']);
  assert.equal(changesFrom('HeartbeatRecovered', { heartbeat_id: 'h' }), ['heartbeat h changed']);
  assert.equal(changesFrom('JobQueued', { job_id: 'j', check_id: 'c' }), ['job j created']);
  assert.equal(changesFrom('JobCompleted', { job_id: 'j' }), ['job j changed']);
  assert.equal(changesFrom('AlertFired', { alert_id: 'a', title: 'Down' }), ['alert a created']);
});

test('events of incidents are also reported as changes of components, and events of parts of an incident as changes of the incident', () => {
  const update = { body: '', status: 'investigating', components: { x: 'major_outage' } };
  const ids = { page_id: 'p', incident_id: 'i' };
  assert.equal(changesFrom('IncidentOpened', { ...ids, incident: { name: 'Down' }, update }), [
    'incident i created of p',
    'component x changed of p',
  ]);
  assert.equal(changesFrom('PostmortemPublished', { ...ids, postmortem_id: 'm', body: '', notify_subscribers: true }), [
    'incident i changed of p',
  ]);
  assert.equal(changesFrom('IncidentUpdateTextWithheld', { ...ids, incident_update_id: 'u', withheld_at: '' }), [
    'incident i changed of p',
  ]);
});

test('pausing or deleting a check group is reported as a change of any checks', () => {
  const group = { check_group_id: 'g' };
  assert.equal(changesFrom('CheckGroupUpdated', { ...group, changes: { name: 'x' }, previous: { name: 'y' } }), [
    'check_group g changed',
  ]);
  assert.equal(changesFrom('CheckGroupUpdated', { ...group, changes: { active: false }, previous: { active: true } }), [
    'check_group g changed',
    'check ANY changed',
  ]);
  assert.equal(changesFrom('CheckGroupDeleted', group), ['check_group g deleted', 'check ANY changed']);
});

test('events that record a read or a test are not reported as changes', () => {
  assert.equal(changesFrom('SecretValueRead', { secret_id: 's' }), []);
  assert.equal(changesFrom('SessionStarted', { session_id: 's', user_id: 'u', methods: [] }), []);
});

test('every event is reported as a change only of resources that some permission can read', () => {
  for (const event of goldenEvents().values()) {
    // Older versions are upcast to the current one.
    if (event.metadata.schema_version !== definitionOf(event.type)?.version) continue;
    for (const { resource, id } of changesOf(event as unknown as RecordedEvent)) {
      assert.ok(permissionOf(resource), `${event.type}: ${resource}`);
      assert.type(id, 'string', event.type);
    }
  }
});

test('changes are sent only to callers who may read the resource', () => {
  const [viewer, editor, admin, billing] = ['viewer', 'editor', 'admin', 'billing'].map((role) =>
    audienceOf(mayOf(role)),
  );
  assert.is(viewer, editor);
  for (const [resource, audience, expected] of [
    ['check', viewer, true],
    ['payment', viewer, false],
    ['payment', billing, true],
    ['api_key', billing, false],
    ['api_key', admin, true],
    ['no_such_thing', admin, false],
  ] as const)
    assert.is(receives(audience ?? '', resource), expected, resource);
  assert.not(receives(audienceOf(mayOf(null)), 'check'));
});

test('several changes of a resource are merged, and resources are ordered by their last changes', () => {
  const list = new ChangeList();
  const check = (id: string, change: ResourceChange['change']): ResourceChange => ({
    resource: 'check',
    id,
    page_id: null,
    change,
  });
  list.add([check('a', 'created'), check('b', 'changed'), check('a', 'changed'), check('c', 'changed')]);
  list.add([check('c', 'deleted'), check('b', 'changed')]);
  assert.equal(list.list().map(shown), ['check a created', 'check c deleted', 'check b changed']);
});

test.run();
