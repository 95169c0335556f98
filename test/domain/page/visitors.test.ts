import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isPublicTo } from '../../../domain/page/visitors.ts';

const test = suite('who visits a page without a key');

const open = { viewers_must_be_team_members: false, ip_restrictions: null };
const restricted = { ...open, ip_restrictions: '192.0.2.7, 2001:db8::/32,198.51.100.0/24' };

test('sees it from anywhere, unless it is for team members', () => {
  for (const address of ['127.0.0.1', '::1', null]) {
    assert.ok(isPublicTo(open, address));
    assert.not.ok(isPublicTo({ ...open, viewers_must_be_team_members: true }, address));
  }
});

test('sees a restricted one from the addresses and ranges that it names', () => {
  for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8:1::1', '198.51.100.255']) {
    assert.ok(isPublicTo(restricted, address), address);
    assert.not.ok(isPublicTo({ ...restricted, viewers_must_be_team_members: true }, address), address);
  }
  for (const address of ['192.0.2.8', '2001:db9::1', '198.51.101.1', '::', '', 'somewhere', null]) {
    assert.not.ok(isPublicTo(restricted, address), String(address));
  }
});

test('sees one that names IPv4 addresses as an IPv6 socket shows them', () => {
  const mapped = { ...open, ip_restrictions: '::ffff:192.0.2.7, ::ffff:198.51.100.0/120' };
  for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '198.51.100.9'])
    assert.ok(isPublicTo(mapped, address), address);
  for (const address of ['192.0.2.8', '198.51.101.1', '2001:db8::1'])
    assert.not.ok(isPublicTo(mapped, address), address);
});

test.run();
