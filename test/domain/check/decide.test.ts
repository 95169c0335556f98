import { suite } from 'uvu';
import { createCheck, deleteCheck, updateCheck } from '../../../domain/check/decide.ts';
import { checkDecider } from '../../../domain/check/state.ts';
import { Conflict, Invalid, NotFound } from '../../../domain/errors.ts';
import * as assert from 'uvu/assert';
import { specification } from '../specification.ts';
import {
  CHECK,
  checkCreated,
  checkDeleted,
  checkUpdated,
  DELETED_AT,
  newCheck,
  ORGANIZATION,
  wentDown,
} from './examples.ts';

const check = specification(checkDecider);
const create =
  (fields: Parameters<typeof newCheck>[0] = {}) =>
  (state: Parameters<typeof createCheck>[0]) =>
    createCheck(state, CHECK, ORGANIZATION, newCheck(fields));

const remove = (state: Parameters<typeof deleteCheck>[0]) => deleteCheck(state, DELETED_AT);

const decisions = suite('decisions of a check');

decisions('a check is created with the given definition', () => {
  check.given().when(create()).then(checkCreated());
});

decisions('a check stores its URL or its host, whichever its type uses', () => {
  check
    .given()
    .when(create({ host: 'shop.example' }))
    .then(checkCreated({ host: null }));
  check
    .given()
    .when(create({ type: 'tcp', host: 'shop.example', port: 443 }))
    .then(checkCreated({ type: 'tcp', host: 'shop.example', port: 443, url: null }));
  check
    .given()
    .when(create({ type: 'synthetic', host: 'shop.example' }))
    .then(checkCreated({ type: 'synthetic', host: null }));
});

decisions("a check can't be created twice or again after its deletion", () => {
  check.given(checkCreated()).when(create()).throws(Conflict);
  check.given(checkCreated(), checkDeleted).when(create()).throws(Conflict);
});

decisions('a change of a check contains the new and old values of the changed fields only', () => {
  check
    .given(checkCreated())
    .when((state) => updateCheck(state, { name: 'Store', interval: 30, timeout: 10 }, 'web'))
    .then(checkUpdated({ name: 'Store', interval: 30 }, { name: 'Shop', interval: 60 }));
});

decisions('a change of a check builds on earlier changes', () => {
  check
    .given(checkCreated(), checkUpdated({ name: 'Store' }, { name: 'Shop' }))
    .when((state) => updateCheck(state, { name: 'Shop' }, undefined))
    .then(checkUpdated({ name: 'Shop' }, { name: 'Store' }));
});

decisions('a change of a check records no event if only the order of the parameters differs', () => {
  const parameters = { search_text: 'ok', regions: ['eu-west1'] };
  check
    .given(checkCreated({ parameters }))
    .when((state) => updateCheck(state, { parameters: { regions: ['eu-west1'], search_text: 'ok' } }, 'web'))
    .thenNothing();
});

decisions('the parameters of a check are replaced completely', () => {
  check
    .given(checkCreated({ parameters: { search_text: 'ok', retry_enabled: true } }))
    .when((state) => updateCheck(state, { parameters: { search_text: 'fine' } }, undefined))
    .then(
      checkUpdated({ parameters: { search_text: 'fine' } }, { parameters: { search_text: 'ok', retry_enabled: true } }),
    );
});

decisions('a host sent for an HTTP check, which uses only its URL, records no event', () => {
  check
    .given(checkCreated())
    .when((state) => updateCheck(state, { host: 'shop.example' }, undefined))
    .thenNothing();
});

decisions('the tags of a check are stored sorted and without duplicates', () => {
  check
    .given()
    .when(create({ tags: ['team:shop', 'eu', 'team:shop'] }))
    .then(checkCreated({ tags: ['eu', 'team:shop'] }));
  check
    .given(checkCreated({ tags: ['eu'] }))
    .when((state) => updateCheck(state, { tags: ['prod', 'eu', 'prod'] }, undefined))
    .then(checkUpdated({ tags: ['eu', 'prod'] }, { tags: ['eu'] }));
  check
    .given(checkCreated({ tags: ['eu', 'prod'] }))
    .when((state) => updateCheck(state, { tags: ['prod', 'eu'] }, undefined))
    .thenNothing();
});

decisions('the tags of a check remain if a change omits them, and an empty list removes them', () => {
  check
    .given(checkCreated({ tags: ['eu'] }))
    .when((state) => updateCheck(state, { name: 'Store' }, undefined))
    .then(checkUpdated({ name: 'Store' }, { name: 'Shop' }));
  check
    .given(checkCreated({ tags: ['eu'] }))
    .when((state) => updateCheck(state, { tags: [] }, undefined))
    .then(checkUpdated({ tags: [] }, { tags: ['eu'] }));
});

decisions("the type of a check can't be changed", () => {
  check
    .given(checkCreated())
    .when((state) => updateCheck(state, { name: 'Store' }, 'api'))
    .throws(Invalid, 'The request is invalid.', (error: Invalid) => {
      assert.equal(error.errors, { json: { type: ["A check's type can't be changed."] } });
    });
});

decisions('a check can be changed while it is down', () => {
  check
    .given(checkCreated(), wentDown())
    .when((state) => updateCheck(state, { active: false }, undefined))
    .then(checkUpdated({ active: false }, { active: true }));
});

decisions('a nonexistent or deleted check is not found', () => {
  check
    .given()
    .when((state) => updateCheck(state, {}, undefined))
    .throws(NotFound, 'There is no such check.');
  check.given().when(remove).throws(NotFound);
  check
    .given(checkCreated(), checkDeleted)
    .when((state) => updateCheck(state, {}, undefined))
    .throws(NotFound);
  check.given(checkCreated(), checkDeleted).when(remove).throws(NotFound);
});

decisions('a check is deleted once', () => {
  check.given(checkCreated()).when(remove).then(checkDeleted);
});

decisions.run();
