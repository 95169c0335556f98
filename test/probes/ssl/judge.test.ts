import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ProbeFailure } from '../../../probes/engine/probe-failure.ts';
import { judge, type SslJudgmentFacts } from '../../../probes/ssl/judge.ts';

const judging = suite('evaluating TLS servers');

const good = { failure: null, expiresSoon: false };
const rating = { score: 93, grade: 'A', deductions: ['Cipher strength has 90 of 100 points.'] } as const;
const expired = new ProbeFailure('failed', 'certificate', 'Certificate expired yesterday.');
const leaking = { vulnerable: true, tested: true, details: 'The server leaks its memory (Heartbleed).' };
const weak = { vulnerable: true, tested: true, details: 'The server accepts RC4.' };

const judged = (known: Partial<Omit<SslJudgmentFacts, 'rating'>> & { rating?: unknown }) => {
  const { failure, assertionFailed } = judge({
    certificate: good,
    vulnerabilities: {},
    rating,
    missing: [],
    wantedScore: undefined,
    ...known,
  } as SslJudgmentFacts);
  return { status: failure?.status ?? 'ok', reason: failure?.reason, sentence: failure?.message, assertionFailed };
};

const ok = { status: 'ok', reason: undefined, sentence: undefined, assertionFailed: false };
const failed = (reason: string, sentence: string, assertionFailed = false) => ({
  status: 'failed',
  reason,
  sentence,
  assertionFailed,
});

judging('a good TLS server passes, and a server with a bad score passes unless a score is required', () => {
  assert.equal(judged({}), ok);
  assert.equal(judged({ rating: { ...rating, score: 19, grade: 'F' } }), ok);
  assert.equal(judged({ wantedScore: 93 }), ok);
});

judging('an ssl check fails if the certificate is bad', () => {
  assert.equal(
    judged({ certificate: { failure: expired, expiresSoon: false } }),
    failed('certificate', 'Certificate expired yesterday.'),
  );
});

judging('an ssl check fails if the certificate expires within the threshold', () => {
  const failure = new ProbeFailure('failed', 'certificate', 'Certificate expires in 3 days.');
  assert.equal(
    judged({ certificate: { failure, expiresSoon: true } }),
    failed('certificate', 'Certificate expires in 3 days.', true),
  );
});

judging('an ssl check fails because of critical vulnerabilities only', () => {
  assert.equal(judged({ vulnerabilities: { rc4: weak, heartbleed: { ...leaking, vulnerable: false } } }), ok);
  assert.equal(
    judged({ vulnerabilities: { rc4: weak, heartbleed: leaking } }),
    failed('vulnerability', leaking.details),
  );
  assert.equal(
    judged({ vulnerabilities: { heartbleed: leaking, ccs_injection: leaking, robot: leaking } }).sentence ?? '',
    `${leaking.details} Also found: ccs_injection, robot.`,
  );
});

judging('an ssl check fails if the score is below the required score, and names the largest deductions', () => {
  const deductions = ['SSL 3.0 is accepted: switch it off. The grade is B at best.', 'Something else.'];
  assert.equal(
    judged({ wantedScore: 80, rating: { score: 79, grade: 'B', deductions } }),
    failed('score', `The score is 79 (grade B), but must be at least 80. ${deductions[0] ?? ''}`, true),
  );
});

judging('an ssl check fails if the required score is unknown, and names the missing facts', () => {
  assert.equal(
    judged({ wantedScore: 80, rating: null, missing: ['Time was up (1 s) before all cipher suites were known.'] }),
    failed(
      'score',
      'The score is unknown, but must be at least 80. Time was up (1 s) before all cipher suites were known.',
      true,
    ),
  );
  assert.equal(judged({ rating: null, certificate: null, vulnerabilities: null }), ok);
});

judging('the reason of a failed ssl check is that of the most severe failure, whose sentence comes first', () => {
  assert.equal(
    judged({
      certificate: { failure: expired, expiresSoon: false },
      vulnerabilities: { heartbleed: leaking },
      wantedScore: 80,
      rating: { score: 0, grade: 'T', deductions: ['The certificate is out of date.'] },
    }),
    failed(
      'certificate',
      `Certificate expired yesterday. ${leaking.details} The score is 0 (grade T), but must be at least 80.`,
      true,
    ),
  );
});

judging('sentences of an ssl check that do not fit are left out', () => {
  const long = new ProbeFailure('failed', 'certificate', `${'x'.repeat(370)}.`);
  const { sentence, assertionFailed } = judged({
    certificate: { failure: long, expiresSoon: false },
    wantedScore: 100,
  });
  assert.is(sentence, long.message);
  assert.is(assertionFailed, true);
  const details = `${'One sentence of many. '.repeat(40)}End.`;
  assert.match(judged({ vulnerabilities: { robot: { ...leaking, details } } }).sentence ?? '', /^[^…]{300,390}\.$/);
  const endless = 'y'.repeat(2_000);
  assert.match(
    judged({ vulnerabilities: { robot: { ...leaking, details: endless } } }).sentence ?? '',
    /^y{300,389}…\.$/,
  );
});

judging.run();
