import { httpFetch, type HttpResponseWithBody } from '../../../network/http-request.ts';
import { NoHttpResponse } from '../../../network/no-http-response.ts';
import { explainConnectFailure } from '../../../network/not-connected.ts';
import { LocalFailure } from '../../../network/local-failure.ts';
import type { RunContext } from '../../engine/check-type.ts';
import { readRevocationList } from './crl.ts';
import { cut } from './distinguished-name.ts';
import { ocspRequest, readOcspResponse } from './ocsp.ts';
import type { Certificate } from './read-certificate.ts';
import type { RevocationReading, RevocationStatus } from './revocation-status.ts';

/**
 * The revocation status from a source, or a sentence that says why the status is unknown. The value is plain JSON, so
 * that it can be cached.
 */
export type RevocationAnswer =
  { source: 'ocsp' | 'crl'; answer: RevocationStatus; from: string } | { source: null; answer: null; details: string };

/** Maximum size of an OCSP response, in bytes. Usually, a response has a few kilobytes. */
const MAX_RESPONSE = 256 * 1024;
/** Maximum size of a revocation list, in bytes. */
const MAX_LIST = 10 * 1024 * 1024;
/** Time limit for all sources of one kind together, in milliseconds. */
const LIMIT_MS = 5_000;
/** Maximum number of responders that are queried, and of revocation lists that are fetched, for one certificate. */
const MAX_URLS = 2;

/**
 * Cache times, in seconds. A status is cached until its next update is due, but for at most a day, so that a revocation
 * becomes visible.
 */
const LONGEST = 86_400;
const SHORTEST = 60;
const WITHOUT_END = 3_600;
const WITHOUT_ANSWER = 300;

/**
 * Returns the revocation status of a certificate. Queries the OCSP responder of the certificate and, if that fails, the
 * revocation list of the issuer. Connects only to addresses that the target policy allows. Plain HTTP is enough,
 * because the responses are signed. Does not follow redirects. Caches the result.
 *
 * If the context's signal aborts, rejects with the signal's reason.
 *
 * @param issuer the issuer of the certificate; must be trusted, because the certificate names the address of its
 * source, and anyone can make an untrusted certificate with any address
 */
export const queryRevocation = async (
  certificate: Certificate,
  issuer: Certificate,
  context: RunContext,
): Promise<RevocationAnswer> => {
  const key = `revocation ${certificate.fingerprint} ${issuer.fingerprint}`;
  const remembered = context.fresh ? undefined : ((await context.memory.get(key)) as RevocationAnswer | undefined);
  if (remembered) return remembered;
  const asked = await asking(certificate, issuer, context);
  context.memory.set(key, asked, secondsOf(asked, context.clock.now()));
  return asked;
};

const secondsOf = ({ answer }: RevocationAnswer, now: number): number => {
  if (!answer) return WITHOUT_ANSWER;
  if (answer.nextUpdate === null) return WITHOUT_END;
  return Math.min(LONGEST, Math.max(SHORTEST, Math.floor((answer.nextUpdate - now) / 1_000)));
};

const asking = async (
  certificate: Certificate,
  issuer: Certificate,
  context: RunContext,
): Promise<RevocationAnswer> => {
  const { ocspUrls, crlUrls } = certificate;
  const given = { issuer, now: context.clock.now() };
  const responder = await firstAnswer(ocspUrls, context, {
    what: 'The OCSP responder',
    method: 'POST',
    headers: { 'content-type': 'application/ocsp-request', accept: 'application/ocsp-response' },
    body: ocspRequest(certificate, issuer),
    most: MAX_RESPONSE,
    read: (body) => readOcspResponse(body, certificate, given),
    words: (why) => `sent a response that ${why}`,
  });
  if (responder.found) return { source: 'ocsp', ...responder.found };
  const list = await firstAnswer(crlUrls, context, {
    what: 'The revocation list',
    method: 'GET',
    headers: {},
    body: null,
    most: MAX_LIST,
    read: (body) => readRevocationList(body, certificate, given),
    words: (why) => why,
  });
  if (list.found) return { source: 'crl', ...list.found };
  const reasons = [...responder.reasons, ...list.reasons];
  const details =
    reasons.length > 0 ? reasons.join(' ') : 'The certificate names neither an OCSP responder nor a revocation list.';
  return { source: null, answer: null, details };
};

/** Describes how one kind of source is queried. */
interface Question {
  what: string;
  method: string;
  headers: Record<string, string>;
  body: Buffer | null;
  /** maximum size of a response, in bytes */
  most: number;
  read: (body: Buffer) => RevocationReading;
  /** Returns the predicate of a sentence about the source: why its response is unusable. */
  words: (why: string) => string;
}

interface Found {
  answer: RevocationStatus;
  /** the host that responded */
  from: string;
}

/**
 * Returns the status from the first source that knows the certificate, and sentences about the sources that failed
 * before.
 */
const firstAnswer = async (
  urls: readonly string[],
  context: RunContext,
  question: Question,
): Promise<{ found: Found | null; reasons: string[] }> => {
  const reasons: string[] = [];
  const usable = urls.flatMap(httpUrl).slice(0, MAX_URLS);
  if (usable.length === 0 && urls.length > 0) reasons.push(`${question.what} has no http address that can be asked.`);
  const ending = endedBy(context);
  try {
    for (const url of usable) {
      const where = `${question.what} at ${cut(url.host, 100)}`;
      const { body, sentence } = await fetched(url, { ...context, signal: ending.signal }, question);
      context.signal.throwIfAborted();
      if (!body) {
        reasons.push(`${where} can't be asked: ${sentence}`);
        continue;
      }
      const reading = question.read(body);
      if (reading.answer === null) reasons.push(`${where} ${question.words(reading.why)}.`);
      else if (reading.answer.status === 'unknown') reasons.push(`${where} does not know the certificate.`);
      else return { found: { answer: reading.answer, from: cut(url.host, 100) }, reasons };
    }
    return { found: null, reasons };
  } finally {
    ending.done();
  }
};

/** Maximum length of a URL, in characters. */
const MAX_URL = 2_000;
/** Maximum length of a host name, in characters. */
const MAX_HOST = 253;

const httpUrl = (text: string): URL[] => {
  if (text.length > MAX_URL || !URL.canParse(text)) return [];
  const url = new URL(text);
  return url.protocol === 'http:' && url.hostname.length <= MAX_HOST ? [url] : [];
};

const TIME_IS_UP = new Error('The source took too long.');

/** Returns a signal that aborts when the context's signal aborts, or at the time limit. */
const endedBy = ({ clock, signal }: RunContext): { signal: AbortSignal; done: () => void } => {
  const ending = new AbortController();
  const onAbort = (): void => {
    ending.abort(signal.reason);
  };
  const cancelTimer = clock.after(LIMIT_MS, () => {
    ending.abort(TIME_IS_UP);
  });
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort);
  return {
    signal: ending.signal,
    done: () => {
      cancelTimer();
      signal.removeEventListener('abort', onAbort);
    },
  };
};

const fetched = async (
  url: URL,
  context: RunContext,
  { method, headers, body, most }: Question,
): Promise<{ body: Buffer | null; sentence: string }> => {
  try {
    const answer = await httpFetch({ url, method, headers, body }, most, context);
    return answer.status === 200
      ? { body: answer.body, sentence: '' }
      : { body: null, sentence: statusSentence(answer) };
  } catch (error) {
    if (error === TIME_IS_UP) return { body: null, sentence: `it gave no answer within ${LIMIT_MS / 1_000} s.` };
    if (error instanceof NoHttpResponse || error instanceof LocalFailure)
      return { body: null, sentence: error.message };
    const why = explainConnectFailure(error);
    if (!why) throw error;
    return { body: null, sentence: why.sentence };
  }
};

const statusSentence = ({ status }: HttpResponseWithBody): string =>
  status >= 300 && status < 400
    ? 'it redirects elsewhere, and redirects are not followed.'
    : `it answered with status ${status}.`;
