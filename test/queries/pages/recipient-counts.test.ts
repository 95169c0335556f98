import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isNotified, type PageNotification } from '../../../domain/mailing/audience.ts';
import { subscribers } from '../../../projections/subscribers/projection.ts';
import { countRecipients } from '../../../queries/pages/recipient-counts.ts';
import type { EventData } from '../../../domain/event-types.ts';
import { at } from '../../domain/incident/examples.ts';
import { pageFields, PAGE } from '../../domain/page/examples.ts';
import { subscriberAdded } from '../../domain/subscriber/examples.ts';
import type { Fact } from '../../projections/history.ts';
import { scopeOf } from '../engine/scope.ts';

const test = suite('the number of recipients');

type Added = Partial<EventData['SubscriberAdded']>;

/** Returns events of subscriptions with every combination of the properties that the notification rule depends on. */
const everyKind = (): Fact[] => {
  const facts: Fact[] = [];
  for (const mode of ['email', 'sms', 'webhook'] as const)
    for (const component_ids of [null, ['api'], ['web', 'group'], ['other'], []])
      for (const incident_id of [null, 'incident', 'another'])
        for (const added_with_key of [true, false])
          for (const verified of [true, false])
            for (const deliver_notifications of [true, false]) {
              const id = `sub${facts.length.toString().padStart(9, '0')}`;
              const more: Added = { mode, component_ids, incident_id, added_with_key, verified, deliver_notifications };
              const added = subscriberAdded({ ...more, subscriber_id: id, page_id: PAGE });
              facts.push({ ...added, stream: `subscriber-${id}` });
            }
  return facts;
};

const notification = (more: Partial<PageNotification> = {}): PageNotification => ({
  told: {
    event: 'incident.created',
    page_id: PAGE,
    at: at('10:00'),
    incident: { id: 'incident', update_id: 'u1', status: 'investigating', components: {}, scheduled_for: null },
    component: null,
  },
  position: Number.MAX_SAFE_INTEGER,
  page: { ...pageFields(), passwords: [] },
  components: new Set(['api', 'web']),
  ...more,
});

const CASES: Record<string, PageNotification> = {
  'of an open page': notification(),
  'that names no components': notification({ components: new Set() }),
  'of a page for members': notification({ page: { ...notification().page, viewers_must_be_team_members: true } }),
  'of a page that allows SMS but not e-mail': notification({
    page: { ...notification().page, allow_sms_subscribers: true, allow_email_subscribers: false },
  }),
  'of a page that allows subscriptions to incidents only': notification({
    page: { ...notification().page, allow_page_subscribers: false },
  }),
  'of a page that allows no subscriptions to incidents': notification({
    page: { ...notification().page, allow_incident_subscribers: false },
  }),
  'about a component status that was set manually': notification({
    told: {
      event: 'component.status_changed',
      page_id: PAGE,
      at: at('10:00'),
      incident: null,
      component: { id: 'api', old_status: 'operational', new_status: 'major_outage' },
    },
    components: new Set(['api']),
  }),
};

const facts = everyKind();

for (const [title, onPage] of Object.entries(CASES)) {
  test(`the counted recipients are those of the mailing ${title}`, async () => {
    const scope = scopeOf(facts);
    const expected = { email: 0, sms: 0, webhook: 0 };
    for (const one of await scope.read(subscribers).subscribers.find({}))
      if (isNotified(one, onPage)) expected[one.mode] += 1;
    assert.equal(await countRecipients(scope, onPage), expected);
  });
}

test('recipients are counted without reading subscribers', async () => {
  const scope = scopeOf(facts);
  await countRecipients(scope, notification());
  assert.equal([...new Set(scope.reads)], ['subscribers.count']);
});

test.run();
