import { X509Certificate } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { chainExpiryOf, subjectName } from '../../../../network/chain-expiry.ts';
import { anchorsIn } from '../../../../probes/ssl/certificate/anchors.ts';
import { examineCertificate } from '../../../../probes/ssl/examine-certificate.ts';
import { createAuthority, hasOpenssl, type Made } from './authority.ts';

const test = suite('the first certificate of a chain to expire');

const NOW = Date.parse('2026-11-20T12:00:00Z');

if (!hasOpenssl()) console.log('  skipped: openssl is not installed');
else {
  const { make, close } = createAuthority();
  test.after(close);

  const soon = '20261124000000Z';
  const root = make('Root', { authority: true });
  const brief = make('Brief', { by: 'Root', authority: true, until: soon });
  const byBrief = make('by-brief', { by: 'Brief', names: 'DNS:a.test', until: '20270201000000Z' });
  const shorter = make('shorter', { by: 'Brief', names: 'DNS:a.test', until: '20261122000000Z' });
  const ending = make('Ending', { authority: true, until: soon });
  const byEnding = make('by-ending', { by: 'Ending', names: 'DNS:a.test' });
  // ISRG Root X1 was in this situation: trusted itself, and cross-signed by an older root.
  const older = make('Older', { authority: true });
  const newer = make('Newer', { authority: true });
  const cross = make('cross', { by: 'Older', keyOf: 'Newer', subject: '/CN=Newer', authority: true, until: soon });
  const issuing = make('Issuing', { by: 'Newer', authority: true });
  const crossed = make('crossed', { by: 'Issuing', names: 'DNS:a.test', until: '20270201000000Z' });

  const CHAINS: readonly [
    title: string,
    chain: readonly [Made, ...Made[]],
    trusted: readonly Made[],
    first: string | null,
  ][] = [
    ['is an issuer', [byBrief, brief], [root], 'Brief'],
    ['is an issuer, even if the server also sends the root', [byBrief, brief, root], [root], 'Brief'],
    ['is not an issuer that outlasts the certificate of the server', [shorter, brief], [root], null],
    ['is the root, whose validity clients also check', [byEnding], [ending], 'Ending'],
    ['is an issuer that is trusted without its root', [byBrief, brief], [brief], 'Brief'],
    [
      'is not in a path for which clients have a longer-lasting alternative',
      [crossed, issuing, cross],
      [older, newer],
      null,
    ],
    ['is not in a path that clients do not need', [crossed, issuing, cross], [newer], null],
    ['is a cross-signed issuer if there is no other path', [crossed, issuing, cross], [older], 'Newer'],
    ['is not a certificate that the server sends needlessly', [crossed, issuing, brief], [newer], null],
    ['is not an issuer if the certificate of the server is itself trusted', [byBrief, brief], [byBrief], null],
  ];

  for (const [title, chain, trusted, first] of CHAINS)
    test(`in a chain of ${chain.length} certificates, the certificate that expires first ${title} (trusted certificates: ${trusted.length})`, () => {
      const pem = trusted.map(({ cert }) => cert);
      const { info } = examineCertificate(
        { chain: chain.map(({ der }) => der), staple: null },
        { host: 'a.test', now: NOW, anchors: anchorsIn(pem) },
      );
      assert.equal(info?.problems, []);
      const expected = first && { subject: first, not_after: '2026-11-24T00:00:00.000000', days_left: 3 };
      assert.equal(info?.issuer_expires_first ?? null, expected);

      const [leaf, ...sent] = chain.map(({ cert }) => new X509Certificate(cert));
      if (!leaf) throw new Error('There is no certificate.');
      const end = chainExpiryOf([leaf, ...sent], { trust: [], ca: pem.join('\n') }, NOW);
      assert.is(subjectName(end.certificate), first ?? subjectName(leaf));
      assert.is(end.notAfter, Date.parse(first ? '2026-11-24T00:00:00Z' : leaf.validTo));
    });

  test('the search for the certificate that expires first tries few paths, whatever a server sends', () => {
    const alike = Array.from({ length: 40 }, (_, place) =>
      make(`alike-${place}`, { subject: '/CN=Alike', authority: true, by: 'Root', keyOf: 'Root' }),
    );
    const leaf = make('by-alike', { by: 'alike-0', names: 'DNS:a.test' });
    const chain = [leaf, ...alike].map(({ cert }) => new X509Certificate(cert)) as [X509Certificate];
    assert.is(chainExpiryOf(chain, { trust: [], ca: brief.cert }, NOW).certificate, chain[0]);
  });
}

test.run();
