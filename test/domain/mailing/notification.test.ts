import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { IncidentEvent } from '../../../domain/incident/events.ts';
import { evolveFacts, type IncidentFact } from '../../../domain/incident/facts.ts';
import type { UpdateFields } from '../../../domain/incident/fields.ts';
import type { IncidentStatus } from '../../../domain/incident/statuses.ts';
import {
  notificationOf,
  type NotifyingEvent,
  type IncidentNotification,
} from '../../../domain/mailing/notifying-events.ts';
import { recorded } from '../../projections/history.ts';
import {
  appended,
  at,
  edited,
  logged,
  moved,
  opened,
  published,
  reminded,
  removed,
  scheduled,
  setManually,
  update,
} from '../incident/examples.ts';
import { componentUpdated, PAGE } from '../page/examples.ts';

const test = suite('notifications of events');

const identical = (fact: IncidentFact): IncidentFact => fact;

/** Returns the notification that the last of the given incident events causes. */
const lastNotification = (...events: IncidentEvent[]): IncidentNotification | null => {
  const all = recorded(events) as unknown as NotifyingEvent[];
  const last = all.pop();
  assert.ok(last);
  const before = all.reduce<readonly IncidentFact[]>(
    (facts, event) => evolveFacts(facts, event as IncidentEvent, identical),
    [],
  );
  return notificationOf(last, before);
};

const silent = { deliver_notifications: false };
const named = (...events: IncidentEvent[]): string | null => lastNotification(...events)?.event ?? null;

test('a created incident notifies subscribers with its first update unless that is disabled', () => {
  assert.equal(lastNotification(opened()), {
    event: 'incident.created',
    page_id: PAGE,
    at: at('10:00'),
    incident: {
      id: 'incident',
      update_id: 'u1',
      status: 'investigating',
      components: { api: 'major_outage' },
      scheduled_for: null,
    },
    component: null,
  });
  assert.is(named(opened({ status: 'resolved' })), 'incident.created');
  assert.is(named(opened(silent)), null);
});

test('a scheduled maintenance notifies subscribers', () => {
  assert.is(named(scheduled()), 'incident.created');
  assert.is(lastNotification(scheduled())?.incident?.status, 'scheduled');
});

test('a past incident notifies subscribers only on request, with its last update', () => {
  const updates = [update('p1', '08:00'), update('p2', '09:00', { status: 'resolved' })];
  const past = lastNotification(logged(...updates));
  assert.equal(
    [past?.event, past?.at, past?.incident?.update_id, past?.incident?.status],
    ['incident.created', at('09:00'), 'p2', 'resolved'],
  );
  assert.is(named(logged(...updates.map((each) => ({ ...each, ...silent })))), null);
});

/**
 * Returns the name of the notification of an update that changes an incident from one status to another. `to` is null
 * for an update without a status.
 */
const updated = (from: IncidentStatus, to: IncidentStatus | null, more: Partial<UpdateFields> = {}): string | null => {
  const isMaintenance = ['scheduled', 'in_progress', 'verifying', 'completed'].includes(from);
  const begun = isMaintenance ? scheduled() : opened();
  const before = appended(update('u2', '11:00', { status: from }));
  const sentStatus = to === null ? { status: from, status_sent: false } : { status: to };
  return named(begun, before, appended(update('u3', '12:00', { ...sentStatus, ...more })));
};

test('the notification about an update is named after the effect of the update', () => {
  assert.is(updated('investigating', 'identified'), 'incident.updated');
  assert.is(updated('investigating', null), 'incident.updated');
  assert.is(updated('monitoring', 'resolved'), 'incident.resolved');
  assert.is(updated('resolved', 'resolved'), 'incident.updated');
  assert.is(updated('resolved', 'investigating'), 'incident.updated');
  assert.is(updated('scheduled', 'scheduled'), 'incident.updated');
  assert.is(updated('scheduled', 'in_progress'), 'maintenance.started');
  assert.is(updated('scheduled', 'verifying'), 'maintenance.started');
  assert.is(updated('in_progress', null), 'incident.updated');
  assert.is(updated('in_progress', 'verifying'), 'incident.updated');
  assert.is(updated('verifying', 'in_progress'), 'incident.updated');
  assert.is(updated('in_progress', 'completed'), 'maintenance.completed');
  assert.is(updated('scheduled', 'completed'), 'maintenance.completed');
  assert.is(updated('completed', 'completed'), 'incident.updated');
  assert.is(updated('completed', 'in_progress'), 'maintenance.started');
  assert.is(updated('monitoring', 'resolved', silent), null);
});

test("the name of an update's notification takes edits of earlier updates into account", () => {
  const wrong = update('u2', '11:00', { status: 'resolved' });
  const again = appended(update('u3', '12:00', { status: 'resolved' }));
  assert.is(named(opened(), appended(wrong), removed(wrong, '11:30'), again), 'incident.resolved');
  const earlier = edited('u2', '11:30', { created_at: at('09:00') }, { created_at: at('11:00') });
  assert.is(named(opened(), appended(wrong), earlier, again), 'incident.resolved');
});

test('a status change without an update notifies subscribers only if it starts or ends a maintenance', () => {
  const start = lastNotification(scheduled(), moved('20:00', 'scheduled', 'in_progress'));
  assert.equal([start?.event, start?.at, start?.incident?.update_id], ['maintenance.started', at('20:00'), null]);
  assert.is(named(scheduled(), moved('20:00', 'in_progress', 'completed')), 'maintenance.completed');
  assert.is(named(opened(), moved('11:00', 'investigating', 'resolved')), null);
  assert.is(named(scheduled(), moved('20:00', 'in_progress', 'verifying')), null);
});

test('a notification contains all components that the incident has named so far, with their newest statuses', () => {
  const more = update('u2', '11:00', { components: { web: 'partial_outage' } });
  const better = update('u3', '12:00', { components: { api: 'operational' } });
  assert.equal(lastNotification(opened(), appended(more), appended(better))?.incident?.components, {
    api: 'operational',
    web: 'partial_outage',
  });
});

test('a reminder contains the start of its maintenance', () => {
  const reminder = lastNotification(scheduled(), reminded('19:00', '1h'));
  assert.equal(
    [reminder?.event, reminder?.at, reminder?.incident?.scheduled_for, reminder?.incident?.status],
    ['maintenance.reminder', at('19:00'), at('20:00'), 'scheduled'],
  );
});

test('a published postmortem notifies subscribers if requested', () => {
  const postmortem = lastNotification(
    opened(),
    appended(update('u2', '11:00', { status: 'resolved' })),
    published('12:00', 'Why.'),
  );
  assert.equal(
    [postmortem?.event, postmortem?.at, postmortem?.incident?.update_id, postmortem?.incident?.status],
    ['postmortem.published', at('12:00'), null, 'resolved'],
  );
  assert.is(named(opened(), published('12:00', 'Why.', false)), null);
});

test('a component status set by hand notifies subscribers if it differs from the previous status', () => {
  const [event, same, other] = recorded([
    setManually('api', '12:00', 'major_outage', 'operational'),
    setManually('api', '12:00', 'operational', 'operational'),
    componentUpdated('api', { name: 'API' }, { name: 'Api' }),
  ]) as unknown as NotifyingEvent[];
  assert.ok(event && same && other);
  assert.equal(notificationOf(event, []), {
    event: 'component.status_changed',
    page_id: PAGE,
    at: at('12:00'),
    incident: null,
    component: { id: 'api', old_status: 'operational', new_status: 'major_outage' },
  });
  assert.is(notificationOf(same, []), null);
  assert.is(notificationOf(other, []), null);
});

test.run();
