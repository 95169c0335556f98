import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { acceptsJson } from '../../http/accept.ts';

const test = suite('an Accept header takes JSON or does not');

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
  test(`${header ?? 'no header'} takes it`, () => {
    assert.ok(acceptsJson(header));
  });
for (const header of REFUSED)
  test(`${header} does not`, () => {
    assert.not.ok(acceptsJson(header));
  });

test.run();
