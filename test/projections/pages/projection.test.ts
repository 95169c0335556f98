import { suite } from 'uvu';
import { pages } from '../../../projections/pages/projection.ts';
import type { PageDocument } from '../../../projections/pages/documents.ts';
import {
  HASH,
  LATER,
  NOW,
  PAGE,
  pageCreated,
  pageDeleted,
  pageFields,
  pageUpdated,
  passwordAdded,
  passwordRemoved,
  passwordUpdated,
} from '../../domain/page/examples.ts';
import { projection, projectionRules } from '../specification.ts';

const test = suite('the read model of pages');

const domain = 'Пример.рф'.toLowerCase();
const document = (fields: Partial<PageDocument> = {}): PageDocument => ({
  id: PAGE,
  organization_id: 'org000000001',
  ...pageFields(),
  revision: 1,
  created_at: NOW,
  updated_at: NOW,
  domain_key: null,
  edits_from_position: 10,
  passwords: [],
  deleted_at: null,
  ...fields,
});
const domainSet = pageUpdated({ domain }, { domain: null }, { domain: 1 });
const domainTakenAway = pageUpdated({ domain: null }, { domain });

test('a page has its initial state, in the organization that created it', () =>
  projection(pages).given(pageCreated()).then('pages', document()));

test('changes of a page are stored, and its domain is found in normalized form', async () => {
  const named = { domain, domain_key: 'xn--e1afmkfd.xn--p1ai' };
  await projection(pages)
    .given(pageCreated(), domainSet)
    .then('pages', document({ ...named, revision: 2, updated_at: LATER }));
  await projection(pages).given(pageCreated({ domain })).then('pages', document(named));
  await projection(pages)
    .given(pageCreated(), domainSet, domainTakenAway)
    .then('pages', document({ revision: 3, updated_at: LATER }));
});

test('the first event after which a page shows edits is stored', async () => {
  const on = pageUpdated({ show_edits: true }, { show_edits: false });
  const off = pageUpdated({ show_edits: false }, { show_edits: true });
  const other = pageUpdated({ name: 'Other' }, { name: 'Acme' });
  const before = pageCreated({ show_edits: false });
  await projection(pages)
    .given(before, other)
    .then(
      'pages',
      document({ name: 'Other', show_edits: false, edits_from_position: null, revision: 2, updated_at: LATER }),
    );
  await projection(pages)
    .given(before, on, off, on)
    .then('pages', document({ edits_from_position: 20, revision: 4, updated_at: LATER }));
  await projection(pages)
    .given(pageCreated(), off)
    .then('pages', document({ show_edits: false, revision: 2, updated_at: LATER }));
});

test('a deleted page is marked, so that everything that belongs to it is hidden', () =>
  projection(pages)
    .given(pageCreated(), pageDeleted)
    .then('pages', document({ deleted_at: LATER })));

const password = {
  id: 'one',
  name: 'Customers',
  password_hint: null,
  active: true,
  expires_at: null,
  revision: 1,
  created_by: 'key000000001',
  created_at: NOW,
  updated_at: NOW,
};

test('a page has its passwords without their hashes, and counts token revocations', async () => {
  const page = projection(pages);
  await page.given(pageCreated(), passwordAdded('one')).then('pages', document({ passwords: [password] }));
  await page
    .given(
      pageCreated(),
      passwordAdded('one'),
      passwordUpdated('one', { password_hint: 'As ever' }, { password_hint: null }),
    )
    .then('pages', document({ passwords: [{ ...password, password_hint: 'As ever', updated_at: LATER }] }));
  await page
    .given(pageCreated(), passwordAdded('one'), passwordUpdated('one', {}, {}, HASH))
    .then('pages', document({ passwords: [{ ...password, revision: 2, updated_at: LATER }] }));
  await page
    .given(pageCreated(), passwordAdded('one'), passwordUpdated('one', { active: false }, { active: true }))
    .then('pages', document({ passwords: [{ ...password, active: false, revision: 2, updated_at: LATER }] }));
  await page.given(pageCreated(), passwordAdded('one'), passwordRemoved('one')).then('pages', document());
});

test.run();

projectionRules(pages, [
  pageCreated(),
  domainSet,
  domainTakenAway,
  passwordAdded('one'),
  passwordAdded('two'),
  passwordUpdated('one', { active: false }, { active: true }, HASH),
  passwordRemoved('two'),
  pageDeleted,
]);
