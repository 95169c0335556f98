import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { IncidentDocument } from '../../../projections/incidents/documents.ts';
import { incidents } from '../../../projections/incidents/projection.ts';
import {
  appended,
  at,
  changed,
  deleted,
  drafted,
  edited,
  logged,
  moved,
  of,
  opened,
  reminded,
  PREVIEW,
  published,
  removed,
  schedule,
  scheduled,
  unpublished,
  update,
  withheld,
} from '../../domain/incident/examples.ts';
import { PAGE } from '../../domain/page/examples.ts';
import type { Fact } from '../history.ts';
import { projection, projectionRules } from '../specification.ts';

const test = suite('the read model of incidents');

const first = {
  id: 'u1',
  incident_id: 'incident',
  body: 'It is 10:00.',
  status: 'investigating' as const,
  components: { api: 'major_outage' as const },
  deliver_notifications: true,
  display_at: at('10:00'),
  created_at: at('10:00'),
  updated_at: at('10:00'),
  withheld_at: null,
};
const resolved = update('u2', '11:00', { status: 'resolved', components: { web: 'operational' } });

const document = async (...facts: Fact[]): Promise<IncidentDocument> => {
  const found = await projection(incidents)
    .given(...facts)
    .document('incidents', 'incident');
  if (!found) throw new Error('There is no incident.');
  return found;
};
const documentAfter = async (...facts: Fact[]) => {
  const { status, monitoring_at, resolved_at } = await document(...facts);
  return { status, monitoring_at, resolved_at };
};

test('a new incident has all its fields', () =>
  projection(incidents)
    .given(opened())
    .then('incidents', {
      id: 'incident',
      organization_id: 'org000000001',
      page_id: PAGE,
      kind: 'regular',
      name: 'No answer',
      status: 'investigating',
      impact: 'critical',
      metadata: null,
      component_ids: ['api'],
      incident_updates: [first],
      monitoring_at: null,
      resolved_at: null,
      postmortem_body: null,
      postmortem_body_last_updated_at: null,
      postmortem_published_at: null,
      scheduled_for: null,
      scheduled_until: null,
      scheduled_remind_prior: false,
      reminder_intervals: null,
      scheduled_reminded_at: null,
      scheduled_auto_in_progress: false,
      scheduled_auto_completed: false,
      auto_transition_to_maintenance_state: false,
      auto_transition_to_operational_state: false,
      auto_transition_deliver_notifications_at_start: false,
      auto_transition_deliver_notifications_at_end: false,
      created_at: at('10:00'),
      updated_at: at('10:00'),
      facts: [
        {
          update_id: 'u1',
          at: at('10:00'),
          status: 'investigating',
          status_sent: true,
          components: { api: 'major_outage' },
          switches: null,
          past: false,
        },
      ],
      changed_position: 10,
    }));

test('a maintenance has its schedule', async () => {
  const maintenance = await document(scheduled({ reminder_intervals: '1d, 2h', scheduled_auto_completed: true }));
  assert.is(maintenance.kind, 'maintenance');
  assert.is(maintenance.status, 'scheduled');
  assert.is(maintenance.scheduled_for, schedule.scheduled_for);
  assert.is(maintenance.reminder_intervals, '1d, 2h');
  assert.is(maintenance.scheduled_auto_completed, true);
  assert.equal(maintenance.component_ids, ['api', 'web']);
});

test("changes of an incident's fields are stored", async () => {
  const incident = await document(
    opened(),
    changed('10:30', { name: 'Slow', impact: 'minor', metadata: { a: 1 } }, { name: 'No answer' }),
  );
  assert.equal(
    [incident.name, incident.impact, incident.metadata, incident.updated_at, incident.created_at],
    ['Slow', 'minor', { a: 1 }, at('10:30'), at('10:00')],
  );
});

test('updates are stored newest first, with the components that they have affected', async () => {
  const incident = await document(opened(), appended(resolved));
  assert.equal(
    incident.incident_updates.map(({ id }) => id),
    ['u2', 'u1'],
  );
  assert.equal(incident.component_ids, ['api', 'web']);
  assert.is(incident.updated_at, at('11:00'));
});

test('the status and the times of an incident follow from its updates and status changes', async () => {
  const monitoring = moved('10:30', 'investigating', 'monitoring');
  assert.equal(await documentAfter(opened(), monitoring), {
    status: 'monitoring',
    monitoring_at: at('10:30'),
    resolved_at: null,
  });
  assert.equal(await documentAfter(opened(), monitoring, appended(resolved)), {
    status: 'resolved',
    monitoring_at: at('10:30'),
    resolved_at: at('11:00'),
  });
  assert.equal(await documentAfter(opened(), appended(resolved), removed(resolved, '12:00')), {
    status: 'investigating',
    monitoring_at: null,
    resolved_at: null,
  });
});

test('an edited incident update has its new state', async () => {
  const edit = edited(
    'u2',
    '12:00',
    { body: 'Better.', created_at: at('09:30'), components: { db: 'operational' } },
    {},
  );
  const incident = await document(opened(), appended(resolved), edit);
  assert.equal(incident.incident_updates[1], {
    ...first,
    id: 'u2',
    body: 'Better.',
    status: 'resolved',
    components: { db: 'operational' },
    display_at: at('09:30'),
    created_at: at('09:30'),
    updated_at: at('12:00'),
  });
  assert.equal(incident.component_ids, ['api', 'db']);
  assert.equal([incident.created_at, incident.updated_at], [at('10:00'), at('12:00')]);
});

test('an incident that was resolved by its first update is resolved from then on', async () => {
  const past = logged(
    update('u1', '08:00', { components: { api: 'partial_outage' } }),
    update('u2', '09:00', { status: 'resolved' }),
  );
  const incident = await document(past);
  assert.equal(
    [incident.created_at, incident.resolved_at, incident.updated_at, incident.impact],
    [at('08:00'), at('09:00'), at('12:00'), 'minor'],
  );
  const moved = edited('u1', '13:00', { created_at: at('07:00') }, { created_at: at('08:00') });
  assert.is((await document(past, moved)).created_at, at('08:00'));
});

test('an incident is found by the components that it names', async () => {
  const facts = [opened(), appended(resolved)];
  const link = (component_id: string) => ({
    id: `incident:${component_id}`,
    page_id: PAGE,
    component_id,
    incident_id: 'incident',
    kind: 'regular' as const,
    created_at: at('10:00'),
  });
  await projection(incidents)
    .given(...facts)
    .then('incident_components', [link('api'), link('web')]);
  await projection(incidents)
    .given(...facts, removed(resolved, '12:00'))
    .then('incident_components', [link('api')]);
});

test('incident updates are counted at the times that users have set for them', async () => {
  const counted = (id: string, clock: string) => ({
    id,
    page_id: PAGE,
    incident_id: 'incident',
    created_at: at(clock),
  });
  const facts = [opened(), appended(resolved), edited('u2', '12:00', { created_at: at('09:00') }, {})];
  await projection(incidents)
    .given(...facts)
    .then('incident_updates', [counted('u1', '10:00'), counted('u2', '09:00')]);
  await projection(incidents)
    .given(...facts, removed(resolved, '12:00'))
    .then('incident_updates', [counted('u1', '10:00')]);
});

test('a deleted incident is removed together with its entries in other collections', async () => {
  const facts = [opened(), appended(resolved), deleted('12:00')];
  for (const collection of ['incidents', 'incident_components', 'incident_updates'] as const) {
    await projection(incidents)
      .given(...facts)
      .thenNone(collection);
  }
});

test('the time of a maintenance’s newest reminder is stored', async () => {
  assert.is((await document(scheduled())).scheduled_reminded_at, null);
  const { scheduled_reminded_at, updated_at } = await document(
    scheduled(),
    reminded('18:00', '2h'),
    reminded('19:00', '1h'),
  );
  assert.equal([scheduled_reminded_at, updated_at], [at('19:00'), at('19:00')]);
});

const draft = { body_draft: 'A disk was full.', notify_subscribers: true };
const better = { ...draft, body_draft: 'Two disks were full.' };

test('a postmortem has its draft, which its incident does not show', async () => {
  const history = [opened(), drafted('11:00', draft, null)];
  await projection(incidents)
    .given(...history)
    .then('postmortems', {
      id: 'incident',
      postmortem_id: 'p1',
      body: null,
      ...draft,
      body_draft_updated_at: at('11:00'),
      body_updated_at: null,
      preview_key: PREVIEW,
      published_at: null,
      created_at: at('11:00'),
      updated_at: at('11:00'),
    });
  const { postmortem_body, updated_at } = await document(...history);
  assert.equal([postmortem_body, updated_at], [null, at('10:00')]);
});

test('an incident shows its published postmortem until a new draft is published', async () => {
  const shown = async (...facts: Fact[]) => {
    const { postmortem_body, postmortem_body_last_updated_at, postmortem_published_at, updated_at } = await document(
      opened(),
      drafted('11:00', draft, null),
      published('12:00', draft.body_draft),
      ...facts,
    );
    return [postmortem_body, postmortem_body_last_updated_at, postmortem_published_at, updated_at];
  };
  assert.equal(await shown(), [draft.body_draft, at('12:00'), at('12:00'), at('12:00')]);
  assert.equal(await shown(unpublished('13:00')), [null, null, null, at('13:00')]);
  const redrafted = drafted('13:00', better, draft);
  assert.equal(await shown(redrafted), [draft.body_draft, at('12:00'), at('12:00'), at('12:00')]);
  const again = await shown(redrafted, published('14:00', better.body_draft));
  assert.equal(again, [better.body_draft, at('14:00'), at('14:00'), at('14:00')]);
  const same = await shown(drafted('13:00', draft, draft), published('14:00', draft.body_draft));
  assert.equal(same, [draft.body_draft, at('12:00'), at('14:00'), at('14:00')]);
});

test('the time of the newest change of a postmortem’s draft is stored', async () => {
  const changedAt = async (...facts: Fact[]) => {
    const found = await projection(incidents)
      .given(opened(), drafted('11:00', draft, null), ...facts)
      .document('postmortems', 'incident');
    return [found?.body_draft_updated_at, found?.updated_at];
  };
  assert.equal(await changedAt(drafted('12:00', better, draft)), [at('12:00'), at('12:00')]);
  const untold = { ...draft, notify_subscribers: false };
  assert.equal(await changedAt(drafted('12:00', untold, draft)), [at('11:00'), at('12:00')]);
  assert.equal(await changedAt(published('12:00', draft.body_draft)), [at('11:00'), at('12:00')]);
  const redrafted = [published('12:00', draft.body_draft), drafted('13:00', draft, draft)];
  assert.equal(await changedAt(...redrafted), [at('13:00'), at('13:00')]);
});

test('of a deleted maintenance, only its times remain stored, and only if it was deleted before its end; of other deleted incidents nothing remains', async () => {
  const left = (...facts: Fact[]) =>
    projection(incidents)
      .given(...facts, deleted('12:00'))
      .document('cancelled_maintenances', 'incident');
  const { scheduled_for, scheduled_until } = schedule;
  assert.equal(await left(scheduled()), {
    id: 'incident',
    page_id: PAGE,
    scheduled_for,
    scheduled_until,
    created_at: at('10:00'),
    deleted_at: at('12:00'),
  });
  assert.not.ok(await left(opened()));
  assert.not.ok(await left(scheduled(), appended(update('u2', '11:00', { status: 'completed' }))));
});

test('the postmortem of a deleted incident is removed', async () => {
  const left = await projection(incidents)
    .given(opened(), drafted('11:00', draft, null), deleted('12:00'))
    .document('postmortems', 'incident');
  assert.not(left);
});

test('a withheld text is stored for readers with an API key, until an edit replaces it', async () => {
  const moved = edited('u1', '12:10', { created_at: at('09:00') }, { created_at: at('10:00') });
  const reworded = edited('u1', '12:20', { body: 'No answer.' }, { body: 'It is 10:00.' });
  const texts = async (...facts: Fact[]) =>
    (await document(opened(), withheld('u1', '12:00'), ...facts)).incident_updates.map(
      ({ body, withheld_at, updated_at }) => ({ body, withheld_at, updated_at }),
    );
  const withheldText = { body: 'It is 10:00.', withheld_at: at('12:00') };
  assert.equal(await texts(), [{ ...withheldText, updated_at: at('12:00') }]);
  assert.equal(await texts(moved), [{ ...withheldText, updated_at: at('12:10') }]);
  assert.equal(await texts(moved, reworded), [{ body: 'No answer.', withheld_at: null, updated_at: at('12:20') }]);
  assert.is((await document(opened(), withheld('u1', '12:00'))).updated_at, at('12:00'));
});

test.run();

projectionRules(incidents, [
  opened(),
  of('maintenance', scheduled()),
  of('past', logged(update('p1', '08:00', { status: 'resolved', components: { web: 'partial_outage' } }))),
  changed('10:10', { name: 'Slow' }, { name: 'No answer' }),
  of('maintenance', changed('10:10', { scheduled_for: at('21:00') }, { scheduled_for: at('20:00') })),
  appended(update('u3', '10:30', { components: { web: 'partial_outage' } })),
  appended(resolved),
  of('maintenance', reminded('10:35', '9h')),
  of('maintenance', moved('10:40', 'scheduled', 'in_progress', { web: 'under_maintenance' })),
  edited('u2', '12:00', { created_at: at('10:10') }, { created_at: at('11:00') }),
  withheld('u2', '12:05'),
  removed(resolved, '12:10'),
  withheld('u2', '12:10'),
  drafted('12:11', draft, null),
  of('maintenance', drafted('12:11', draft, null)),
  published('12:12', draft.body_draft),
  drafted('12:13', better, draft),
  unpublished('12:14'),
  deleted('12:20'),
]);
