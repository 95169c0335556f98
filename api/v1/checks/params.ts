import { Type } from '@sinclair/typebox';
import type { CheckDocument } from '../../../projections/checks/documents.ts';
import { isFields } from '../../../domain/fields.ts';
import { NO_SUCH_SECRET } from '../../../commands/reservations/secret-claims.ts';
import { MOST_SECRETS } from '../../../domain/secret/input.ts';
import { unknownSecrets } from '../../../queries/secrets.ts';
import { findCheck } from '../../../queries/checks/find.ts';
import type { Reading } from '../../../queries/engine/scope.ts';
import { NO_SUCH_GROUP } from '../../../commands/checks/check-groups.ts';
import type { Sentences } from '../../../http/validation-messages.ts';
import { hasGroup } from '../../../queries/checks/check-groups.ts';
import { Id } from '../../schema.ts';

/** Parameters of paths below `/v1/checks/{check_id}`. */
export const checkParams = { check_id: Id };
export const CheckParams = Type.Object(checkParams);

/** Finds the check that the path names. @throws NotFound */
export const findNamedCheck = ({
  params,
  scope,
}: {
  params: { check_id: string };
  scope: Reading;
}): Promise<CheckDocument> => findCheck(scope, params.check_id);

/** Reports an unknown group in a body. */
export const brokenGroup = async (
  scope: Reading,
  { group_id: id }: Readonly<Record<string, unknown>>,
): Promise<Sentences> => (typeof id !== 'string' || (await hasGroup(scope, id)) ? {} : { group_id: [NO_SUCH_GROUP] });

/** Reports an unknown group and unknown secrets in the body of a check. */
export const brokenRelations = async (scope: Reading, body: Readonly<Record<string, unknown>>): Promise<Sentences> => ({
  ...(await brokenGroup(scope, body)),
  ...(await brokenSecrets(scope, body['secrets'], (index) => `secrets.${index.toString()}.secret_id`)),
});

/**
 * Reports unknown secrets in a body.
 *
 * @param bindings unvalidated
 * @param fieldOf the path of the field with the secret of the nth binding
 */
export const brokenSecrets = async (
  scope: Reading,
  bindings: unknown,
  fieldOf: (index: number) => string,
): Promise<Sentences> => {
  if (!Array.isArray(bindings)) return {};
  const named = bindings
    .slice(0, MOST_SECRETS)
    .map((binding): unknown => (isFields(binding) ? binding['secret_id'] : null));
  const ids = named.filter((id) => typeof id === 'string');
  const unknown = await unknownSecrets(scope, ids);
  const indexes = [...named.keys()].filter((index) => unknown.has(named[index] as string));
  return Object.fromEntries(indexes.map((index) => [fieldOf(index), [NO_SUCH_SECRET]]));
};
