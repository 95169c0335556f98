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

test.run();
