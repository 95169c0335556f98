import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Value } from '@sinclair/typebox/value';
import { CertificateInfo } from '../../../../domain/check/types/certificate-info.ts';
import { anchorsIn } from '../../../../probes/ssl/certificate/anchors.ts';
import { readRevocationList } from '../../../../probes/ssl/certificate/crl.ts';
import { readOcspResponse } from '../../../../probes/ssl/certificate/ocsp.ts';
import { readCertificate } from '../../../../probes/ssl/certificate/read-certificate.ts';
import { examineCertificate } from '../../../../probes/ssl/examine-certificate.ts';
import { fuzz, spoiled, type Random } from '../../fuzz.ts';
import { createAuthority, derOf, hasOpenssl } from './authority.ts';

const fuzzing = suite('certificates with arbitrary bytes');

const flipped = (bytes: Buffer, random: Random): Buffer => {
  const changed = Buffer.from(bytes);
  for (let times = 1 + random.below(4); times > 0; times--) {
    const at = random.below(changed.length);
    changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8));
  }
  return changed;
};

const hurt = (bytes: Buffer, random: Random): Buffer =>
  random.below(4) === 0 ? spoiled(bytes, random) : flipped(bytes, random);

if (hasOpenssl()) {
  const authority = createAuthority();
  const { make } = authority;
  const root = make('root', { authority: true });
  const middle = make('middle', {
    by: 'root',
    authority: true,
    extensions: [
      'nameConstraints = permitted;DNS:test,excluded;IP:10.0.0.0/255.0.0.0',
      'keyUsage = keyCertSign,cRLSign',
    ],
  });
  const leaf = make('leaf', {
    by: 'middle',
    names: 'DNS:a.test,IP:192.0.2.1,email:a@a.test,URI:http://a.test/,dirName:directory',
    subject: '/C=DE/O=Bücher, GmbH/CN=a.test',
    extensions: [
      'authorityInfoAccess = OCSP;URI:http://ocsp.test/,caIssuers;URI:http://ca.test/',
      'crlDistributionPoints = URI:http://crl.test/list.crl',
      'certificatePolicies = 2.23.140.1.2.1',
      'extendedKeyUsage = serverAuth',
      'tlsfeature = status_request',
      '1.3.6.1.4.1.11129.2.4.2 = DER:04:0a:00:08:00:02:01:02:00:02:03:04',
      '[directory]',
      'CN = directory',
    ],
  });
  const staple = authority.ocspResponse('leaf', 'middle');
  const revokedStaple = authority.ocspResponse('leaf', 'middle', { revoked: { leaf: 'keyCompromise' } });
  const list = derOf(authority.list('middle', { revoked: { leaf: 'superseded', root: '' } }));
  const anchors = anchorsIn([root.cert]);
  fuzzing.after(() => {
    authority.close();
  });

  const examine = (chain: readonly Buffer[], stapled: Buffer | null) =>
    examineCertificate({ chain, staple: stapled }, { host: 'a.test', now: Date.now(), anchors });

  fuzzing('unchanged certificates are parsed correctly', () => {
    const { info } = examine([leaf.der, middle.der], staple);
    assert.equal([info?.in_trust_store, info?.is_revoked, info?.problems], [true, false, []]);
  });

  fuzzing('changed certificates never lead to a trusted path, nor to unprintable text', () =>
    fuzz('certificates', 20_000, async (random) => {
      await Promise.resolve();
      const spoil = [random.below(3) > 0, random.below(2) === 0];
      const chain = [leaf.der, middle.der].map((der, index) => (spoil[index] ? hurt(der, random) : der));
      const { info, ...rest } = examine(chain, random.pick([null, staple, hurt(staple, random)]));
      if (!info) {
        assert.match((rest as { sentence: string }).sentence, /^The certificate of the server cannot be read/);
        return;
      }
      assert.ok(Value.Check(CertificateInfo, info), JSON.stringify(info));
      assert.ok(JSON.stringify(info).length < 32_768);
      // The signature of a changed certificate can't be valid.
      const isSame = chain[0]?.equals(leaf.der) === true && chain[1]?.equals(middle.der) === true;
      if (!isSame) assert.is(info.in_trust_store, false);
      for (const sentence of [...info.notes, ...info.problems.map(({ details }) => details)])
        assert.match(sentence, /^[^\p{Cc}\p{Cf}]{5,400}\.$/u);
    }),
  );

  fuzzing('changed revocation responses never report a good certificate', () =>
    fuzz('OCSP responses and lists', 20_000, async (random) => {
      await Promise.resolve();
      const [certificate, issuer] = [readCertificate(leaf.der), readCertificate(middle.der)];
      const given = { issuer, now: Date.now() };
      const { answer } = readOcspResponse(hurt(revokedStaple, random), certificate, given);
      assert.ok(!answer || answer.status === 'revoked', JSON.stringify(answer));
      const found = readRevocationList(hurt(list, random), certificate, given).answer;
      assert.ok(!found || found.status === 'revoked', JSON.stringify(found));
    }),
  );

  /** Returns the DER encoding of this number of names, as an extension in openssl's configuration. */
  const manyNames = (count: number, name: string): string => {
    const names = Buffer.concat(
      Array.from({ length: count }, () => Buffer.concat([Buffer.from([0x82, name.length]), Buffer.from(name)])),
    );
    const head = Buffer.from(`3083${names.length.toString(16).padStart(6, '0')}`, 'hex');
    return `subjectAltName = DER:${Buffer.concat([head, names]).toString('hex')}`;
  };

  fuzzing('certificates with five thousand names or more are handled', () => {
    const some = make('some', { by: 'root', extensions: [manyNames(5_000, 'n.test')] });
    const { info } = examine([some.der], null);
    assert.equal([info?.subject_alternative_names_total, info?.subject_alternative_names.length], [5_000, 100]);
    const many = make('many', { by: 'root', extensions: [manyNames(40_000, 'n')] });
    assert.is(examine([many.der], null).info, null);
  });

  fuzzing('certificates with deeply nested structures are handled', () => {
    let nested: Buffer = Buffer.alloc(0);
    for (let depth = 0; depth < 20_000; depth++)
      nested = Buffer.concat([Buffer.from(`3083${nested.length.toString(16).padStart(6, '0')}`, 'hex'), nested]);
    const deep = make('deep', { by: 'root', extensions: [`subjectAltName = DER:${nested.toString('hex')}`] });
    assert.is(examine([deep.der], null).info, null);
  });
} else {
  console.log('skipped: openssl is not installed');
}

fuzzing.run();
