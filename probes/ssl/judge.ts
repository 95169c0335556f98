import { ProbeFailure } from '../engine/probe-failure.ts';
import type { CertificateJudgment } from './judge-certificate.ts';
import type { Rating } from './rating/rate.ts';
import { CRITICAL } from './rating/server.ts';
import { VULNERABILITIES, type VulnerabilityFindings } from './vulnerabilities/finding.ts';

/** The facts that a judgment depends on. */
export interface SslJudgmentFacts {
  /** null if unknown because time was up */
  certificate: CertificateJudgment | null;
  /** null if there were no tests */
  vulnerabilities: Readonly<Partial<VulnerabilityFindings>> | null;
  /** null if a fact that the rating needs is missing */
  rating: Pick<Rating, 'score' | 'grade' | 'deductions'> | null;
  /** sentences about missing facts */
  missing: readonly string[];
  /** `assertions.ssl_score` */
  wantedScore: number | undefined;
}

export interface Judgment {
  /** null if the server passes */
  failure: ProbeFailure | null;
  /** whether an assertion of the check is violated or could not be evaluated */
  assertionFailed: boolean;
}

/** Maximum length of the error message, in characters. Facts that do not fit into the message are in the metadata. */
const MAX_SENTENCE = 390;

/**
 * Evaluates a server that responds: its certificate, its critical vulnerabilities, and its score, in this order. If
 * there are several problems, the failure has the reason of the first problem, and its message contains sentences about
 * as many problems as fit.
 */
export const judge = (known: SslJudgmentFacts): Judgment => {
  const gravest = [known.certificate?.failure ?? null, judgeVulnerabilities(known.vulnerabilities ?? {})].filter(
    (failure) => failure !== null,
  );
  const score = known.wantedScore === undefined ? null : judgeScore(known.wantedScore, known, gravest.length === 0);
  const [first, ...more] = [...gravest, ...(score ? [score] : [])];
  return {
    failure: first ? withMore(first, more) : null,
    assertionFailed: known.certificate?.expiresSoon === true || score !== null,
  };
};

const withMore = (first: ProbeFailure, more: readonly ProbeFailure[]): ProbeFailure => {
  let sentence = first.message;
  for (const { message } of more) if (sentence.length + message.length < MAX_SENTENCE) sentence += ` ${message}`;
  return new ProbeFailure(first.status, first.reason, sentence);
};

const judgeVulnerabilities = (found: Readonly<Partial<VulnerabilityFindings>>): ProbeFailure | null => {
  const critical = VULNERABILITIES.filter((name) => CRITICAL.has(name) && found[name]?.vulnerable);
  const [first, ...more] = critical;
  if (!first) return null;
  const others = more.length === 0 ? '' : ` Also found: ${more.join(', ')}.`;
  return new ProbeFailure('failed', 'vulnerability', shortened(`${found[first]?.details ?? ''}${others}`));
};

/** @param explain whether to name the largest deduction; false if a graver failure already explains the score */
const judgeScore = (wanted: number, { rating, missing }: SslJudgmentFacts, explain: boolean): ProbeFailure | null => {
  if (rating && rating.score >= wanted) return null;
  const limit = `but must be at least ${wanted}.`;
  const sentence = rating
    ? `The score is ${rating.score} (grade ${rating.grade}), ${limit}`
    : `The score is unknown, ${limit}`;
  const why = rating ? rating.deductions.slice(0, explain ? 1 : 0) : missing;
  return new ProbeFailure('failed', 'score', shortened([sentence, ...why].join(' ')));
};

/** Shortens a text to the sentences that fit. */
const shortened = (text: string): string => {
  if (text.length <= MAX_SENTENCE) return text;
  const end = text.lastIndexOf('. ', MAX_SENTENCE - 1);
  return end > 0 ? text.slice(0, end + 1) : `${text.slice(0, MAX_SENTENCE - 2)}….`;
};
