import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RecordType } from '../../../../domain/check/types/dns.ts';
import { differenceOf } from '../../../../probes/dns/expectations.ts';

const comparison = suite('comparing dns answers with expected answers');

const same = (type: RecordType, answer: string, ...spellings: string[]): void => {
  for (const expected of spellings)
    assert.equal(differenceOf(type, [answer], [expected]), { missing: [], unexpected: [] }, `${type} ${expected}`);
};
const other = (type: RecordType, answer: string, ...spellings: string[]): void => {
  for (const expected of spellings)
    assert.equal(differenceOf(type, [answer], [expected]), { missing: [expected], unexpected: [answer] }, expected);
};

comparison('dns answers match in any order, with or without repetitions', () => {
  assert.equal(differenceOf('A', ['192.0.2.1', '192.0.2.2'], ['192.0.2.2', '192.0.2.1', '192.0.2.1']), {
    missing: [],
    unexpected: [],
  });
});

comparison('a difference between dns answers names missing and unexpected answers', () => {
  assert.equal(differenceOf('NS', ['a.example.', 'b.example.'], ['B.example', 'c.example', 'd.example']), {
    missing: ['c.example', 'd.example'],
    unexpected: ['a.example.'],
  });
  assert.equal(differenceOf('A', [], ['192.0.2.1']), { missing: ['192.0.2.1'], unexpected: [] });
});

comparison('names in dns answers match in any case, with or without the final dot, and in IDNA spelling', () => {
  same('CNAME', 'web.example.', 'web.example', 'WEB.Example.', '  web.example ', '\\119eb.example');
  same('PTR', 'xn--bcher-kva.example.', 'bücher.example', 'BÜCHER.example.', 'xn--bcher-kva.example');
  same('NS', 'a\\.b.example.', 'a\\.b.example', 'A\\046b.example');
  other('CNAME', 'web.example.', 'web.example.com', 'a.b..c', '', 'web example');
});

comparison('addresses in dns answers match in any spelling', () => {
  same('AAAA', '2001:db8::1', '2001:DB8::1', '2001:0db8:0:0::0001', ' 2001:db8::1 ');
  same('AAAA', '::ffff:192.0.2.1', '::FFFF:c000:201');
  same('AAAA', '::192.0.2.1', '::c000:201');
  other('AAAA', '::ffff:192.0.2.1', '192.0.2.1', '::192.0.2.1');
  other('A', '192.0.2.1', '192.0.2.01', '192.0.513', 'x');
});

comparison('numbers and white space in dns answers match in any spelling', () => {
  same('MX', '10 mail.example.', '10 mail.example', ' 010\t MAIL.example. ');
  other('MX', '10 mail.example.', 'mail.example', '20 mail.example.', '10 mail.example. x', '-10 mail.example.');
  same('SOA', 'ns.example. root.example. 1 2 3 4 5', 'ns.example  root.example 1 2 3 4\n5');
  same('SRV', '1 2 5060 sip.example.', '1 2 5060 sip.example');
  same('DS', '1 13 2 ABCDEF', '1 13 2 abc def');
  same('DNSKEY', '257 3 13 YWJjZA==', '257 3 13 YWJj ZA==');
  other('DNSKEY', '257 3 13 YWJjZA==', '257 3 13 ywjjza==');
  same('TLSA', '3 1 1 0A0B', '3 1 1 0a0b');
  same('SSHFP', '4 2 0A0B', '4 2 0a 0b');
});

comparison('texts in dns answers match with or without quotes, in one string or in several', () => {
  same('TXT', 'v=spf1 -all', 'v=spf1 -all', '"v=spf1 -all"', '"v=spf1 " "-all"', ' "v=spf1"  " -all" ', 'v=spf1  -all');
  same('TXT', 'say \\"a\\\\b\\"', 'say "a\\b"', 'say \\"a\\\\b\\"', '"say \\"a\\\\b\\""');
  same('TXT', 'gr\\195\\188n', 'grün', '"grün"', 'gr\\195\\188n', '"gr\\195\\188n"');
  same('TXT', '', '', '""');
  same('TXT', 'a=1; b="2"'.replaceAll('"', '\\"'), 'a=1; b="2"');
  other('TXT', 'v=spf1 -all', 'V=SPF1 -all', 'v=spf1-all', '"v=spf1" "-all"');
});

comparison('a text in a dns answer differs from a text that contains quotes', () => {
  other('TXT', '\\"v=spf1 -all\\"', '"v=spf1 -all"', 'v=spf1 -all');
  same('TXT', '\\"v=spf1 -all\\"', '"\\"v=spf1 -all\\""', '\\"v=spf1 -all\\"');
});

comparison('fields of dns answers match with or without quotes', () => {
  same('CAA', '0 issue "ca.example"', '0 issue ca.example', '0 ISSUE "ca.example"', '0 issue "c\\097.example"');
  other('CAA', '0 issue "ca.example"', '0 issue "CA.example"', '128 issue "ca.example"', '0 issue');
  same('NAPTR', '1 2 "U" "E2U+sip" "!a b!" .', '1 2 U E2U+sip "!a b!" .');
});

comparison('service parameters in dns answers match in any order, with or without quotes', () => {
  same(
    'HTTPS',
    '1 . alpn="h2,h3" port=8443 ipv6hint=2001:db8::1',
    '1 . alpn=h2,h3 port=8443 ipv6hint=2001:DB8:0::1',
    '1 . IPV6HINT="2001:db8::1" key3=08443 alpn="h2,h3"'.replace('key3=08443', 'port=08443'),
  );
  same('SVCB', '1 . mandatory=alpn,port alpn="h2" port=1', '1 . mandatory=port,alpn port=1 alpn="h2"');
  same('SVCB', '1 . alpn="f\\\\\\\\oo\\\\,bar,a\\032b"', '1 . alpn="f\\\\\\\\oo\\\\,bar,a b"');
  same('SVCB', '1 . dohpath="/q{?dns}" key667="a"', '1 . key667=a key7="/q{?dns}"');
  same('HTTPS', '0 other.example.', '0 Other.example');
  other('HTTPS', '1 . alpn="h2,h3"', '1 . alpn="h3,h2"', '1 .', '1 . alpn=h2,h3 unknown=1', '1 . port=x');
});

comparison('the comparison of dns answers takes little time, whatever the expected answers are', () => {
  const shapes = ['"'.repeat(4_000), '\\'.repeat(3_999), 'a='.repeat(2_000), '" "'.repeat(1_300), '\\"'.repeat(2_000)];
  for (const shape of shapes)
    for (const type of ['TXT', 'CAA', 'HTTPS', 'NS', 'AAAA'] as const)
      other(type, 'x', ...Array.from({ length: 20 }, (_, index) => `${shape}${index}`));
});

comparison.run();
