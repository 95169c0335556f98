import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { canBePreviewed, newIncidentBody, newUpdateBody } from '../../../console/screens/incident/editor/bodies.ts';
import {
  emptyDraft,
  isWritten,
  updateDraft,
  withComponent,
  withStatus,
  withTemplate,
} from '../../../console/screens/incident/editor/draft.ts';
import { statusChangesOf } from '../../../console/screens/incident/component-changes.ts';
import { fieldsOfIncident } from '../../../console/screens/incident-templates/fields.ts';

const test = suite('incident drafts');

const named = [
  { id: 'shop', status: 'major_outage' },
  { id: 'api', status: 'operational' },
] as const;

test('choosing a final status in an incident draft sets its components to operational, and choosing a status that is not final undoes that', () => {
  const draft = emptyDraft('incident');
  const resolved = withStatus(draft, 'resolved', named);
  assert.equal(resolved, { status: 'resolved', components: { shop: 'operational' }, recovered: ['shop'] });
  assert.equal(withStatus(resolved, 'monitoring', named), { status: 'monitoring', components: {}, recovered: [] });
});

test('an incident draft keeps component statuses that were chosen manually', () => {
  const chosen = withComponent(emptyDraft('incident'), 'shop', 'degraded_performance');
  const resolved = withStatus(chosen, 'resolved', named);
  assert.equal(resolved.components, { shop: 'degraded_performance' });
  const changed = withComponent(withStatus(emptyDraft('incident'), 'resolved', named), 'shop', 'partial_outage');
  assert.equal(withStatus(changed, 'monitoring', named).components, { shop: 'partial_outage' });
  assert.equal(withComponent(chosen, 'shop', null).components, {});
});

test('a draft is converted to the request body of an incident whose notifications are delayed by ten seconds', () => {
  const draft = { ...emptyDraft('incident'), name: ' Outage ', body: 'Text' };
  assert.equal(newIncidentBody(draft, 'incident'), {
    name: 'Outage',
    body: 'Text',
    status: 'investigating',
    components: {},
    deliver_notifications: true,
    notification_delay: 10,
  });
  assert.is(newIncidentBody({ ...draft, impact: 'minor' }, 'incident').impact, 'minor');
});

test('a draft is converted to the request body of a maintenance with its schedule', () => {
  const draft = {
    ...emptyDraft('maintenance'),
    name: 'Upgrade',
    body: 'Text',
    scheduled_for: '2026-11-29T01:00:00',
    scheduled_until: '2026-11-29T02:00:00',
    reminder_intervals: ' ',
  };
  const body = newIncidentBody(draft, 'maintenance');
  assert.is(body.status, 'scheduled');
  assert.is(body.reminder_intervals, null);
  assert.is(body.scheduled_auto_in_progress, true);
  assert.is(canBePreviewed(draft, 'maintenance', true), true);
  assert.is(canBePreviewed({ ...draft, scheduled_until: draft.scheduled_for }, 'maintenance', true), false);
});

test('a draft is converted to the request body of an incident update without empty fields', () => {
  const draft = updateDraft({ status: 'identified', scheduled_for: null });
  assert.equal(newUpdateBody(draft), { status: 'identified', deliver_notifications: true, notification_delay: 10 });
  assert.is(canBePreviewed(draft, 'incident', false), false);
  assert.is(canBePreviewed({ ...draft, body: 'x' }, 'incident', false), true);
});

test('an incident draft counts as edited if it differs from its initial values', () => {
  const before = updateDraft({ status: 'identified', scheduled_for: null });
  assert.is(isWritten({ ...before, components: {} }, before), false);
  assert.is(isWritten({ ...before, body: 'x' }, before), true);
});

test('applying a template to an incident draft skips empty fields, and components that the page no longer has', () => {
  const template = {
    id: 't',
    name: 'Payments',
    page_id: 'p',
    kind: 'incident',
    incident_name: 'Card payments fail',
    status: null,
    impact: null,
    body: null,
    components: { shop: 'partial_outage', gone: 'major_outage' },
    deliver_notifications: false,
    managed_by: null,
    revision: 1,
    created_at: '',
    updated_at: '',
  } as const;
  const draft = withTemplate({ ...emptyDraft('incident'), body: 'Mine' }, template, new Set(['shop']));
  assert.equal(
    [draft.name, draft.body, draft.status, draft.components, draft.deliver_notifications],
    ['Card payments fail', 'Mine', 'investigating', { shop: 'partial_outage' }, false],
  );
});

const incident = {
  id: 'i',
  page_id: 'p',
  name: 'n'.repeat(150),
  scheduled_for: null,
  components: [{ id: 'shop' }],
  incident_updates: [
    { status: 'resolved', body: 'Over.', created_at: '3', components: { shop: 'operational' } },
    { status: 'identified', body: 'A disk.', created_at: '2', components: { shop: 'major_outage' } },
    {
      status: 'investigating',
      body: 'Looking.',
      created_at: '1',
      components: { shop: 'major_outage', gone: 'operational' },
    },
  ],
} as never;

test('a template that is created from an incident contains the first update of the incident', () => {
  const fields = fieldsOfIncident(incident);
  assert.is(fields.name.length, 100);
  assert.equal(
    [fields.status, fields.body, fields.components],
    ['investigating', 'Looking.', { shop: 'major_outage' }],
  );
});

test('the statuses of a component in an incident are listed without repetitions', () => {
  assert.equal(statusChangesOf(incident).get('shop'), [
    { at: '1', status: 'major_outage' },
    { at: '3', status: 'operational' },
  ]);
});

test.run();
