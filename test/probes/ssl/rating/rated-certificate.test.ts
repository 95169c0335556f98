import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CertificateInfo, ChainCertificate } from '../../../../domain/check/types/certificate-info.ts';
import { ratedCertificate } from '../../../../probes/ssl/rating/rated-certificate.ts';

const counts = suite('facts about a certificate that affect the rating');

const one = (name: string, signature_algorithm = 'sha256WithRSAEncryption'): ChainCertificate => ({
  subject: `CN=${name}`,
  issuer: 'CN=someone',
  serial_number: '01',
  not_before: '2026-01-01T00:00:00.000000',
  not_after: '2027-01-01T00:00:00.000000',
  key_type: 'RSA',
  key_size: 2_048,
  signature_algorithm,
  fingerprint_sha256: name,
});

const leaf = one('leaf');
const issuer = one('issuer', 'ecdsa-with-SHA1');
const root = one('root', 'md5WithRSAEncryption');

const info = (chain: ChainCertificate[], path: ChainCertificate[] | null, more = {}): CertificateInfo =>
  ({
    ...leaf,
    cert_date_valid: true,
    hostname_mismatch: false,
    in_trust_store: path !== null,
    is_revoked: null,
    chain,
    chain_total: chain.length,
    path,
    ...more,
  }) as CertificateInfo;

counts('the signature of every certificate except the root affects the rating', () => {
  const { signature_algorithms } = ratedCertificate(info([leaf, issuer], [leaf, issuer, root]));
  assert.equal(signature_algorithms, ['sha256WithRSAEncryption', 'ecdsa-with-SHA1']);
  assert.equal(ratedCertificate(info([leaf, issuer], null)).signature_algorithms, ['sha256WithRSAEncryption']);
  assert.equal(ratedCertificate(info([root], [root])).signature_algorithms, []);
});

counts('a chain is complete if the server sent all of its certificates, with or without the root', () => {
  assert.is(ratedCertificate(info([leaf, issuer], [leaf, issuer, root])).chain_complete, true);
  assert.is(ratedCertificate(info([leaf], [leaf, issuer, root])).chain_complete, false);
  assert.is(ratedCertificate(info([leaf], [leaf, issuer, root], { chain_total: 11 })).chain_complete, true);
});

counts('facts about a certificate other than its signatures and its chain are copied from the result', () => {
  const { in_time, matches_host, trusted, revoked, key_type, key_bits } = ratedCertificate(info([leaf], null));
  assert.equal(
    { in_time, matches_host, trusted, revoked, key_type, key_bits },
    { in_time: true, matches_host: true, trusted: false, revoked: null, key_type: 'RSA', key_bits: 2_048 },
  );
});

counts.run();
