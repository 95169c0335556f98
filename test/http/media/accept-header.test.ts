import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { negotiateType } from '../../../http/media/accept-header.ts';
import { CSV, HTML, JSON_TYPE } from '../../../http/media/media-types.ts';

const test = suite('content negotiation by Accept');

const TAKEN = [
  undefined,
  '',
  '*/*',
  'application/json',
  'text/html, */*;q=0.1',
  'application/*',
  'Application/JSON; charset=utf-8',
  'text/*;q=1, application/json;q=0.001',
  '*/*;q=0, application/json',
];
const REFUSED = [
  'text/html',
  'application/xml, text/*',
  'application/json;q=0',
  'application/json;q=0, */*',
  '*/*;q=0',
  'constructor',
  '__proto__, toString',
];

for (const header of TAKEN)
  test(`the Accept header ${header ?? '(absent)'} accepts JSON`, () => {
    assert.is(negotiateType(header, [JSON_TYPE]), JSON_TYPE);
  });
for (const header of REFUSED)
  test(`the Accept header ${header} does not accept JSON`, () => {
    assert.is(negotiateType(header, [JSON_TYPE]), null);
  });

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

test('a browser gets HTML if available, and otherwise JSON', () => {
  assert.is(negotiateType(BROWSER, [JSON_TYPE, HTML]), HTML);
  assert.is(negotiateType(BROWSER, [JSON_TYPE]), JSON_TYPE);
});

test('the media type that the client prefers is chosen, and the first of several that it prefers equally', () => {
  const types = [JSON_TYPE, CSV];
  assert.is(negotiateType('text/csv;q=0.9, application/json;q=0.2', types), CSV);
  assert.is(negotiateType('text/csv, application/json', types), JSON_TYPE);
  assert.is(negotiateType('text/*, */*;q=0.1', types), CSV);
  assert.is(negotiateType('application/json;q=0, */*', types), CSV);
  assert.is(negotiateType(undefined, types), JSON_TYPE);
  assert.is(negotiateType('text/html', types), null);
});

test.run();
