import { hash } from 'node:crypto';
import type { Coordination, IdempotencyRecord } from '../../stores/coordination/port.ts';
import type { Answered } from '../answer.ts';
import type { Keys } from '../../stores/keys/port.ts';
import { HttpError } from '../errors.ts';
import { JSON_TYPE, type MediaType } from '../media/types.ts';

/** A request that carries an `Idempotency-Key` (decisions.md: HTTP rules). */
export interface RepeatableRequest {
  /** hash of (caller, `Idempotency-Key`): what is claimed */
  id: string;
  /** hash of method, path, query, `If-Match` and body: the same key with another request is refused */
  fingerprint: string;
  /** of both: a different request under the same key, once that is free again, is a different command */
  commandName: string;
}

/** What distinguishes a request from another. */
export interface Repeated {
  method: string;
  path: string;
  /** what follows the question mark */
  search: string;
  /** where it counts: another state that the request is for is another request */
  ifMatch?: string | undefined;
  body: Buffer;
}

export type Claims = Pick<Coordination, 'claim' | 'answer' | 'abandon'>;

const LONGEST_KEY = 255;

/**
 * @param key the header's value
 * @param askedBy identifies the caller; its keys count for it alone
 * @throws HttpError 400 when the key is empty or too long
 */
export const repeatableRequest = (
  key: string,
  askedBy: string,
  { method, path, search, ifMatch, body }: Repeated,
): RepeatableRequest => {
  if (key === '' || key.length > LONGEST_KEY) {
    throw new HttpError(400, `The Idempotency-Key must have 1 to ${LONGEST_KEY} characters.`);
  }
  const id = hash('sha256', JSON.stringify([askedBy, key]));
  const named = [method, path, search, ...(ifMatch === undefined ? [] : [ifMatch])];
  const fingerprint = hash('sha256', Buffer.concat([Buffer.from(`${JSON.stringify(named)}\n`), body]));
  return recognizedBy(id, fingerprint);
};

const recognizedBy = (id: string, fingerprint: string): RepeatableRequest => ({
  id,
  fingerprint,
  commandName: `${id}/${fingerprint}`,
});

/** The same request, recognized by what only this service can make of it. */
export const underKey = async (
  { id, fingerprint }: RepeatableRequest,
  keys: Pick<Keys, 'fingerprint'>,
): Promise<RepeatableRequest> => recognizedBy(id, await keys.fingerprint('request', fingerprint));

/** Statuses of answers that are not kept: the same request may get another answer later. */
export const isKept = (status: number): boolean => status < 500 && ![401, 403, 409, 429].includes(status);

/** What decides how the answers of a route are kept. */
export interface Keeping {
  /** top-level fields that a kept answer leaves out */
  oneTime: readonly string[];
  /** what its answers may be */
  types: readonly MediaType[];
  /** whether all that the answer was made from was up to date; otherwise a repetition makes it again */
  isCertain: () => boolean;
}

/**
 * Does a request once: claims it, performs it and keeps its answer, or gives back the kept answer. A request that dies
 * in between leaves a claim that is void after 30 s; a repetition then finds the first command's events by their
 * command id. The same holds for an answer that is no text, or that a read model was behind for: it is made again.
 *
 * @param report called for an answer that could not be kept; the request itself has been done
 * @throws HttpError 422 another request under the same key; 409 the first request is in flight
 */
export const once = async (
  claims: Claims,
  { id, fingerprint }: RepeatableRequest,
  now: number,
  { oneTime, types, isCertain }: Keeping,
  perform: () => Promise<Answered>,
  report: (error: unknown) => void,
): Promise<Answered> => {
  const standing = await claims.claim(id, fingerprint, now);
  if (standing) {
    if (standing.fingerprint !== fingerprint) {
      throw new HttpError(422, 'This Idempotency-Key was used for another request.');
    }
    if (!standing.answer) throw new HttpError(409, 'The first request with this Idempotency-Key is still in flight.');
    return replayed(standing.answer, types);
  }
  const answered = await perform();
  try {
    const isFinal = isKept(answered.status) && answered.incomplete !== true;
    const body = isFinal && isCertain() ? keptBody(answered, oneTime) : null;
    if (body === null) {
      await claims.abandon(id);
    } else {
      const { status, headers, type = JSON_TYPE } = answered;
      const named = type === JSON_TYPE ? {} : { 'Content-Type': type.contentType };
      await claims.answer(id, { status, headers: { ...headers, ...named }, body });
    }
  } catch (error) {
    report(error);
    // The request is not in flight any more, so a repetition is to do it again, or to find what it did.
    await claims.abandon(id).catch(() => undefined);
  }
  return answered;
};

/** How many claims are remembered that could not be abandoned; after 30 s they are void by themselves. */
const MOST_ABANDONED = 10_000;

/**
 * Claims that this process could not abandon, as on a full disk: a repetition abandons them first, and fails as that
 * does. Otherwise it would be told that the first request is still in flight.
 */
export const abandoningLater = (claims: Claims): Claims => {
  const left = new Set<string>();
  const abandoned = async (id: string): Promise<void> => {
    try {
      await claims.abandon(id);
    } catch (error) {
      const [oldest] = left;
      if (oldest !== undefined && left.size >= MOST_ABANDONED) left.delete(oldest);
      left.add(id);
      throw error;
    }
  };
  return {
    claim: async (id, fingerprint, now) => {
      if (left.delete(id)) await abandoned(id);
      return claims.claim(id, fingerprint, now);
    },
    answer: (id, answer) => claims.answer(id, answer),
    abandon: abandoned,
  };
};

const replayed = (
  { status, headers, body }: NonNullable<IdempotencyRecord['answer']>,
  types: readonly MediaType[],
): Answered => {
  const type = types.find(({ contentType }) => contentType === headers['Content-Type']);
  return {
    status,
    headers: { ...headers, 'Idempotent-Replayed': 'true' },
    body: body === '' ? null : body,
    ...(type && { type }),
  };
};

/** What is kept of a body; empty where there is none, null where it can't be kept. */
const keptBody = ({ body, type = JSON_TYPE }: Answered, oneTime: readonly string[]): string | null => {
  if (body === null) return '';
  if (typeof body !== 'string') return null;
  if (oneTime.length === 0) return body;
  // Nobody can tell which parts of a page are shown only once.
  if (type !== JSON_TYPE) return null;
  const shown = JSON.parse(body) as Record<string, unknown>;
  return JSON.stringify(Object.fromEntries(Object.entries(shown).filter(([field]) => !oneTime.includes(field))));
};
