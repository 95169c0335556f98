import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Invalid, NotFound } from '../../../domain/errors.ts';
import {
  abandonName,
  changesOf,
  createPage,
  deletePage,
  exportSubscribers,
  newNamesOf,
  newPageFields,
  updatePage,
  type PageInput,
} from '../../../domain/page/decide.ts';
import type { NameClaims } from '../../../domain/page/events.ts';
import { ClaimLost } from '../../../domain/page/names.ts';
import { existing, pageDecider, type Page } from '../../../domain/page/state.ts';
import { specification } from '../specification.ts';
import { LATER, NOW, PAGE, pageCreated, pageDeleted, pageFields, pageUpdated } from './examples.ts';

const page = specification(pageDecider);
const test = suite('a page');

const abandoned = { type: 'PageCreationAbandoned', data: { page_id: PAGE } } as const;
const created = pageCreated();

const create =
  (claims: NameClaims = { subdomain: 1 }) =>
  (state: Page) =>
    createPage(state, PAGE, pageFields(), claims, NOW);
const update =
  (input: PageInput, claims: NameClaims = {}) =>
  (state: Page) =>
    updatePage(state, input, claims, LATER);

test('a page is created with the given fields and defaults', () => {
  page.given().when(create()).then(created);
  assert.equal(newPageFields({ name: 'Acme', subdomain: 'ACME', domain: 'Status.Acme.Example.' }), {
    ...pageFields(),
    domain: 'status.acme.example',
  });
  const { language, time_zone, template, allow_sms_subscribers, ...rest } = pageFields();
  assert.equal([language, time_zone, template, allow_sms_subscribers], ['en', 'UTC', 'default', false]);
  assert.ok(rest.allow_email_subscribers && rest.allow_webhook_subscribers && rest.allow_page_subscribers);
  assert.ok(rest.allow_incident_subscribers && rest.allow_rss_atom_feeds);
  assert.not(rest.hidden_from_search || rest.viewers_must_be_team_members);
  assert.not(rest.show_measurements || rest.redirect_to_domain);
  assert.equal([rest.show_edits, rest.allow_embedding], [true, null]);
});

test('a page refuses unknown fields', () => {
  const sent = { name: 'Acme', subdomain: 'acme', organization_id: 'x', activity_score: 7 };
  assert.equal(newPageFields(sent), pageFields());
});

test('a page is created once', () => {
  page.given(created).when(create()).thenNothing();
});

test('a page whose creation was abandoned is never created', () => {
  page.given(abandoned).when(create()).throws(ClaimLost);
  page
    .given(abandoned)
    .when(update({ name: 'X' }))
    .throws(NotFound);
});

test('all invalid fields of a page are named in the error', () => {
  const broken: PageInput = {
    subdomain: '-',
    domain: 'a b',
    language: 'english',
    time_zone: 'Mars/Olympus',
    ip_restrictions: '10.0.0.0/33',
    allow_embedding: ['https://fine.example', 'http://plain.example'],
    css_no_data: 'red',
    css_link_color: '#12345',
  };
  page
    .given(created)
    .when(update({ ...broken, name: 'Fine', css_reds: 'anything' }))
    .throws(Invalid, undefined, ({ errors }) => {
      const named = Object.keys(errors.json ?? {}).map((field) => field.replace(/\.1$/, ''));
      assert.equal(named.sort(), Object.keys(broken).sort());
    });
});

test('a page stores frame origins in the notation of browsers', () => {
  const sent = ['https://Example.COM', 'https://example.com:443', 'https://пример.рф:8443'];
  const allow_embedding = ['https://example.com', 'https://xn--e1afmkfd.xn--p1ai:8443'];
  page
    .given(created)
    .when(update({ allow_embedding: sent }))
    .then(pageUpdated({ allow_embedding }, { allow_embedding: null }));
  page
    .given(pageCreated({ allow_embedding }))
    .when(update({ allow_embedding: sent }))
    .thenNothing();
  page
    .given(pageCreated({ allow_embedding }))
    .when(update({ allow_embedding: [] }))
    .then(pageUpdated({ allow_embedding: [] }, { allow_embedding }));
});

test('a page has at most 20 frame origins', () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => `https://host-${n}.example`);
  const input = { allow_embedding: many(20) };
  page
    .given(created)
    .when(update(input))
    .then(pageUpdated(input, { allow_embedding: null }));
  page
    .given(created)
    .when(update({ allow_embedding: many(21) }))
    .throws(Invalid, undefined, ({ errors }) => {
      assert.equal(errors.json, { allow_embedding: ['Must have at most 20 origins.'] });
    });
});

test('a page accepts lists of addresses and ranges, colors, and IANA time zones', () => {
  const fine: PageInput[] = [
    { ip_restrictions: '10.0.0.1' },
    { ip_restrictions: '10.0.0.0/8, 2001:db8::/32 ,::1' },
    { css_no_data: '#Ff0' },
    { css_no_data: '#12aBcD' },
    { time_zone: 'Europe/Moscow' },
    { time_zone: 'Etc/GMT+3' },
    { language: 'ru' },
    { ip_restrictions: null },
  ];
  for (const input of fine) assert.equal(changesOf(existing(page.given(created).state()), input), differing(input));
  const wrong: PageInput[] = [
    { ip_restrictions: '' },
    { ip_restrictions: '10.1' },
    { ip_restrictions: '10.0.0.1,' },
    { ip_restrictions: 'fe80::1%eth0' },
    { ip_restrictions: '::/129' },
    { ip_restrictions: '10.0.0.0/8/8' },
    { ip_restrictions: 'example.com' },
    { time_zone: '+03:00' },
    { time_zone: '' },
    { language: 'en-US' },
    { css_no_data: '#ffff' },
    { css_no_data: '' },
  ];
  for (const input of wrong) page.given(created).when(update(input)).throws(Invalid);
});

const differing = (input: PageInput): PageInput =>
  Object.fromEntries(
    Object.entries(input).filter(([field, value]) => value !== pageFields()[field as keyof PageInput]),
  );

test('a change of a page contains the old and new values of the fields that differ', () => {
  page
    .given(created)
    .when(update({ ...pageFields(), headline: 'All of Acme', allow_sms_subscribers: true }))
    .then(
      pageUpdated(
        { allow_sms_subscribers: true, headline: 'All of Acme' },
        { allow_sms_subscribers: false, headline: null },
      ),
    );
  page
    .given(created)
    .when(update({ ...pageFields(), subdomain: 'ACME' }))
    .thenNothing();
});

test('a page gets a new name only with a claim on the name', () => {
  const rename = { subdomain: 'Other', domain: 'status.acme.example' };
  page.given(created).when(update(rename)).throws(ClaimLost);
  page
    .given(created)
    .when(update(rename, { subdomain: 4 }))
    .throws(ClaimLost);
  page
    .given(created)
    .when(update(rename, { subdomain: 4, domain: 2 }))
    .then(
      pageUpdated(
        { subdomain: 'other', domain: 'status.acme.example' },
        { subdomain: 'acme', domain: null },
        { subdomain: 4, domain: 2 },
      ),
    );
});

test('a page can remove its domain, or change the notation of its domain, without a claim', () => {
  const named = pageCreated({ domain: 'пример.рф' });
  page
    .given(named)
    .when(update({ domain: null }))
    .then(pageUpdated({ domain: null }, { domain: 'пример.рф' }));
  const punycode = { domain: 'xn--e1afmkfd.xn--p1ai' };
  assert.equal([...newNamesOf(existing(page.given(named).state()), punycode)], []);
  page
    .given(named)
    .when(update(punycode))
    .then(pageUpdated(punycode, { domain: 'пример.рф' }));
});

test('a page gets no name by a claim that the page has closed, or by an older claim', () => {
  const closed = { type: 'SubdomainChangeAbandoned', data: { page_id: PAGE, subdomain: 'other', claim: 4 } } as const;
  const rename = { subdomain: 'other' };
  for (const claim of [3, 4])
    page
      .given(created, closed)
      .when(update(rename, { subdomain: claim }))
      .throws(ClaimLost);
  page
    .given(created, closed)
    .when(update(rename, { subdomain: 5 }))
    .then(pageUpdated({ subdomain: 'other' }, { subdomain: 'acme' }, { subdomain: 5 }));
});

test('the claim of a page on a name can be closed unless the page already has the name', () => {
  const close = (kind: 'subdomain' | 'domain', name: string, claim: number) => (state: Page) =>
    abandonName(state, PAGE, kind, name, claim);
  const subdomainClosed = {
    type: 'SubdomainChangeAbandoned',
    data: { page_id: PAGE, subdomain: 'other', claim: 4 },
  } as const;
  page
    .given()
    .when(close('subdomain', 'other', 1))
    .then(abandoned);
  page
    .given(created)
    .when(close('subdomain', 'other', 4))
    .then(subdomainClosed);
  page
    .given(created)
    .when(close('domain', 'a.example', 2))
    .then({ type: 'DomainChangeAbandoned', data: { page_id: PAGE, domain: 'a.example', claim: 2 } });
  page
    .given(created, subdomainClosed)
    .when(close('subdomain', 'other', 4))
    .thenNothing();
  page
    .given(created)
    .when(close('subdomain', 'acme', 1))
    .thenNothing();
  page
    .given(created, pageDeleted)
    .when(close('subdomain', 'acme', 1))
    .thenNothing();
  page
    .given(abandoned)
    .when(close('subdomain', 'acme', 1))
    .thenNothing();
});

test('each export of the subscribers of a page is recorded with its filters', () => {
  const data = { page_id: PAGE, exported_at: LATER };
  page
    .given(created)
    .when((state) => exportSubscribers(state, {}, LATER))
    .then({ type: 'PageSubscribersExported', data });
  page
    .given(created)
    .when((state) => exportSubscribers(state, { mode: ['sms'], status: ['active'] }, LATER))
    .then({ type: 'PageSubscribersExported', data: { ...data, mode: ['sms'], status: ['active'] } });
  page
    .given(created, pageDeleted)
    .when((state) => exportSubscribers(state, {}, LATER))
    .throws(NotFound);
});

test("a page is deleted once and can't be changed afterwards", () => {
  const remove = (state: Page) => deletePage(state, LATER);
  page.given(created).when(remove).then(pageDeleted);
  page.given(created, pageDeleted).when(remove).throws(NotFound);
  page
    .given(created, pageDeleted)
    .when(update({ name: 'X' }))
    .throws(NotFound);
  page.given().when(remove).throws(NotFound);
});

test.run();
