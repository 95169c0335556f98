import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isNotified, type SubscriptionFilter, type PageNotification } from '../../../domain/mailing/audience.ts';
import type { IncidentNotification } from '../../../domain/mailing/notifying-events.ts';
import { at } from '../incident/examples.ts';
import { PAGE, pageFields } from '../page/examples.ts';

const test = suite('recipients of notifications');

const incident: IncidentNotification = {
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
};
const component: IncidentNotification = {
  event: 'component.status_changed',
  page_id: PAGE,
  at: at('10:00'),
  incident: null,
  component: { id: 'api', old_status: 'operational', new_status: 'major_outage' },
};

const POSITION = 100;
const subscription = (more: Partial<SubscriptionFilter> = {}): SubscriptionFilter => ({
  mode: 'email',
  receives: true,
  verified_position: 50,
  added_with_key: false,
  component_ids: null,
  incident_id: null,
  ...more,
});
const onPage = (more: Partial<PageNotification> = {}): PageNotification => ({
  told: incident,
  position: POSITION,
  page: { ...pageFields({ allow_sms_subscribers: true }), passwords: [] },
  components: new Set(['api', 'group']),
  ...more,
});

test('an event notifies subscribers who were confirmed before it', () => {
  assert.ok(isNotified(subscription(), onPage()));
  assert.ok(isNotified(subscription({ verified_position: POSITION }), onPage()));
  assert.not(isNotified(subscription({ verified_position: POSITION + 1 }), onPage()));
  assert.not(isNotified(subscription({ verified_position: null }), onPage()));
  assert.not(isNotified(subscription({ receives: false }), onPage()));
});

test('an event about components notifies the subscribers of any of these components or of their groups', () => {
  assert.ok(isNotified(subscription({ component_ids: ['web', 'api'] }), onPage()));
  assert.ok(isNotified(subscription({ component_ids: ['group'] }), onPage()));
  assert.not(isNotified(subscription({ component_ids: ['web'] }), onPage()));
  assert.not(isNotified(subscription({ component_ids: ['web'] }), onPage({ components: new Set() })));
});

test('an event of an incident notifies subscribers of the incident or the page', () => {
  assert.ok(isNotified(subscription({ incident_id: 'incident' }), onPage()));
  assert.not(isNotified(subscription({ incident_id: 'other' }), onPage()));
  assert.not(isNotified(subscription({ incident_id: 'other', mode: 'webhook' }), onPage({ told: component })));
});

test('a component status set by hand notifies webhooks only', () => {
  assert.ok(isNotified(subscription({ mode: 'webhook' }), onPage({ told: component })));
  assert.not(isNotified(subscription({ mode: 'email' }), onPage({ told: component })));
  assert.not(isNotified(subscription({ mode: 'sms' }), onPage({ told: component })));
});

test('an event does not notify subscribers of a kind that the page currently does not accept', () => {
  const without = (fields: Parameters<typeof pageFields>[0]): PageNotification =>
    onPage({ page: { ...pageFields(fields), passwords: [] } });
  assert.not(isNotified(subscription(), without({ allow_email_subscribers: false })));
  assert.not(isNotified(subscription({ mode: 'sms' }), without({ allow_sms_subscribers: false })));
  assert.not(isNotified(subscription({ mode: 'webhook' }), without({ allow_webhook_subscribers: false })));
  assert.not(isNotified(subscription(), without({ allow_page_subscribers: false })));
  assert.not(isNotified(subscription({ incident_id: 'incident' }), without({ allow_incident_subscribers: false })));
  assert.ok(isNotified(subscription({ incident_id: 'incident' }), without({ allow_page_subscribers: false })));
});

test('an event of a page that is not public notifies only subscribers who were added with an API key', () => {
  const passwords = [{ id: 'password0001', active: true, expires_at: null, revision: 1 }];
  for (const closed of [{ viewers_must_be_team_members: true }, { ip_restrictions: '192.0.2.0/24' }, { passwords }]) {
    const page = { ...pageFields(), passwords: [], ...closed };
    assert.not(isNotified(subscription(), onPage({ page })));
    assert.ok(isNotified(subscription({ added_with_key: true }), onPage({ page })));
  }
});

test.run();
