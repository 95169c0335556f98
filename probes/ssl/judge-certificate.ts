import type { CertificateInfo } from '../../domain/check/types/certificate-info.ts';
import { millisecondsOf } from '../../domain/time.ts';
import { ProbeFailure } from '../engine/probe-failure.ts';
import { dayOf, durationInWords } from './certificate/durations.ts';

/** The facts about a server's certificate, or a sentence that says why there are none. */
export type ExaminedCertificate = { info: CertificateInfo } | { info: null; sentence: string };

export interface CertificateJudgment {
  /** the failure of the check because of the certificate; null if there is none */
  failure: ProbeFailure | null;
  /** whether `assertions.expiration_threshold` is violated */
  expiresSoon: boolean;
}

export interface CertificateRules {
  /** `assertions.expiration_threshold`, in seconds; undefined if the check has none */
  expirationThreshold: number | undefined;
  /** in milliseconds since 1970 */
  now: number;
}

/** Maximum length of the error message, in characters. Facts that do not fit into the message are in the metadata. */
const MAX_SENTENCE = 380;

/**
 * Evaluates a certificate. The certificate must be valid for the host and at this time, lead to a trust anchor, and not
 * be revoked. The certificate and its issuers must last longer than the threshold. An unknown revocation status is not
 * a failure.
 */
export const judgeCertificate = (examined: ExaminedCertificate, rules: CertificateRules): CertificateJudgment => {
  if (!examined.info) return { failure: failed(examined.sentence), expiresSoon: false };
  const { problems, issuer_expires_first: issuer } = examined.info;
  const { not_after } = issuer ?? examined.info;
  const { expirationThreshold: threshold, now } = rules;
  const left = millisecondsOf(not_after) - now;
  const expiresSoon = threshold !== undefined && left <= threshold * 1_000;
  if (problems.length > 0) return { failure: failed(fitting(problems.map(({ details }) => details))), expiresSoon };
  if (!expiresSoon) return { failure: null, expiresSoon };
  const limit = durationInWords(threshold * 1_000);
  const whose = issuer ? `Certificate of the issuer "${issuer.subject}"` : 'Certificate';
  const advice = issuer ? 'use a certificate of an issuer that lasts longer' : 'renew it';
  const sentence = `${whose} expires in ${durationInWords(left)}, on ${dayOf(not_after)}, which is within the limit of ${limit}: ${advice}.`;
  return { failure: failed(sentence), expiresSoon };
};

const failed = (sentence: string): ProbeFailure => new ProbeFailure('failed', 'certificate', sentence);

/** Joins as many sentences as fit, but at least one. */
const fitting = ([first = '', ...more]: readonly string[]): string => {
  let text = first;
  for (const sentence of more) if (text.length + sentence.length < MAX_SENTENCE) text += ` ${sentence}`;
  return text;
};
