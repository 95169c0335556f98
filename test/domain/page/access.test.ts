import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { admitsAllOf, isProtected, isPublicTo, isReachable, grantsAccess } from '../../../domain/page/access.ts';

const test = suite('visitors of a page');

const open = { viewers_must_be_team_members: false, ip_restrictions: null, passwords: [] };
const restricted = { ...open, ip_restrictions: '192.0.2.7, 2001:db8::/32,198.51.100.0/24' };

test('a visitor sees a page from any address unless the page is for team members', () => {
  for (const address of ['127.0.0.1', '::1', null]) {
    assert.ok(isPublicTo(open, address));
    assert.not.ok(isPublicTo({ ...open, viewers_must_be_team_members: true }, address));
  }
});

test('a visitor sees a restricted page from its allowed addresses and ranges', () => {
  for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8:1::1', '198.51.100.255']) {
    assert.ok(isPublicTo(restricted, address), address);
    assert.not.ok(isPublicTo({ ...restricted, viewers_must_be_team_members: true }, address), address);
  }
  for (const address of ['192.0.2.8', '2001:db9::1', '198.51.101.1', '::', '', 'somewhere', null]) {
    assert.not.ok(isPublicTo(restricted, address), String(address));
  }
});

test('a visitor with an IPv4-mapped IPv6 address matches the IPv4 addresses of a page', () => {
  const mapped = { ...open, ip_restrictions: '::ffff:192.0.2.7, ::ffff:198.51.100.0/120' };
  for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '198.51.100.9'])
    assert.ok(isPublicTo(mapped, address), address);
  for (const address of ['192.0.2.8', '198.51.101.1', '2001:db8::1'])
    assert.not.ok(isPublicTo(mapped, address), address);
});

const NOW = '2026-11-20T15:00:00.000000';
const password = { id: 'password0001', active: true, expires_at: null, revision: 1 };

test('a visitor does not see a page with an active password, even if the password has expired', () => {
  for (const expires_at of [null, '2026-11-20T15:00:00.000001', NOW, '1999-01-01T00:00:00.000000']) {
    const page = { ...open, passwords: [{ ...password, expires_at }] };
    assert.ok(isProtected(page));
    assert.ok(isReachable(page, '192.0.2.7'));
    assert.not.ok(isPublicTo(page, '192.0.2.7'));
  }
  assert.ok(isPublicTo({ ...open, passwords: [{ ...password, active: false }] }, null));
});

test('a visitor can open a page with an active password until the password expires', () => {
  assert.ok(grantsAccess(password, NOW));
  assert.ok(grantsAccess({ ...password, expires_at: '2026-11-20T15:00:00.000001' }, NOW));
  assert.not.ok(grantsAccess({ ...password, expires_at: NOW }, NOW));
  assert.not.ok(grantsAccess({ ...password, active: false }, NOW));
});

test('past rules of access admit all present visitors if they had the same or wider addresses', () => {
  const of = (ip_restrictions: string | null) => ({ ...open, ip_restrictions });
  const admitted: [string | null, string | null][] = [
    [null, null],
    [null, '10.0.0.0/8'],
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['10.0.0.0/8', '10.1.0.0/16'],
    ['10.0.0.0/8, 2001:db8::/32', '10.1.0.0/16,10.2.3.4, 2001:db8:1::/48'],
    ['192.0.2.0/24', '::ffff:192.0.2.7'],
  ];
  for (const [then, now] of admitted) assert.ok(admitsAllOf(of(then), of(now)), `${then} then, ${now} now`);
  const refused: [string | null, string | null][] = [
    ['10.0.0.0/8', null],
    ['10.1.0.0/16', '10.0.0.0/8'],
    ['10.0.0.0/8', '10.1.0.0/16, 192.0.2.7'],
    ['10.0.0.0/8', '2001:db8::/32'],
  ];
  for (const [then, now] of refused) assert.not.ok(admitsAllOf(of(then), of(now)), `${then} then, ${now} now`);
});

test('past rules of access that required a password admit present members, but not visitors without a password', () => {
  const protectedPage = { ...open, passwords: [password] };
  const forMembers = { ...open, viewers_must_be_team_members: true };
  assert.ok(admitsAllOf(protectedPage, protectedPage));
  assert.ok(admitsAllOf(protectedPage, forMembers));
  assert.ok(admitsAllOf({ ...protectedPage, viewers_must_be_team_members: true }, forMembers));
  assert.not.ok(admitsAllOf(protectedPage, open));
  assert.not.ok(admitsAllOf(forMembers, protectedPage));
  assert.not.ok(admitsAllOf(forMembers, open));
  assert.not.ok(admitsAllOf({ ...protectedPage, ip_restrictions: '192.0.2.7' }, forMembers));
});

test.run();
