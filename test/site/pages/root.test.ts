import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rootFrom } from '../../../site/pages/root.ts';

const test = suite('the root of a status page, seen from a requested address');

const resolved = (path: string, onPageHost = false): string =>
  new URL(rootFrom({ path, onPageHost }, { subdomain: 'acme' }), `http://status.example${path}`).pathname;

test('is /status/{subdomain}/ on every host', () => {
  for (const path of ['/status/acme', '/status/acme/', '/status/acme/history', '/status/acme/incidents/1'])
    assert.is(resolved(path), '/status/acme/');
  assert.is(resolved('/status/acme/incidents/1/'), '/status/acme/');
});

test('does not depend on how the subdomain was written', () => {
  for (const path of ['/status/ACME', '/status/%61cme']) assert.is(resolved(path), '/status/acme/');
});

test('is / on the host of the page', () => {
  for (const path of ['/', '/history', '/incidents/1', '/incidents/1/', '/api/v2/incidents/unresolved.json'])
    assert.is(resolved(path, true), '/');
});

test.run();
