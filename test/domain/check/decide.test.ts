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

const decisions = suite('what a check decides');

decisions('a check is created with what was asked for', () => {
  check.given().when(create()).then(checkCreated());
});

decisions('of URL and host, the one that the type does not use is not kept', () => {
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

decisions('the same check is not created twice, nor again after it was deleted', () => {
  check.given(checkCreated()).when(create()).throws(Conflict);
  check.given(checkCreated(), checkDeleted).when(create()).throws(Conflict);
});

decisions('a change names the new and the old values of what it changes, and nothing else', () => {
  check
    .given(checkCreated())
    .when((state) => updateCheck(state, { name: 'Store', interval: 30, timeout: 10 }, 'web'))
    .then(checkUpdated({ name: 'Store', interval: 30 }, { name: 'Shop', interval: 60 }));
});

decisions('a change builds on the changes before it', () => {
  check
    .given(checkCreated(), checkUpdated({ name: 'Store' }, { name: 'Shop' }))
    .when((state) => updateCheck(state, { name: 'Shop' }, undefined))
    .then(checkUpdated({ name: 'Shop' }, { name: 'Store' }));
});

decisions('a change that changes nothing is no event, whatever the order of the parameters', () => {
  const parameters = { search_text: 'ok', regions: ['eu-west1'] };
  check
    .given(checkCreated({ parameters }))
    .when((state) => updateCheck(state, { parameters: { regions: ['eu-west1'], search_text: 'ok' } }, 'web'))
    .thenNothing();
});

decisions('parameters are replaced whole', () => {
  check
    .given(checkCreated({ parameters: { search_text: 'ok', retry_enabled: true } }))
    .when((state) => updateCheck(state, { parameters: { search_text: 'fine' } }, undefined))
    .then(
      checkUpdated({ parameters: { search_text: 'fine' } }, { parameters: { search_text: 'ok', retry_enabled: true } }),
    );
});

decisions('a host sent for a web check changes nothing', () => {
  check
    .given(checkCreated())
    .when((state) => updateCheck(state, { host: 'shop.example' }, undefined))
    .thenNothing();
});

decisions('tags are stored sorted and each once, whatever their order in the request', () => {
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

decisions('tags stay when a change names none, and go when it names an empty list', () => {
  check
    .given(checkCreated({ tags: ['eu'] }))
    .when((state) => updateCheck(state, { name: 'Store' }, undefined))
    .then(checkUpdated({ name: 'Store' }, { name: 'Shop' }));
  check
    .given(checkCreated({ tags: ['eu'] }))
    .when((state) => updateCheck(state, { tags: [] }, undefined))
    .then(checkUpdated({ tags: [] }, { tags: ['eu'] }));
});

decisions('the type never changes', () => {
  check
    .given(checkCreated())
    .when((state) => updateCheck(state, { name: 'Store' }, 'api'))
    .throws(Invalid, 'The request is invalid.', (error: Invalid) => {
      assert.equal(error.errors, { json: { type: ["A check's type can't be changed."] } });
    });
});

decisions('a check goes on to be changed while it is down', () => {
  check
    .given(checkCreated(), wentDown())
    .when((state) => updateCheck(state, { active: false }, undefined))
    .then(checkUpdated({ active: false }, { active: true }));
});

decisions('what was never there, or was deleted, is not found', () => {
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
