import { hash } from 'node:crypto';
import type { Coordination, IdempotencyRecord } from '../../stores/coordination/port.ts';
import type { PreparedResponse } from '../response.ts';
import type { Keys } from '../../stores/keys/port.ts';
import { HttpError } from '../errors.ts';
import { JSON_TYPE, type MediaType } from '../media/media-types.ts';

/** A request that carries an `Idempotency-Key` (docs/reference/requests.md#idempotency). */
export interface RepeatableRequest {
  /** hash of the caller and the `Idempotency-Key`; the id of the claim */
  id: string;
  /**
   * hash of method, path, query, `If-Match` and body; a request with the same key but another fingerprint is refused
   */
  fingerprint: string;
  /**
   * combines `id` and `fingerprint`; so if a key has expired and is used again for a different request, that request is
   * a different command
   */
  commandName: string;
}

/** The parts of a request that its fingerprint covers. */
export interface FingerprintParts {
  method: string;
  path: string;
  /** the query, without the question mark */
  search: string;
  /** only set for routes that use the header; a request with another `If-Match` is a different request */
  ifMatch?: string | undefined;
  body: Buffer;
}

export type Claims = Pick<Coordination, 'claim' | 'storeResponse' | 'abandon'>;

const LONGEST_KEY = 255;

/**
 * Recognises a request by its `Idempotency-Key`.
 *
 * @param key the value of the header
 * @param callerKey identifies the caller; different callers may use the same `Idempotency-Key`
 * @throws HttpError 400 the key is empty or too long
 */
export const repeatableRequest = (
  key: string,
  callerKey: string,
  { method, path, search, ifMatch, body }: FingerprintParts,
): RepeatableRequest => {
  if (key === '' || key.length > LONGEST_KEY) {
    throw new HttpError(400, `The Idempotency-Key must have 1 to ${LONGEST_KEY} characters.`);
  }
  const id = hash('sha256', JSON.stringify([callerKey, key]));
  const named = [method, path, search, ...(ifMatch === undefined ? [] : [ifMatch])];
  const fingerprint = hash('sha256', Buffer.concat([Buffer.from(`${JSON.stringify(named)}\n`), body]));
  return recognizedBy(id, fingerprint);
};

const recognizedBy = (id: string, fingerprint: string): RepeatableRequest => ({
  id,
  fingerprint,
  commandName: `${id}/${fingerprint}`,
});

/** Replaces the fingerprint of a request by a keyed hash, from which the body cannot be guessed. */
export const withKeyedFingerprint = async (
  { id, fingerprint }: RepeatableRequest,
  keys: Pick<Keys, 'fingerprint'>,
): Promise<RepeatableRequest> => recognizedBy(id, await keys.fingerprint('request', fingerprint));

/**
 * Returns whether responses with this status are stored. Responses with another status may differ when the request is
 * repeated.
 */
export const isStoredStatus = (status: number): boolean => status < 500 && ![401, 403, 409, 429].includes(status);

/** How the responses of a route are stored, for repeated requests. */
export interface ResponseStorage {
  /** top-level fields that are removed from a response before it is stored */
  oneTime: readonly string[];
  /** media types of the responses */
  types: readonly MediaType[];
  /**
   * returns whether the response was made from current read models; if not, the response is not stored, and a repeated
   * request computes a new one
   */
  isCertain: () => boolean;
}

/**
 * Performs a request only one time. Claims the key of the request, performs the request and stores its response. If the
 * key was used before, returns the stored response.
 *
 * If the process stops before the response is stored, the claim expires after 30 s. If the client then repeats the
 * request, the request is performed again, and finds the events of the first attempt by their command id. A request is
 * also performed again if its response was not stored because it has no text body or was made from a read model that
 * lagged behind.
 *
 * @param report called if the response could not be stored; the request itself was performed
 * @throws HttpError 422 a different request used the same key; 409 the first request is still in progress
 */
export const performOnce = async (
  claims: Claims,
  { id, fingerprint }: RepeatableRequest,
  now: number,
  { oneTime, types, isCertain }: ResponseStorage,
  perform: () => Promise<PreparedResponse>,
  report: (error: unknown) => void,
): Promise<PreparedResponse> => {
  const existing = await claims.claim(id, fingerprint, now);
  if (existing) {
    if (existing.fingerprint !== fingerprint) {
      throw new HttpError(422, 'This Idempotency-Key was used for another request.');
    }
    if (!existing.answer) throw new HttpError(409, 'The first request with this Idempotency-Key is still in flight.');
    return replayed(existing.answer, types);
  }
  const answered = await perform();
  try {
    const isFinal = isStoredStatus(answered.status) && answered.incomplete !== true;
    const body = isFinal && isCertain() ? storedBody(answered, oneTime) : null;
    if (body === null) {
      await claims.abandon(id);
    } else {
      const { status, headers, type = JSON_TYPE } = answered;
      const named = type === JSON_TYPE ? {} : { 'Content-Type': type.contentType };
      await claims.storeResponse(id, { status, headers: { ...headers, ...named }, body });
    }
  } catch (error) {
    report(error);
    // The request is finished, so its claim must be released. If the client repeats the request, it is performed again,
    // or finds the events of the first attempt.
    await claims.abandon(id).catch(() => undefined);
  }
  return answered;
};

/** Maximum number of remembered claims that could not be abandoned. Claims expire after 30 s anyway. */
const MOST_ABANDONED = 10_000;

/**
 * Remembers claims that could not be abandoned, for example because a disk is full. Abandons such a claim before the
 * next request with the same key. Otherwise a repeated request would get 409, although the first request is finished.
 */
export const retryAbandoning = (claims: Claims): Claims => {
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
    storeResponse: (id, answer) => claims.storeResponse(id, answer),
    abandon: abandoned,
  };
};

const replayed = (
  { status, headers, body }: NonNullable<IdempotencyRecord['answer']>,
  types: readonly MediaType[],
): PreparedResponse => {
  const type = types.find(({ contentType }) => contentType === headers['Content-Type']);
  return {
    status,
    headers: { ...headers, 'Idempotent-Replayed': 'true' },
    body: body === '' ? null : body,
    ...(type && { type }),
  };
};

/** Returns the body to store. The body is empty if the response has none, and null if it cannot be stored. */
const storedBody = ({ body, type = JSON_TYPE }: PreparedResponse, oneTime: readonly string[]): string | null => {
  if (body === null) return '';
  if (typeof body !== 'string') return null;
  if (oneTime.length === 0) return body;
  // One-time fields can only be removed from JSON bodies.
  if (type !== JSON_TYPE) return null;
  const shown = JSON.parse(body) as Record<string, unknown>;
  return JSON.stringify(Object.fromEntries(Object.entries(shown).filter(([field]) => !oneTime.includes(field))));
};
