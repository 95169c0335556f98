import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { relativeRootFrom } from '../../../site/pages/relative-root.ts';

const test = suite('the relative root of a status page');

const resolved = (path: string, onPageHost = false): string =>
  new URL(relativeRootFrom({ path, onPageHost }, { subdomain: 'acme' }), `http://status.example${path}`).pathname;

test('the relative root of a page leads to /status/{subdomain}/ on every host of the service', () => {
  for (const path of ['/status/acme', '/status/acme/', '/status/acme/history', '/status/acme/incidents/1'])
    assert.is(resolved(path), '/status/acme/');
  assert.is(resolved('/status/acme/incidents/1/'), '/status/acme/');
});

test('the relative root of a page is correct for any spelling of the subdomain', () => {
  for (const path of ['/status/ACME', '/status/%61cme']) assert.is(resolved(path), '/status/acme/');
});

test("the relative root of a page leads to / on the page's own host", () => {
  for (const path of ['/', '/history', '/incidents/1', '/incidents/1/', '/api/v2/incidents/unresolved.json'])
    assert.is(resolved(path, true), '/');
});

test.run();
