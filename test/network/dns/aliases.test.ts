import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { DnsRecord } from '../../../network/dns/message.ts';
import { followAliases, isBelow } from '../../../network/dns/aliases.ts';

const aliases = suite('aliases in a DNS response');

const alias = (name: string, type: 'CNAME' | 'DNAME', data: string): DnsRecord => ({
  name,
  type,
  data,
  class: 1,
  ttl: 60,
});
const address = (name: string): DnsRecord => ({ name, type: 'A', data: '192.0.2.1', class: 1, ttl: 60 });
const end = (answers: DnsRecord[], queried: string) => {
  const { name, records, endless } = followAliases({ answers }, queried, 'A', new Set());
  return { name, records: records.length, endless };
};

aliases('aliases are followed regardless of the order of records and the case of names', () => {
  assert.equal(end([address('C'), alias('b', 'CNAME', 'c'), alias('A', 'CNAME', 'B')], 'a.'), {
    name: 'c.',
    records: 1,
    endless: false,
  });
});

aliases('an alias that leads back to the owner of an applied DNAME is not reported as endless', () => {
  const answers = [alias('old', 'DNAME', 'new'), alias('x.new', 'CNAME', 'old'), address('old')];
  assert.equal(end(answers, 'x.old.'), { name: 'old.', records: 1, endless: false });
});

aliases('aliases that return to an earlier name are reported as endless', () => {
  assert.equal(end([alias('a', 'CNAME', 'a')], 'a.'), { name: 'a.', records: 0, endless: true });
  assert.equal(end([alias('.', 'DNAME', 'x')], 'a.').endless, true);
  assert.equal(end([alias('x', 'DNAME', 'y.x')], 'a.x.').endless, true);
});

aliases('aliases of another class are ignored', () => {
  assert.is(end([{ ...alias('a', 'CNAME', 'b'), class: 3 }], 'a.').name, 'a.');
});

aliases('a DNAME applies to names below its owner, but not to other names that end with the same characters', () => {
  assert.is(isBelow('a.test.', 'test.'), true);
  assert.is(isBelow('atest.', 'test.'), false);
  assert.is(isBelow('a\\.test.', 'test.'), false);
  assert.is(isBelow('a\\\\.test.', 'test.'), true);
  assert.is(isBelow('test.', 'test.'), false);
  assert.is(isBelow('test.', '.'), true);
  assert.is(isBelow('.', '.'), false);
});

aliases.run();
