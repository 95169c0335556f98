import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bodyOf, draftOf } from '../../../console/screens/page/components/draft.ts';
import type { Component } from '../../../console/screens/page/components/tree.ts';
import { changesOf, FLAG_NAMES, TEXT_NAMES, pageFormValuesOf, type Page } from '../../../console/screens/page/draft.ts';
import { dnsRecord, hostIn } from '../../../console/screens/page/settings/dns.ts';
import { languageOptions, zoneOptions } from '../../../console/screens/page/settings/options.ts';
import { generatedPassword } from '../../../console/screens/page/settings/password.ts';
import { filterIn, queryOf, statusOf, type Subscriber } from '../../../console/screens/page/subscribers/filter.ts';
import { isReached, limitIn } from '../../../console/screens/pages/limit.ts';
import { PAGE_DEFAULTS } from '../../../domain/page/decide.ts';

const test = suite('the forms of a status page in the console');

const PAGE: Page = {
  ...PAGE_DEFAULTS,
  id: 'page',
  organization_id: 'organization',
  name: 'Acme',
  subdomain: 'acme',
  activity_score: 0,
  managed_by: null,
  revision: 1,
  created_at: '',
  updated_at: '',
};

test('the page forms cover every field that can be set', () => {
  const typed = new Set<string>([...TEXT_NAMES, ...FLAG_NAMES, 'allow_embedding']);
  assert.equal(
    Object.keys({ name: '', subdomain: '', ...PAGE_DEFAULTS }).filter((name) => !typed.has(name)),
    [],
  );
});

test('the page form sends only changed fields, and null for an empty text if the field is nullable', () => {
  const typed = pageFormValuesOf(PAGE);
  assert.equal(changesOf(PAGE, typed), {});
  const changed = {
    texts: { ...typed.texts, headline: ' ', page_description: '', name: 'Bravo', city: 'Dublin' },
    flags: { ...typed.flags, hidden_from_search: true },
    origins: ['https://example.com'],
  };
  const changes = {
    name: 'Bravo',
    city: 'Dublin',
    hidden_from_search: true,
    allow_embedding: ['https://example.com'],
  };
  assert.equal(changesOf(PAGE, changed), changes);
  assert.equal(changesOf({ ...PAGE, ...changes }, typed), {
    name: 'Acme',
    city: null,
    hidden_from_search: false,
    allow_embedding: null,
  });
});

test('the component form sends a check or a tag for a component, and neither for a group', () => {
  const component = { check_id: 'check', check_tag: null, group_id: 'group', name: 'Web' } as Component;
  const draft = draftOf({ ...component, description: null, start_date: '2026-11-20' });
  const body = bodyOf({ ...draft, watch: 'tag', check_tag: 'team:shop', show_response_times: true }, false, false);
  assert.equal(
    [body.check_id, body.check_tag, body.group_id, body.show_response_times, body.start_date, body.description],
    [null, 'team:shop', 'group', true, '2026-11-20', null],
  );
  assert.is(bodyOf({ ...draft, watch: 'none', show_response_times: true }, false, false).show_response_times, false);
  // An empty start date is left out for a new component, whose start date is today by default. For an existing
  // component, null is sent.
  assert.not('start_date' in bodyOf({ ...draft, start_date: '' }, false, true));
  assert.is(bodyOf({ ...draft, start_date: '' }, false, false).start_date, null);
  assert.equal(Object.keys(bodyOf(draftOf(null), true, true)).sort(), [
    'description',
    'group',
    'name',
    'only_show_if_degraded',
    'showcase',
  ]);
});

test('the domain form shows the required DNS record, if the service has a host name', () => {
  const hosts = ['https://status.example.org/x/', 'http://127.0.0.1:3000/', 'http://[::1]/', 'http://localhost/'];
  assert.equal(
    hosts.map((address) => hostIn(new URL(address))),
    ['status.example.org', null, null, null],
  );
  assert.is(dnsRecord('status.acme.com', 'example.org'), 'status.acme.com. CNAME example.org.');
});

test('the page form lists translated languages first, and offers the time zone of the page even under an outdated name', () => {
  const languages = languageOptions('de');
  assert.equal(
    languages.slice(0, 3).map(({ label }) => label),
    ['Englisch', 'Deutsch', 'Französisch'],
  );
  assert.is(new Set(languages.map(({ value }) => value)).size, languages.length);
  assert.ok(zoneOptions('Asia/Calcutta').some(({ value }) => value === 'Asia/Calcutta'));
});

test('generated passwords have twenty characters, all equally likely', () => {
  const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => (index * 37 + 11) % 256);
  assert.match(generatedPassword(bytes), /^(?:[a-km-np-z2-9]{5}-){3}[a-km-np-z2-9]{5}$/);
  // Bytes above the last multiple of 31 are rejected, because they would favour the first characters.
  const last = generatedPassword((length) => new Uint8Array(length).fill(247).fill(255, 0, length - 1));
  assert.is(last.replaceAll('-', ''), '9'.repeat(20));
});

test('the subscriber list applies the filter of the URL', () => {
  const query = '?q=ida&mode=sms&status=pending&page=3';
  const filter = filterIn(new URLSearchParams(query));
  assert.equal(filter, { page: 3, q: 'ida', mode: 'sms', status: 'pending' });
  assert.is(queryOf(filter), query);
  assert.equal(filterIn(new URLSearchParams('?mode=pigeon&page=-1')), { page: 1, q: '', mode: '', status: '' });
  assert.is(queryOf(filterIn(new URLSearchParams())), '');
  const subscriber = { has_pending_verification: false, quarantined_at: null, is_verified: true } as Subscriber;
  assert.is(statusOf(subscriber), 'active');
  assert.is(statusOf({ ...subscriber, quarantined_at: '2026-11-20T15:04:05.123000' }), 'quarantined');
  assert.is(statusOf({ ...subscriber, is_verified: false }), 'unsubscribed');
});

test("a new page is not offered if the plan's limit is reached", () => {
  assert.is(limitIn({ pages: { used: 3, limit: null } }), null);
  assert.not(isReached(null));
  assert.not(isReached({ used: 2, limit: 3 }));
  assert.ok(isReached({ used: 3, limit: 3 }));
});

test.run();
