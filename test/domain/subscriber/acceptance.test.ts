import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { signUpLimitReached, subscriptionRefusal } from '../../../domain/subscriber/acceptance.ts';
import type { PageFields } from '../../../domain/page/fields.ts';

const test = suite('the terms of subscriptions');

const page = (fields: Partial<PageFields>): PageFields =>
  ({
    allow_email_subscribers: true,
    allow_page_subscribers: true,
    allow_incident_subscribers: true,
    allow_sms_subscribers: false,
    ...fields,
  }) as PageFields;

test('a page explains why it does not accept a kind of subscription', () => {
  assert.is(subscriptionRefusal(page({}), 'email', { incident_id: null }), null);
  assert.is(
    subscriptionRefusal(page({}), 'sms', { incident_id: null }),
    'This page does not accept subscriptions by SMS.',
  );
  const toAll = page({ allow_incident_subscribers: false });
  assert.is(
    subscriptionRefusal(toAll, 'email', { incident_id: 'x' }),
    'This page does not accept subscriptions to a single incident.',
  );
  const toOne = page({ allow_page_subscribers: false });
  assert.match(
    subscriptionRefusal(toOne, 'email', { incident_id: null }) ?? '',
    'only accepts subscriptions to a single incident',
  );
  assert.is(subscriptionRefusal(toOne, 'email', { incident_id: 'x' }), null);
});

const LIMITS = { unconfirmedPerHour: 2, smsPerDay: 2 };
const who = { mode: 'sms', trusted: false, skips: false, now: '2026-11-20T23:59:00.000000' } as const;

test('sign-ups are refused while too many subscriptions are unconfirmed, and SMS sign-ups after a daily number of messages', () => {
  assert.is(signUpLimitReached({ unconfirmed: 1, smsToday: 1 }, LIMITS, who), null);
  assert.is(signUpLimitReached({ unconfirmed: 2, smsToday: 0 }, LIMITS, who)?.retryAfter, 600);
  assert.is(signUpLimitReached({ unconfirmed: 2, smsToday: 0 }, LIMITS, { ...who, trusted: true }), null);
  assert.is(signUpLimitReached({ unconfirmed: 0, smsToday: 2 }, LIMITS, who)?.retryAfter, 60);
  assert.is(signUpLimitReached({ unconfirmed: 0, smsToday: 2 }, LIMITS, { ...who, skips: true }), null);
  assert.is(signUpLimitReached({ unconfirmed: 0, smsToday: 9 }, { ...LIMITS, smsPerDay: null }, who), null);
});

test.run();
