import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isTold, type Receiving, type ToldOnPage } from '../../../domain/mailing/audience.ts';
import type { Told } from '../../../domain/mailing/notification.ts';
import { at } from '../incident/examples.ts';
import { PAGE, pageFields } from '../page/examples.ts';

const test = suite('recipients of notifications');

const incident: Told = {
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
const component: Told = {
  event: 'component.status_changed',
  page_id: PAGE,
  at: at('10:00'),
  incident: null,
  component: { id: 'api', old_status: 'operational', new_status: 'major_outage' },
};

const POSITION = 100;
const subscription = (more: Partial<Receiving> = {}): Receiving => ({
  mode: 'email',
  receives: true,
  verified_position: 50,
  added_with_key: false,
  component_ids: null,
  incident_id: null,
  ...more,
});
const onPage = (more: Partial<ToldOnPage> = {}): ToldOnPage => ({
  told: incident,
  position: POSITION,
  page: { ...pageFields({ allow_sms_subscribers: true }), passwords: [] },
  components: new Set(['api', 'group']),
  ...more,
});

test('an event notifies subscribers who were confirmed before it', () => {
  assert.ok(isTold(subscription(), onPage()));
  assert.ok(isTold(subscription({ verified_position: POSITION }), onPage()));
  assert.not(isTold(subscription({ verified_position: POSITION + 1 }), onPage()));
  assert.not(isTold(subscription({ verified_position: null }), onPage()));
  assert.not(isTold(subscription({ receives: false }), onPage()));
});

test('an event of components notifies subscribers of one of them or its group', () => {
  assert.ok(isTold(subscription({ component_ids: ['web', 'api'] }), onPage()));
  assert.ok(isTold(subscription({ component_ids: ['group'] }), onPage()));
  assert.not(isTold(subscription({ component_ids: ['web'] }), onPage()));
  assert.not(isTold(subscription({ component_ids: ['web'] }), onPage({ components: new Set() })));
});

test('an event of an incident notifies subscribers of the incident or the page', () => {
  assert.ok(isTold(subscription({ incident_id: 'incident' }), onPage()));
  assert.not(isTold(subscription({ incident_id: 'other' }), onPage()));
  assert.not(isTold(subscription({ incident_id: 'other', mode: 'webhook' }), onPage({ told: component })));
});

test('a component status set by hand notifies webhooks only', () => {
  assert.ok(isTold(subscription({ mode: 'webhook' }), onPage({ told: component })));
  assert.not(isTold(subscription({ mode: 'email' }), onPage({ told: component })));
  assert.not(isTold(subscription({ mode: 'sms' }), onPage({ told: component })));
});

test('an event notifies no subscribers of a kind that the page does not allow at present', () => {
  const without = (fields: Parameters<typeof pageFields>[0]): ToldOnPage =>
    onPage({ page: { ...pageFields(fields), passwords: [] } });
  assert.not(isTold(subscription(), without({ allow_email_subscribers: false })));
  assert.not(isTold(subscription({ mode: 'sms' }), without({ allow_sms_subscribers: false })));
  assert.not(isTold(subscription({ mode: 'webhook' }), without({ allow_webhook_subscribers: false })));
  assert.not(isTold(subscription(), without({ allow_page_subscribers: false })));
  assert.not(isTold(subscription({ incident_id: 'incident' }), without({ allow_incident_subscribers: false })));
  assert.ok(isTold(subscription({ incident_id: 'incident' }), without({ allow_page_subscribers: false })));
});

test('an event of a page that is not public notifies only subscribers added with an API key', () => {
  const passwords = [{ id: 'password0001', active: true, expires_at: null, revision: 1 }];
  for (const closed of [{ viewers_must_be_team_members: true }, { ip_restrictions: '192.0.2.0/24' }, { passwords }]) {
    const page = { ...pageFields(), passwords: [], ...closed };
    assert.not(isTold(subscription(), onPage({ page })));
    assert.ok(isTold(subscription({ added_with_key: true }), onPage({ page })));
  }
});

test.run();
