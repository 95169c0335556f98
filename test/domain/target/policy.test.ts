import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  createTargetPolicy,
  InvalidRange,
  parseRanges,
  RESERVED,
  type TargetRules,
} from '../../../domain/target/policy.ts';

const targets = suite('the target policy');

/**
 * For each address: the reason why the internal policy refuses it, and the reason why the public policy refuses it.
 * Null: the policy allows the address.
 */
const ADDRESSES: readonly (readonly [string, string | null, string | null])[] = [
  // common targets
  ['8.8.8.8', null, null],
  ['2606:4700:4700::1111', null, null],
  ['10.1.2.3', null, 'private'],
  ['172.16.0.1', null, 'private'],
  ['172.32.0.1', null, null],
  ['192.168.255.255', null, 'private'],
  ['100.64.0.1', null, 'shared address space'],
  ['127.0.0.1', null, 'loopback'],
  ['127.255.255.254', null, 'loopback'],
  ['::1', null, 'loopback'],
  ['fd12:3456::1', null, 'private'],
  ['fec0::1', null, 'site-local'],

  // addresses that must never be a target
  ['169.254.169.254', 'link-local', 'link-local'],
  ['169.254.0.1', 'link-local', 'link-local'],
  ['fe80::1', 'link-local', 'link-local'],
  ['fe80::1%eth0', 'link-local', 'link-local'],
  ['100.100.100.200', 'cloud metadata', 'cloud metadata'],
  ['192.0.0.192', 'cloud metadata', 'cloud metadata'],
  ['168.63.129.16', 'cloud metadata', 'cloud metadata'],
  ['fd00:ec2::254', 'cloud metadata', 'cloud metadata'],
  ['fd20:ce::254', 'cloud metadata', 'cloud metadata'],
  ['224.0.0.1', 'multicast', 'multicast'],
  ['239.255.255.250', 'multicast', 'multicast'],
  ['ff02::1', 'multicast', 'multicast'],
  ['0.0.0.0', 'unspecified', 'unspecified'],
  ['0.1.2.3', 'unspecified', 'unspecified'],
  ['::', 'unspecified', 'unspecified'],
  ['255.255.255.255', 'broadcast', 'broadcast'],

  // not routed globally
  ['192.0.2.1', null, 'documentation'],
  ['198.51.100.7', null, 'documentation'],
  ['203.0.113.7', null, 'documentation'],
  ['198.18.0.1', null, 'benchmarking'],
  ['192.0.0.8', null, 'reserved'],
  ['192.88.99.1', null, 'reserved'],
  ['240.0.0.1', null, 'reserved'],
  ['2001:db8::1', null, 'documentation'],
  ['3fff::1', null, 'documentation'],
  ['100::1', null, 'discard-only'],
  ['5f00::1', null, 'segment routing'],
  ['4000::1', null, 'not globally routable'],
  ['64:ff9b:1::808:808', null, 'not globally routable'],

  // other notations of an IPv4 address
  ['2852039166', 'link-local', 'link-local'],
  ['0xa9fea9fe', 'link-local', 'link-local'],
  ['0xa9.0xfe.0xa9.0xfe', 'link-local', 'link-local'],
  ['0251.0376.0251.0376', 'link-local', 'link-local'],
  ['169.254.43518', 'link-local', 'link-local'],
  ['0x7f.1', null, 'loopback'],
  ['0', 'unspecified', 'unspecified'],

  // an IPv4 address in an IPv6 address
  ['::ffff:169.254.169.254', 'link-local', 'link-local'],
  ['::ffff:a9fe:a9fe', 'link-local', 'link-local'],
  ['0:0:0:0:0:ffff:a9fe:a9fe', 'link-local', 'link-local'],
  ['::ffff:8.8.8.8', null, null],
  ['::ffff:10.0.0.1', null, 'private'],
  ['::ffff:0.0.0.0', 'unspecified', 'unspecified'],
  ['::ffff:0:169.254.169.254', 'link-local', 'link-local'],
  ['64:ff9b::169.254.169.254', 'link-local', 'link-local'],
  ['64:ff9b::10.0.0.1', null, 'private'],
  ['64:ff9b::8.8.8.8', null, null],
  ['64:ff9b:1::169.254.169.254', 'link-local', 'not globally routable'],
  ['64:ff9b:1:a9fe:a9:fe00::', 'link-local', 'not globally routable'],
  ['64:ff9b:1:a00:0:100::', null, 'not globally routable'],
  ['2002:a9fe:a9fe::1', 'link-local', '6to4'],
  ['2002:808:808::1', null, '6to4'],
  ['2001:0:a9fe:a9fe::', 'link-local', 'reserved'],
  ['2001:0:808:808:0:0:5601:5601', 'link-local', 'reserved'],
  ['::169.254.169.254', 'link-local', 'link-local'],
  ['::a9fe:a9fe', 'link-local', 'not globally routable'],

  // not an address
  ['localhost', 'no IP address', 'no IP address'],
  ['', 'no IP address', 'no IP address'],
  ['1.2.3.4.5', 'no IP address', 'no IP address'],
];

const policyOf = (rules: TargetRules) => createTargetPolicy(rules);

for (const policy of ['internal', 'public'] as const) {
  targets(`the policy ${policy} classifies each kind of address`, () => {
    const { refusal } = policyOf({ policy });
    for (const [address, internal, global] of ADDRESSES)
      assert.is(refusal(address, null), policy === 'internal' ? internal : global, address);
  });
}

targets('the allow list permits addresses that the policy refuses', () => {
  const { refusal } = policyOf({ policy: 'public', allow: '10.0.0.0/8, ::1,169.254.7.7' });
  assert.is(refusal('10.9.8.7', null), null);
  assert.is(refusal('::1', null), null);
  assert.is(refusal('169.254.7.7', null), null);
  assert.is(refusal('::ffff:10.9.8.7', null), null);
  assert.is(refusal('64:ff9b::10.9.8.7', null), null);
  assert.is(refusal('169.254.7.8', null), 'link-local');
  assert.is(refusal('192.168.0.1', null), 'private');
});

targets('the deny list takes precedence over everything else', () => {
  const { refusal } = policyOf({ policy: 'internal', allow: '10.0.0.0/8', deny: '10.1.0.0/16,8.8.8.8,2002::/16' });
  assert.is(refusal('10.0.0.1', null), null);
  assert.is(refusal('10.1.0.1', null), 'denied');
  assert.is(refusal('8.8.8.8', null), 'denied');
  assert.is(refusal('8.8.4.4', null), null);
  assert.is(refusal('::ffff:10.1.0.1', null), 'denied');
  assert.is(refusal('64:ff9b::8.8.8.8', null), 'denied');
  assert.is(refusal('2002:808:404::1', null), 'denied');
});

targets('an allowed IPv6 address does not permit the refused IPv4 address that it embeds', () => {
  const { refusal } = policyOf({ policy: 'internal', allow: '2002::/16, 64:ff9b::/96' });
  assert.is(refusal('2002:a9fe:a9fe::1', null), 'link-local');
  assert.is(refusal('64:ff9b::169.254.169.254', null), 'link-local');
});

targets('an address list may contain blanks or be empty', () => {
  assert.is(parseRanges('').length, 0);
  assert.is(parseRanges(' 10.0.0.0/8 ,, 2001:db8::/32,192.0.2.1 ').length, 3);
});

targets('an invalid address range is named in the error', () => {
  for (const text of [
    '10.0.0.0/33',
    'example.com',
    '10/8',
    '010.0.0.1',
    '0x7f000001',
    '::1/129',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
  ])
    assert.throws(
      () => parseRanges(`192.0.2.1, ${text}`),
      (error: Error) =>
        error instanceof InvalidRange && error.message === `"${text}" is neither an IP address nor a CIDR range.`,
      text,
    );
});

targets('a range of IPv4 addresses may be written in IPv4-mapped form', () => {
  const { refusal } = createTargetPolicy({ policy: 'internal', deny: '::ffff:10.0.0.0/104, ::ffff:192.168.1.1' });
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '192.168.1.1'])
    assert.is(refusal(address, null), 'denied', address);
  for (const address of ['11.1.2.3', '192.168.1.2', '2001:4860::1']) assert.is(refusal(address, null), null, address);
});

/** Rules that reserve ports of this host and of other hosts. */
const RESERVING: TargetRules = {
  policy: 'internal',
  allow: '0.0.0.0/0, ::/0',
  machine: ['192.168.1.5', 'fd00::5', 'fe80::5'],
  reserved: [
    { address: '127.0.0.1', port: 27_017 },
    { address: '10.0.0.1', port: 2_113 },
    { address: '10.0.0.1', port: 443 },
    { address: 'fd00::1', port: 25 },
    { address: '192.168.1.5', port: 587 },
  ],
};

targets('a reserved port of this host is refused at each of its addresses in any notation, whatever allows it', () => {
  const { refusal, reservedPorts } = createTargetPolicy(RESERVING);
  for (const address of [
    ...['127.0.0.1', '127.9.9.9', '0.0.0.0', '::', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::ffff:7f00:1'],
    ...['192.168.1.5', '::ffff:192.168.1.5', 'fd00::5', 'fd00:0::0:5', 'fe80::5%eth0', '0x7f.1', '2130706433'],
    ...['64:ff9b::127.0.0.1', '2002:7f00:1::', '64:ff9b::192.168.1.5'],
  ]) {
    for (const port of [27_017, 587]) assert.is(refusal(address, port), RESERVED, `${address} ${port}`);
    assert.is(refusal(address, 27_018), null, address);
    assert.is(refusal(address, null), null, address);
    assert.equal(reservedPorts(address), [587, 27_017], address);
  }
});

targets("a reserved port of another host is refused only at that host's address", () => {
  const { refusal, reservedPorts } = createTargetPolicy(RESERVING);
  assert.is(refusal('10.0.0.1', 2_113), RESERVED);
  assert.is(refusal('::ffff:10.0.0.1', 2_113), RESERVED);
  assert.is(refusal('fd00::0:1', 25), RESERVED);
  assert.is(refusal('10.0.0.2', 2_113), null);
  assert.is(refusal('127.0.0.1', 2_113), null);
  assert.is(refusal('10.0.0.1', 27_017), null);
  assert.equal(reservedPorts('10.0.0.1'), [443, 2_113]);
  assert.equal(reservedPorts('10.0.0.2'), []);
  assert.equal(reservedPorts('no address'), []);
});

targets('an address that is both reserved and refused by the policy is refused with the reason of the policy', () => {
  const { refusal } = createTargetPolicy({ ...RESERVING, allow: '', policy: 'public', deny: '10.0.0.1' });
  assert.is(refusal('127.0.0.1', 27_017), 'loopback');
  assert.is(refusal('10.0.0.1', 2_113), 'denied');
});

targets('an invalid reserved address reserves nothing', () => {
  const { refusal } = createTargetPolicy({ policy: 'internal', reserved: [{ address: 'db.internal', port: 1 }] });
  assert.is(refusal('127.0.0.1', 1), null);
});

targets('addresses on which the service itself listens are refused as reserved, except for health requests', () => {
  const listeners = [{ address: '0.0.0.0', port: 3_000 }];
  const { refusal, reservedPorts } = createTargetPolicy({ ...RESERVING, listeners });
  for (const address of ['127.0.0.1', '::1', '192.168.1.5', '::ffff:127.0.0.1']) {
    assert.is(refusal(address, 3_000), RESERVED, address);
    assert.is(refusal(address, 3_000, 'health'), null, address);
    assert.is(refusal(address, 27_017, 'health'), RESERVED, address);
    assert.equal(reservedPorts(address), [587, 3_000, 27_017], address);
  }
  assert.is(refusal('10.0.0.1', 3_000), null);
  const strict = createTargetPolicy({ policy: 'public', listeners });
  assert.is(strict.refusal('127.0.0.1', 3_000, 'health'), 'loopback');
});

targets.run();
