import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CertificateInfo } from '../../../domain/check/types/certificate-info.ts';
import { judgeCertificate } from '../../../probes/ssl/judge-certificate.ts';
import { DAY_SECONDS } from '../../../domain/time.ts';

const judging = suite('evaluating certificates');

const NOW = Date.parse('2026-11-20T12:00:00Z');

const info = (given: Partial<CertificateInfo>): { info: CertificateInfo } => ({
  info: { not_after: '2026-12-01T11:00:00.000000', problems: [], ...given } as CertificateInfo,
});

const judged = (given: Partial<CertificateInfo>, expirationThreshold?: number) => {
  const { failure, expiresSoon } = judgeCertificate(info(given), { expirationThreshold, now: NOW });
  return { failure: failure && [failure.status, failure.reason, failure.message], expiresSoon };
};

const satisfied = { failure: null, expiresSoon: false };

judging('a valid certificate passes without an assertion, even shortly before it expires', () => {
  assert.equal(judged({}), satisfied);
  assert.equal(judged({ not_after: '2026-11-20T12:00:01.000000' }), satisfied);
});

judging('an unknown revocation status is not a failure', () => {
  assert.equal(judged({ is_revoked: null }), satisfied);
});

judging('a certificate that expires within the threshold is reported with the time left', () => {
  assert.equal(judged({}, 14 * DAY_SECONDS), {
    failure: [
      'failed',
      'certificate',
      'Certificate expires in 10 days, on 2026-12-01, which is within the limit of 14 days: renew it.',
    ],
    expiresSoon: true,
  });
  assert.equal(judged({}, 10 * DAY_SECONDS), satisfied);
  assert.is(judged({}, 11 * DAY_SECONDS - 3_600).expiresSoon, true);
  assert.is(judged({}, 11 * DAY_SECONDS - 3_601).expiresSoon, false);
});

judging('an issuer that expires before the certificate is named', () => {
  const issuer_expires_first = { subject: 'R11', not_after: '2026-11-23T12:00:00.000000', days_left: 3 };
  assert.equal(judged({ issuer_expires_first }, 7 * DAY_SECONDS), {
    failure: [
      'failed',
      'certificate',
      'Certificate of the issuer "R11" expires in 3 days, on 2026-11-23, which is within the limit of 7 days: ' +
        'use a certificate of an issuer that lasts longer.',
    ],
    expiresSoon: true,
  });
  assert.equal(judged({ issuer_expires_first }, 2 * DAY_SECONDS), satisfied);
  assert.equal(judged({ issuer_expires_first }), satisfied);
});

judging('the time left of a certificate is given in hours on its last day', () => {
  const sentence = (not_after: string): unknown => judged({ not_after }, DAY_SECONDS).failure?.[2];
  const rest = 'which is within the limit of 1 day: renew it.';
  assert.is(sentence('2026-11-20T17:30:00.000000'), `Certificate expires in 5 hours, on 2026-11-20, ${rest}`);
  assert.is(sentence('2026-11-20T13:00:00.000000'), `Certificate expires in 1 hour, on 2026-11-20, ${rest}`);
  assert.is(sentence('2026-11-20T12:30:00.000000'), `Certificate expires in less than an hour, on 2026-11-20, ${rest}`);
});

judging('current problems of a certificate are reported before future ones', () => {
  const problems = [{ code: 'revoked', details: 'It is revoked.' }];
  assert.equal(judged({ problems }, 14 * DAY_SECONDS), {
    failure: ['failed', 'certificate', 'It is revoked.'],
    expiresSoon: true,
  });
});

judging('as many sentences about a certificate as fit are reported, the most severe first', () => {
  const problem = (length: number) => ({ code: 'x', details: `${'x'.repeat(length - 1)}.` });
  const lengths = (...problems: number[]): number | undefined =>
    (judged({ problems: problems.map(problem) }).failure?.[2] ?? '').length;
  assert.is(lengths(100, 100), 201);
  assert.is(lengths(300, 300, 50), 351);
  assert.is(lengths(600), 600);
});

judging('a missing certificate is reported with the reason for its absence', () => {
  const { failure, expiresSoon } = judgeCertificate(
    { info: null, sentence: 'The server showed no certificate.' },
    { expirationThreshold: DAY_SECONDS, now: NOW },
  );
  assert.equal(
    [failure?.reason, failure?.message, expiresSoon],
    ['certificate', 'The server showed no certificate.', false],
  );
});

judging.run();
