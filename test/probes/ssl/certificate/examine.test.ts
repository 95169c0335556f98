import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Value } from '@sinclair/typebox/value';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CertificateInfo } from '../../../../domain/check/types/certificate-info.ts';
import { anchorsIn } from '../../../../probes/ssl/certificate/anchors.ts';
import { examineCertificate } from '../../../../probes/ssl/examine-certificate.ts';
import { createAuthority, hasOpenssl, type Made, type Wanted } from './authority.ts';

const examining = suite('examining certificates');

const NOW = Date.parse('2026-11-20T12:00:00Z');

if (hasOpenssl()) {
  const authority = createAuthority();
  const { make, file } = authority;
  const root = make('root', { authority: true, subject: '/C=DE/O=Tests/CN=Root' });
  const middle = make('middle', { by: 'root', authority: true, subject: '/C=DE/O=Tests/CN=Middle' });
  examining.after(() => {
    authority.close();
  });

  const examine = (
    chain: readonly Made[],
    { host = 'a.test', trusted = [root], now = NOW }: { host?: string; trusted?: readonly Made[]; now?: number } = {},
  ): CertificateInfo => {
    const { info } = examineCertificate(
      { chain: chain.map(({ der }) => der), staple: null },
      { host, now, anchors: anchorsIn(trusted.map(({ cert }) => cert)) },
    );
    if (!info) throw new Error('The certificate cannot be read.');
    assert.ok(Value.Check(CertificateInfo, info), JSON.stringify(info));
    for (const { details } of info.problems) assert.match(details, /^[A-Z][^\r\n\0]{5,380}\.$/);
    for (const note of info.notes) assert.match(note, /^[A-Z][^\r\n\0]{5,380}\.$/);
    return info;
  };

  /** Returns whether OpenSSL accepts the same certificates. */
  const opensslAccepts = (chain: readonly Made[], trusted: readonly Made[], now = NOW): boolean => {
    const [leaf, ...others] = chain;
    writeFileSync(file('referee-leaf'), leaf?.cert ?? '');
    writeFileSync(file('referee-others'), others.map(({ cert }) => cert).join(''));
    writeFileSync(file('referee-roots'), trusted.map(({ cert }) => cert).join(''));
    const words = ['verify', '-no-CApath', '-no-CAstore', '-CAfile', file('referee-roots'), '-purpose', 'sslserver'];
    const more = ['-auth_level', '0', '-attime', Math.floor(now / 1_000).toString()];
    if (others.length > 0) more.push('-untrusted', file('referee-others'));
    return spawnSync('openssl', [...words, ...more, file('referee-leaf')]).status === 0;
  };

  const leaf = (name: string, wanted: Wanted = {}): Made =>
    make(name, { by: 'middle', names: 'DNS:a.test', ...wanted });
  const good = leaf('good', { subject: '/O=Sh\\+op, Inc./CN=a.test' });

  examining('a valid certificate is described completely', () => {
    const info = examine([good, middle]);
    const { chain, path, fingerprint_sha256, serial_number, ...facts } = info;
    assert.match(fingerprint_sha256, /^[0-9A-F]{64}$/);
    assert.match(serial_number, /^[0-9A-F]+$/);
    assert.equal(
      chain.map(({ subject, issuer }) => [subject, issuer]),
      [
        ['CN=a.test,O=Sh\\+op\\, Inc.', 'CN=Middle,O=Tests,C=DE'],
        ['CN=Middle,O=Tests,C=DE', 'CN=Root,O=Tests,C=DE'],
      ],
    );
    assert.equal(
      path?.map(({ subject }) => subject),
      ['CN=a.test,O=Sh\\+op\\, Inc.', 'CN=Middle,O=Tests,C=DE', 'CN=Root,O=Tests,C=DE'],
    );
    assert.equal(facts, {
      cert_date_valid: true,
      hostname_mismatch: false,
      in_trust_store: true,
      is_ev_cert: false,
      is_revoked: null,
      subject: 'CN=a.test,O=Sh\\+op\\, Inc.',
      issuer: 'CN=Middle,O=Tests,C=DE',
      not_before: '2020-01-01T00:00:00.000000',
      not_after: '2099-01-01T00:00:00.000000',
      key_type: 'EC',
      key_size: 256,
      signature_algorithm: 'ecdsa-with-SHA256',
      ocsp_stapling_details: {
        stapled: false,
        valid: null,
        status: null,
        produced_at: null,
        this_update: null,
        next_update: null,
        details: 'The server staples no OCSP response.',
      },
      revocation: { source: null, revoked_at: null, reason: null, details: 'Revocation was not checked.' },
      days_left: 26_339,
      subject_alternative_names: ['a.test'],
      subject_alternative_names_total: 1,
      key_curve: 'P-256',
      self_signed: false,
      validation: null,
      must_staple: false,
      embedded_scts: 0,
      chain_total: 2,
      problems: [],
      notes: [],
    });
  });

  const problemOf = (info: CertificateInfo) => info.problems.map(({ code, details }) => [code, details]);

  examining('an expired certificate is reported', () => {
    const info = examine([leaf('expired', { until: '20261117000000Z' }), middle]);
    assert.is(info.cert_date_valid, false);
    assert.is(info.in_trust_store, true);
    assert.is(info.days_left, -4);
    assert.equal(problemOf(info), [
      ['expired', 'Certificate expired 3 days ago, on 2026-11-17: renew it and make the server load the new one.'],
    ]);
  });

  examining('a certificate that is not valid yet is reported', () => {
    const info = examine([leaf('early', { from: '20261201000000Z' }), middle]);
    assert.is(info.cert_date_valid, false);
    assert.equal(problemOf(info), [
      ['not_yet_valid', 'Certificate is not valid before 2026-12-01, which is in 10 days.'],
    ]);
  });

  examining('a certificate is valid in its first and its last second', () => {
    const made = leaf('short', { from: '20260101000000Z', until: '20260201000000Z' });
    const isValid = (time: string): boolean => examine([made, middle], { now: Date.parse(time) }).cert_date_valid;
    assert.equal(
      ['2025-12-31T23:59:59Z', '2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z', '2026-02-01T00:00:01Z'].map(isValid),
      [false, true, true, false],
    );
  });

  const namesOf = (made: Made, host: string): boolean => !examine([made, middle], { host }).hostname_mismatch;

  examining('host names match subject alternative names by RFC 9525', () => {
    const made = leaf('names', {
      names:
        'DNS:a.test,DNS:*.wild.test,DNS:w*.half.test,DNS:xn--bcher-kva.test,DNS:UPPER.test,IP:192.0.2.1,IP:2001:db8::1',
      subject: '/CN=common.test',
    });
    const hosts: Record<string, boolean> = {
      'a.test': true,
      'A.TEST.': true,
      'b.test': false,
      'sub.a.test': false,
      'b.wild.test': true,
      'c.b.wild.test': false,
      'wild.test': false,
      '*.wild.test': true,
      'www.half.test': false,
      'bücher.test': true,
      'xn--bcher-kva.test': true,
      'upper.test': true,
      '192.0.2.1': true,
      '192.0.2.2': false,
      '2001:DB8:0::1': true,
      '[2001:db8::1]': true,
      '2001:db8::2': false,
      'common.test': false,
    };
    for (const [host, expected] of Object.entries(hosts)) assert.is(namesOf(made, host), expected, host);
  });

  examining('DNS names do not match addresses, and a wildcard for everything matches no name', () => {
    const made = leaf('odd-names', { names: 'DNS:192.0.2.1,DNS:*' });
    assert.is(namesOf(made, '192.0.2.1'), false);
    assert.is(namesOf(made, 'test'), false);
    assert.is(namesOf(made, 'a.test'), false);
  });

  examining('a certificate for another host is reported with the names in it', () => {
    const made = leaf('other', {
      names: Array.from({ length: 150 }, (_, index) => `DNS:n${index}.test`).join(),
    });
    const info = examine([made, middle]);
    assert.equal(problemOf(info), [
      [
        'hostname_mismatch',
        'Certificate is not for a.test, only for n0.test, n1.test, n2.test, n3.test, n4.test and 145 more.',
      ],
    ]);
    assert.is(info.subject_alternative_names.length, 100);
    assert.is(info.subject_alternative_names_total, 150);
  });

  examining('a certificate that names its host only in the common name is reported', () => {
    const made = make('cn-only', { by: 'middle', subject: '/CN=a.test' });
    const info = examine([made, middle]);
    assert.is(info.hostname_mismatch, true);
    assert.equal(problemOf(info), [
      [
        'hostname_mismatch',
        'Certificate has no subject alternative name, and clients ignore its common name "a.test": get one that has the name a.test.',
      ],
    ]);
  });

  examining('a self-signed certificate is reported, unless it is trusted', () => {
    const made = make('selfmade', { names: 'DNS:a.test' });
    const info = examine([made]);
    assert.is(info.self_signed, true);
    assert.is(info.in_trust_store, false);
    assert.equal(problemOf(info), [
      [
        'self_signed',
        'Certificate is self-signed: use one from an authority, or name it in `ca_certificate` if this is intended.',
      ],
    ]);
    const trusted = examine([made], { trusted: [made] });
    assert.is(trusted.in_trust_store, true);
    assert.equal(trusted.problems, []);
    const signing = make('signing', { names: 'DNS:a.test', extensions: ['keyUsage = critical,digitalSignature'] });
    assert.is(examine([signing]).problems[0]?.code, 'self_signed');
    assert.equal(
      trusted.path?.map(({ subject }) => subject),
      ['CN=selfmade'],
    );
  });

  examining('a certificate with an untrusted root is reported', () => {
    const info = examine([good, middle, root], { trusted: [] });
    assert.equal(problemOf(info), [
      [
        'unknown_root',
        'Certificate leads to the root "Root", which is not trusted: name it in `ca_certificate` if it is yours.',
      ],
    ]);
  });

  examining('an incomplete chain is reported, with the location of the missing certificate', () => {
    const made = leaf('alone', { extensions: ['authorityInfoAccess = caIssuers;URI:http://ca.test/middle.der'] });
    assert.equal(problemOf(examine([made])), [
      [
        'incomplete_chain',
        'Certificate chain is incomplete: the server does not send the certificate of the issuer "Middle" (http://ca.test/middle.der), which is not a trusted root either.',
      ],
    ]);
    assert.is(examine([good]).problems[0]?.code, 'incomplete_chain');
  });

  examining('a certificate is accepted if its intermediate certificate is itself trusted', () => {
    assert.is(examine([good], { trusted: [middle] }).in_trust_store, true);
  });

  examining('chains in the wrong order, or with unneeded or repeated certificates, are noted', () => {
    const second = make('second', { by: 'middle', authority: true, subject: '/CN=Second' });
    const below = make('below', { by: 'second', names: 'DNS:a.test' });
    const info = examine([below, root, middle, second, good, second]);
    assert.equal(info.problems, []);
    assert.equal(info.notes, [
      'The server sends a certificate more than once.',
      'The server also sends the root certificate "Root", which clients already have.',
      'The server sends certificates that do not belong to its path: "a.test".',
      'The server sends its certificates in the wrong order: each must be followed by that of its issuer (RFC 5246, 7.4.2).',
    ]);
    assert.is(info.chain_total, 6);
    assert.equal(examine([below, second, middle]).notes, []);
  });

  examining('an issuer that expires before the certificate is reported', () => {
    const brief = make('brief', { by: 'root', authority: true, until: '20261224000000Z' });
    const info = examine([make('longer', { by: 'brief', names: 'DNS:a.test' }), brief]);
    assert.equal(info.notes, ['Certificate of the issuer "brief" expires before the server\'s own, on 2026-12-24.']);
  });

  examining('another path is found that avoids an expired issuer', () => {
    const old = make('old', {
      by: 'root',
      authority: true,
      subject: '/C=DE/O=Tests/CN=Middle',
      keyOf: 'middle',
      until: '20250101000000Z',
    });
    const stale = examine([good, old]);
    assert.equal(problemOf(stale), [
      ['expired_issuer', 'Certificate of the issuer "Middle" expired on 2025-01-01: put its current one in the chain.'],
    ]);
    assert.is(stale.in_trust_store, false);
    const both = examine([good, old, middle]);
    assert.equal(both.problems, []);
    assert.ok(both.notes.includes('The server sends expired certificates of issuers: "Middle".'));
  });

  examining('a wrong issuer certificate is reported', () => {
    const impostor = make('impostor', { by: 'root', authority: true, subject: '/C=DE/O=Tests/CN=Middle' });
    assert.is(examine([good, impostor]).problems[0]?.code, 'bad_signature');
    assert.equal(examine([good, impostor, middle]).problems, []);
  });

  /** Returns chains that are invalid only because of an authority's restrictions, and similar chains that are valid. */
  const restricted = (): [string, readonly Made[], boolean][] => {
    const below = (name: string, extensions: readonly string[], wanted: Wanted = {}): Made[] => {
      const issuer = make(`${name}-ca`, {
        by: 'root',
        authority: true,
        ...(extensions.length > 0 && { extensions }),
        ...wanted,
      });
      return [make(name, { by: `${name}-ca`, names: 'DNS:a.test,IP:192.0.2.1' }), issuer];
    };
    const twice = (length: number): Made[] => {
      const name = `length-${length}`;
      const outer = make(`${name}-outer`, {
        by: 'root',
        extensions: [`basicConstraints = critical,CA:TRUE,pathlen:${length}`],
      });
      const inner = make(`${name}-inner`, { by: `${name}-outer`, authority: true });
      return [make(name, { by: `${name}-inner`, names: 'DNS:a.test' }), inner, outer];
    };
    return [
      ['no authority', below('no-ca', ['basicConstraints = critical,CA:FALSE']), false],
      ['without keyCertSign', below('no-sign', ['keyUsage = critical,digitalSignature']), false],
      ['with keyCertSign', below('sign', ['keyUsage = critical,keyCertSign']), true],
      ['for clients', below('clients', ['extendedKeyUsage = clientAuth']), false],
      ['for servers', below('servers', ['extendedKeyUsage = serverAuth,clientAuth']), true],
      ['a path of 0', twice(0), false],
      ['a path of 1', twice(1), true],
      ['permitted names', below('permitted', ['nameConstraints = critical,permitted;DNS:test']), true],
      ['permitted others', below('forbidden', ['nameConstraints = critical,permitted;DNS:example']), false],
      ['excluded names', below('excluded', ['nameConstraints = excluded;DNS:a.test']), false],
      ['excluded others', below('not-excluded', ['nameConstraints = excluded;DNS:b.test']), true],
      ['permitted range', below('range', ['nameConstraints = permitted;IP:192.0.2.0/255.255.255.0']), true],
      ['other range', below('other-range', ['nameConstraints = permitted;IP:10.0.0.0/255.0.0.0']), false],
      ['critical extension', below('critical', ['1.2.3.4 = critical,ASN1:NULL']), false],
      ['a leaf for clients', [leaf('client', { extensions: ['extendedKeyUsage = clientAuth'] }), middle], false],
      ['a leaf for servers', [leaf('server', { extensions: ['extendedKeyUsage = serverAuth'] }), middle], true],
      [
        'a leaf with a critical extension',
        [leaf('strange', { extensions: ['1.2.3.4 = critical,ASN1:NULL'] }), middle],
        false,
      ],
      ['a 1,024-bit root', [make('weak', { by: 'weak-root', names: 'DNS:a.test' }), middle], false],
    ];
  };

  examining('issuers that are not allowed to issue are reported, in agreement with OpenSSL', () => {
    make('weak-root', { key: 'rsa-1024', authority: true });
    for (const [name, chain, expected] of restricted()) {
      const info = examine(chain);
      assert.is(info.in_trust_store, expected, `${name}: ${JSON.stringify(info.problems)}`);
      assert.is(opensslAccepts(chain, [root]), expected, `openssl: ${name}`);
      if (!expected && name !== 'a 1,024-bit root') assert.is(info.problems[0]?.code, 'not_permitted', name);
    }
  });

  examining('the number of comparisons between names and constraints is limited', () => {
    const many = (entry: string): string => Array.from({ length: 600 }, () => entry).join(',');
    const issuer = make('constrained', {
      by: 'root',
      authority: true,
      extensions: [`nameConstraints = ${many('excluded;DNS:b')}`],
    });
    const chainOf = (name: string, names: string) => [make(name, { by: 'constrained', names }), issuer];
    assert.is(examine(chainOf('few-names', 'DNS:a.test')).in_trust_store, true);
    assert.equal(problemOf(examine(chainOf('many-names', many('DNS:a.test')))), [
      [
        'not_permitted',
        'Certificate of the issuer "constrained" limits too many names for this certificate to be checked.',
      ],
    ]);
  });

  examining('every kind of key and signature is supported', () => {
    const kinds: [Wanted, Partial<CertificateInfo>][] = [
      [{ key: 'rsa-2048' }, { key_type: 'RSA', key_size: 2_048, key_curve: null }],
      [{ key: 'p384' }, { key_type: 'EC', key_size: 384, key_curve: 'P-384' }],
      [{ key: 'ed25519' }, { key_type: 'Ed25519', key_size: 256, key_curve: null }],
    ];
    for (const [wanted, expected] of kinds) {
      const info = examine([leaf(`kind-${wanted.key ?? ''}`, wanted), middle]);
      for (const [fact, value] of Object.entries(expected)) assert.is(info[fact as keyof CertificateInfo], value);
      assert.equal([info.problems, info.notes], [[], []]);
    }
    const edRoot = make('ed-root', { key: 'ed25519', authority: true });
    const ed = examine([make('ed', { by: 'ed-root', names: 'DNS:a.test' })], { trusted: [edRoot] });
    assert.equal([ed.signature_algorithm, ed.in_trust_store], ['Ed25519', true]);
  });

  examining('keys and signatures that clients refuse are noted', () => {
    const rsaRoot = make('rsa-root', { key: 'rsa-2048', authority: true });
    const sha1 = examine([make('sha1', { by: 'rsa-root', names: 'DNS:a.test', digest: 'sha1' })], {
      trusted: [rsaRoot],
    });
    assert.is(sha1.signature_algorithm, 'sha1WithRSAEncryption');
    assert.equal(sha1.notes, [
      'Certificate "sha1" is signed with sha1WithRSAEncryption, which clients refuse as too weak.',
    ]);
    const small = examine([leaf('small', { key: 'rsa-1024' }), middle]);
    assert.is(small.key_size, 1_024);
    assert.equal(small.notes, ['The key has only 1024 bits: clients refuse RSA keys of fewer than 2048.']);
  });

  examining('CA/Browser Forum policies determine the level of validation, and EV requires a trusted root', () => {
    const policies = (oid: string): Wanted => ({
      from: '20260901000000Z',
      until: '20270901000000Z',
      extensions: [`certificatePolicies = ${oid}`],
    });
    const ev = leaf('ev', policies('2.23.140.1.1'));
    // The intermediate certificate names no policy.
    assert.is(examine([ev, middle]).is_ev_cert, false);
    const any = make('any', { by: 'root', authority: true, extensions: ['certificatePolicies = 2.5.29.32.0'] });
    const below = make('ev-below', { by: 'any', names: 'DNS:a.test', ...policies('2.23.140.1.1') });
    assert.equal([examine([below, any]).is_ev_cert, examine([below, any]).validation], [true, 'EV']);
    assert.is(examine([below, any], { trusted: [] }).is_ev_cert, false);
    assert.is(examine([leaf('ov', policies('2.23.140.1.2.2')), middle]).validation, 'OV');
    const dv = examine([leaf('dv', { ...policies('2.23.140.1.2.1'), until: '20280901000000Z' }), middle]);
    assert.is(dv.validation, 'DV');
    assert.equal(dv.notes, [
      'Certificate is valid for 731 days: browsers accept no more than 398.',
      'Certificate contains no signed certificate timestamps, so browsers may refuse it.',
    ]);
  });

  examining('must-staple and embedded timestamps are reported', () => {
    const info = examine([
      leaf('stapling', {
        extensions: [
          'tlsfeature = status_request',
          // Two timestamps of two bytes each.
          '1.3.6.1.4.1.11129.2.4.2 = DER:04:0a:00:08:00:02:01:02:00:02:03:04',
        ],
      }),
      middle,
    ]);
    assert.equal([info.must_staple, info.embedded_scts], [true, 2]);
    assert.equal(info.notes, [
      'Certificate requires a stapled OCSP response (must-staple), but the server sends none: turn on OCSP stapling.',
    ]);
  });

  examining('names in other scripts and of any length are handled', () => {
    const made = leaf('script', { subject: `/O=Bücher 株式会社/CN=${'x'.repeat(60)}` });
    assert.match(examine([made, middle]).subject, /^CN=x{60},O=Bücher 株式会社$/);
  });

  examining('a missing or unreadable certificate is reported', () => {
    const given = { host: 'a.test', now: NOW, anchors: anchorsIn([]) };
    assert.equal(examineCertificate({ chain: [], staple: null }, given), {
      info: null,
      sentence: 'The server showed no certificate.',
    });
    assert.equal(examineCertificate({ chain: [Buffer.from('no certificate')], staple: null }, given), {
      info: null,
      sentence: 'The certificate of the server cannot be read: it is not valid X.509.',
    });
    const info = examineCertificate({ chain: [good.der, Buffer.from('x'), middle.der], staple: null }, given).info;
    assert.ok(info?.notes.includes("The server sends certificates that can't be read: 1."));
  });

  examining('several problems of a certificate are reported, the most severe first', () => {
    const info = examine([make('all-wrong', { names: 'DNS:b.test', until: '20250101000000Z' })]);
    assert.equal(
      info.problems.map(({ code }) => code),
      ['expired', 'hostname_mismatch', 'self_signed'],
    );
  });

  examining('work is limited if a server sends certificates that all seem to have issued each other', () => {
    const all = Array.from({ length: 40 }, (_, index) =>
      make(`maze-${index}`, { authority: true, subject: '/CN=Maze', ...(index > 0 && { keyOf: 'maze-0' }) }),
    );
    const lost = make('lost', { by: 'maze-0', names: 'DNS:a.test' });
    assert.is(examine([lost, ...all]).in_trust_store, false);
  });
} else {
  console.log('skipped: openssl is not installed');
}

examining.run();
