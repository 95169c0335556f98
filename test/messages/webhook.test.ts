import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { composeWebhook } from '../../messages/webhook.ts';
import { noticeOf, plainPage } from './notices.ts';

const test = suite('bodies of webhooks');
const NOW = '2026-11-20T15:04:06.000000';
const page = {
  id: 'pgacme000001',
  name: 'Acme Cloud',
  status_indicator: 'major',
  status_description: 'Partial system outage',
};

test('a webhook contains the incident as the API returns it', () => {
  const notice = noticeOf('incident.updated');
  assert.equal(composeWebhook(notice, NOW), {
    event: 'incident.updated',
    meta: { unsubscribe: notice.unsubscribe_url, generated_at: NOW },
    page,
    incident: { id: 'incident0001', name: 'Database is slow' },
  });
});

test('a webhook contains the changed component with its previous and new status', () => {
  const { component, component_update, incident } = composeWebhook(noticeOf('component.status_changed'), NOW);
  assert.equal(component, { id: 'component001', name: 'API', status: 'partial_outage' });
  assert.equal(component_update, {
    component_id: 'component001',
    old_status: 'operational',
    new_status: 'partial_outage',
    created_at: '2026-11-20T15:04:05.123000',
  });
  assert.is(incident, undefined);
});

test('a webhook contains a postmortem', () => {
  const { postmortem, incident } = composeWebhook(noticeOf('postmortem.published'), NOW);
  assert.equal(postmortem, {
    incident_id: 'incident0001',
    body: '### What happened\n\nA disk was full.',
    published_at: '2026-11-20T15:04:05.123000',
  });
  assert.is(incident, undefined);
});

test('a webhook contains the page status, which follows the worst component', () => {
  const indicators = [
    [[], 'none'],
    [['operational'], 'none'],
    [['operational', 'under_maintenance'], 'maintenance'],
    [['under_maintenance', 'degraded_performance'], 'minor'],
    [['degraded_performance', 'partial_outage'], 'major'],
    [['major_outage', 'operational'], 'critical'],
  ] as const;
  for (const [component_statuses, indicator] of indicators) {
    const webhook = composeWebhook(noticeOf('incident.updated', { page: { ...plainPage, component_statuses } }), NOW);
    assert.is((webhook.page as { status_indicator: string }).status_indicator, indicator);
  }
});

test.run();
