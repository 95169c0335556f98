import { Type } from '@sinclair/typebox';
import type { CheckDocument } from '../../../projections/checks/documents.ts';
import { isFields } from '../../../domain/fields.ts';
import { NO_SUCH_SECRET } from '../../../commands/reservations/secret-claims.ts';
import { MAX_SECRETS } from '../../../domain/secret/input.ts';
import { findUnknownSecrets } from '../../../queries/secrets.ts';
import { findCheck } from '../../../queries/checks/find.ts';
import type { ReadScope } from '../../../queries/engine/scope.ts';
import { NO_SUCH_GROUP } from '../../../commands/checks/check-groups.ts';
import type { FieldMessages } from '../../../http/validation-messages.ts';
import { hasCheckGroup } from '../../../queries/checks/check-groups.ts';
import { Id } from '../../schema.ts';

/** Parameters of paths below `/v1/checks/{check_id}`. */
export const checkParams = { check_id: Id };
export const CheckParams = Type.Object(checkParams);

/** Finds the check that the path names. @throws NotFound */
export const findCheckInPath = ({
  params,
  scope,
}: {
  params: { check_id: string };
  scope: ReadScope;
}): Promise<CheckDocument> => findCheck(scope, params.check_id);

/** Returns an error if the group in a body is unknown. */
export const groupErrors = async (
  scope: ReadScope,
  { group_id: id }: Readonly<Record<string, unknown>>,
): Promise<FieldMessages> =>
  typeof id !== 'string' || (await hasCheckGroup(scope, id)) ? {} : { group_id: [NO_SUCH_GROUP] };

/** Returns errors if the group or a secret in the body of a check is unknown. */
export const relationErrors = async (
  scope: ReadScope,
  body: Readonly<Record<string, unknown>>,
): Promise<FieldMessages> => ({
  ...(await groupErrors(scope, body)),
  ...(await unknownSecretErrors(scope, body['secrets'], (index) => `secrets.${index}.secret_id`)),
});

/**
 * Returns errors for the unknown secrets in a body.
 *
 * @param bindings the bindings of the body, not validated yet
 * @param fieldOf returns the path of the field that contains the secret id of binding number n
 */
export const unknownSecretErrors = async (
  scope: ReadScope,
  bindings: unknown,
  fieldOf: (index: number) => string,
): Promise<FieldMessages> => {
  if (!Array.isArray(bindings)) return {};
  const named = bindings
    .slice(0, MAX_SECRETS)
    .map((binding): unknown => (isFields(binding) ? binding['secret_id'] : null));
  const ids = named.filter((id) => typeof id === 'string');
  const unknown = await findUnknownSecrets(scope, ids);
  const indexes = [...named.keys()].filter((index) => unknown.has(named[index] as string));
  return Object.fromEntries(indexes.map((index) => [fieldOf(index), [NO_SUCH_SECRET]]));
};
