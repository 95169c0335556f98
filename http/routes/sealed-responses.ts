import { isSealed, type Sealed } from '../../domain/sealed.ts';
import { FORGOTTEN, type Keys } from '../../stores/keys/port.ts';
import type { Caller } from './caller.ts';
import type { Claims } from './idempotency.ts';

/**
 * Encrypts the stored responses of a caller with the key of the caller's organization. Responses may contain data that
 * the resource itself stores in encrypted form. Responses that belong to no organization contain only public data, so
 * they are not encrypted.
 */
export const sealedResponses = (
  claims: Claims,
  keys: Pick<Keys, 'seal' | 'open'>,
  { organizationId }: Pick<Caller, 'organizationId'>,
): Claims => {
  if (organizationId === '') return claims;
  const purpose = { organizationId, field: 'kept_answer' };
  return {
    claim: async (...given) => {
      const existing = await claims.claim(...given);
      if (!existing?.answer) return existing;
      const sealed = sealedIn(existing.answer.body);
      if (!sealed) return existing;
      const text = await keys.open(sealed, purpose);
      const body = text === FORGOTTEN ? JSON.stringify({ message: FORGOTTEN }) : text;
      return { ...existing, answer: { ...existing.answer, body } };
    },
    storeResponse: async (id, answer) => {
      const { body } = answer;
      const stored =
        body === '' ? '' : JSON.stringify(await keys.seal(`organization-${organizationId}`, body, purpose));
      await claims.storeResponse(id, { ...answer, body: stored });
    },
    abandon: (id) => claims.abandon(id),
  };
};

/**
 * Returns the encrypted body. Returns null if there is no body, or if an earlier release has stored the body without
 * encryption. Responses are stored for 24 hours only, so such bodies disappear a day after the service was upgraded.
 */
const sealedIn = (body: string): Sealed | null => {
  if (!body.startsWith('{"key":')) return null;
  const value: unknown = JSON.parse(body);
  return isSealed(value) ? value : null;
};
