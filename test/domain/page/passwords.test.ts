import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Conflict, IllegalState, Invalid, NotFound } from '../../../domain/errors.ts';
import type { PageEvent } from '../../../domain/page/events.ts';
import {
  addPagePassword,
  changePagePassword,
  revealsPassword,
  MAX_PAGE_PASSWORDS,
  openingPasswords,
  removePagePassword,
  type PagePasswordInput,
} from '../../../domain/page/passwords.ts';
import { existing, pageDecider, type Page } from '../../../domain/page/state.ts';
import type { Sealed } from '../../../domain/sealed.ts';
import { specification } from '../specification.ts';
import {
  HASH,
  LATER,
  NOW,
  pageCreated,
  pageDeleted,
  passwordAdded,
  passwordRemoved,
  passwordUpdated,
} from './examples.ts';

const test = suite('the passwords of a page');
const page = specification(pageDecider);
const given = (...more: PageEvent[]) => page.given(pageCreated(), ...more);

const OTHER: Sealed = { ...HASH, sealed: 'another hash' };
const MUCH_LATER = '2027-01-01T00:00:00.000000';

const add =
  (input: PagePasswordInput & { name: string } = { name: 'Customers' }) =>
  (state: Page) =>
    addPagePassword(state, 'one', input, HASH, NOW);
const change =
  (input: PagePasswordInput, hash: Sealed | null = null) =>
  (state: Page) =>
    changePagePassword(state, 'one', input, hash, LATER);
const remove = (state: Page) => removePagePassword(state, 'one', LATER);

test('a page password is added with the given fields and defaults', () => {
  given().when(add()).then(passwordAdded('one'));
  const input = { name: 'Partners', password_hint: 'As in 2025', active: false, expires_at: MUCH_LATER };
  given().when(add(input)).then(passwordAdded('one', input));
});

test('a change of a page password contains only the fields that differ, and a password is removed once', () => {
  const added = passwordAdded('one');
  given(added)
    .when(change({ name: 'Customers', active: true }))
    .thenNothing();
  given(added)
    .when(change({ name: 'Partners' }))
    .then(passwordUpdated('one', { name: 'Partners' }, { name: 'Customers' }));
  given(added)
    .when(change({}, OTHER))
    .then(passwordUpdated('one', {}, {}, OTHER));
  given(added).when(remove).then(passwordRemoved('one'));
  given(added, passwordRemoved('one')).when(remove).throws(NotFound, 'There is no such password.');
  given(added, passwordRemoved('one'))
    .when(change({ active: false }))
    .throws(NotFound);
  for (const decide of [add(), change({ active: false }), remove])
    given(added, pageDeleted).when(decide).throws(NotFound, 'There is no such page.');
});

test('the name of a page password is unique on the page, regardless of upper and lower case', () => {
  given(passwordAdded('two', { name: 'customers' }))
    .when(add())
    .throws(Conflict, 'The page already has a password named customers.');
  given(passwordAdded('one'), passwordAdded('two', { name: 'Partners' }))
    .when(change({ name: 'PARTNERS' }))
    .throws(Conflict);
  given(passwordAdded('one'))
    .when(change({ name: 'CUSTOMERS' }))
    .then(passwordUpdated('one', { name: 'CUSTOMERS' }, { name: 'Customers' }));
});

test('a new expiry of a page password must be in the future, and a past expiry may be sent back unchanged', () => {
  given()
    .when(add({ name: 'Customers', expires_at: NOW }))
    .throws(Invalid);
  const expired = passwordAdded('one', { expires_at: NOW });
  given(expired)
    .when(change({ expires_at: NOW, active: true }))
    .thenNothing();
  given(expired)
    .when(change({ expires_at: LATER }))
    .throws(Invalid);
  given(expired)
    .when(change({ expires_at: null }))
    .then(passwordUpdated('one', { expires_at: null }, { expires_at: NOW }));
});

test('a page has a limited number of passwords', () => {
  const many = Array.from({ length: MAX_PAGE_PASSWORDS }, (_, n) =>
    passwordAdded(`other${n}`, { name: `Customer ${n}` }),
  );
  given(...many)
    .when(add())
    .throws(IllegalState, 'A page can have at most 20 passwords.');
  given(...many.slice(1))
    .when(add())
    .then(passwordAdded('one'));
});

test('a page can be opened by its active and unexpired passwords', () => {
  const state = given(
    passwordAdded('one'),
    passwordAdded('two', { active: false }),
    passwordAdded('three', { expires_at: LATER }),
    passwordAdded('four', { expires_at: MUCH_LATER }),
    passwordAdded('five'),
    passwordRemoved('five'),
  ).state();
  const opening = (now: string): string[] => openingPasswords(state, now).map(({ id }) => id);
  assert.equal(opening(NOW), ['one', 'three', 'four']);
  assert.equal(opening(LATER), ['one', 'four']);
});

test('replacing or deactivating a page password starts a new revision, and a new name, hint or expiry does not', () => {
  const revisionAfter = (...more: PageEvent[]): number | undefined =>
    existing(given(passwordAdded('one'), ...more).state()).passwords.get('one')?.revision;
  const named = passwordUpdated('one', { name: 'Partners', password_hint: 'x', expires_at: MUCH_LATER }, {});
  const off = passwordUpdated('one', { active: false }, { active: true });
  const on = passwordUpdated('one', { active: true }, { active: false });
  assert.is(revisionAfter(), 1);
  assert.is(revisionAfter(named), 1);
  assert.is(revisionAfter(passwordUpdated('one', {}, {}, OTHER)), 2);
  assert.is(revisionAfter(off), 2);
  assert.is(revisionAfter(off, on), 2);
});

test('texts for visitors must not contain the page password in any case or composition', () => {
  assert.ok(revealsPassword('It is Correct Horse, as ever', 'correct horse'));
  assert.ok(revealsPassword('cafe\u0301s-and-bars', 'CAF\u00c9S-and'));
  assert.not.ok(revealsPassword('The battery', 'correct horse'));
  for (const none of [null, undefined]) assert.not.ok(revealsPassword(none, 'correct horse'));
});

test.run();
