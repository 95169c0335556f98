import { isSealed, type Sealed } from '../../domain/sealed.ts';
import { FORGOTTEN, type Keys } from '../../stores/keys/port.ts';
import type { Caller } from './caller.ts';
import type { Claims } from './idempotency.ts';

/**
 * Claims of a caller whose answers are kept sealed under the organization's key, since they may hold what the resource
 * itself keeps sealed. Answers that belong to nobody hold only public data.
 */
export const sealedAnswers = (
  claims: Claims,
  keys: Pick<Keys, 'seal' | 'open'>,
  { organizationId }: Pick<Caller, 'organizationId'>,
): Claims => {
  if (organizationId === '') return claims;
  const place = { organizationId, field: 'kept_answer' };
  return {
    claim: async (...given) => {
      const standing = await claims.claim(...given);
      if (!standing?.answer) return standing;
      const sealed = sealedIn(standing.answer.body);
      if (!sealed) return standing;
      const text = await keys.open(sealed, place);
      const body = text === FORGOTTEN ? JSON.stringify({ message: FORGOTTEN }) : text;
      return { ...standing, answer: { ...standing.answer, body } };
    },
    answer: async (id, answer) => {
      const { body } = answer;
      const kept = body === '' ? '' : JSON.stringify(await keys.seal(`organization-${organizationId}`, body, place));
      await claims.answer(id, { ...answer, body: kept });
    },
    abandon: (id) => claims.abandon(id),
  };
};

/** Null where there is no body, and for a body kept before bodies were sealed, at most 24 hours ago. */
const sealedIn = (body: string): Sealed | null => {
  if (!body.startsWith('{"key":')) return null;
  const value: unknown = JSON.parse(body);
  return isSealed(value) ? value : null;
};
