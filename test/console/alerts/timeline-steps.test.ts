import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Schemas } from '../../../console/api/openapi.d.ts';
import { timelineOf, isWaiting } from '../../../console/screens/alert/timeline-steps.ts';
import { activeCountAfter } from '../../../console/shell/active-count.ts';

const test = suite('the timeline of an alert');

const message = (
  channel_id: string,
  status: Schemas['AlertNotification']['status'],
  more: Partial<Schemas['AlertNotification']> = {},
): Schemas['AlertNotification'] => ({
  id: `${channel_id} ${status}`,
  alert_id: 'alert',
  channel_id,
  channel_name: 'On call',
  channel_type: 'email',
  notification_type: 'alert_fired',
  status,
  retry_count: 0,
  error_message: null,
  created_at: '2026-11-20T15:00:00.000000',
  sent_at: null,
  ...more,
});
const history: Schemas['Alert']['history'] = [
  { event: 'fired', at: '2026-11-20T15:00:00.000000', user_id: null },
  { event: 'acknowledged', at: '2026-11-20T15:05:00.000000', user_id: 'ann' },
];

test("the timeline of an alert lists its events in order, with the outcome of each channel's messages", () => {
  const steps = timelineOf({ history }, [
    message('mail', 'sent'),
    message('mail', 'failed', { error_message: 'Refused.' }),
    message('mail', 'failed', { error_message: 'Refused.' }),
    message('chat', 'sent'),
    message('chat', 'sent', { notification_type: 'alert_resolved', created_at: '2026-11-20T15:06:00.000000' }),
  ]);
  assert.equal(
    steps.map((step) => (step.kind === 'notified' ? `${step.channelId} ${step.about}` : step.kind)),
    ['fired', 'mail alert_fired', 'chat alert_fired', 'acknowledged', 'chat alert_resolved'],
  );
  const [, mail] = steps;
  assert.ok(mail?.kind === 'notified');
  assert.equal([mail.counts.sent, mail.counts.failed, mail.errors], [1, 2, ['Refused.']]);
  assert.not(isWaiting(steps));
  assert.ok(isWaiting(timelineOf({ history }, [message('mail', 'sent'), message('mail', 'retrying')])));
});

test('the number of active alerts is updated from change events without a new request', () => {
  const change = (id: string, is_active: boolean) => ({
    resource: 'alert',
    id,
    page_id: null,
    change: 'changed' as const,
    row: { id, is_active } as Schemas['AlertRow'],
  });
  const two = { count: 2, ids: new Set(['a', 'b']) };
  assert.is(activeCountAfter(two, [change('a', false), change('c', true), change('b', true)])?.count, 2);
  assert.is(activeCountAfter(two, [change('a', false), change('a', false)])?.count, 1);
  // If not all active alerts were loaded, the changed alert may or may not be included in the count. So the result is
  // null.
  assert.is(activeCountAfter({ count: 300, ids: null }, [change('a', false)]), null);
});

test.run();
