import { Type } from '@sinclair/typebox';
import type { CheckDocument } from '../../../projections/checks/documents.ts';
import { isFields } from '../../../domain/fields.ts';
import { NO_SUCH_SECRET } from '../../../commands/reservations/secret-claims.ts';
import { MOST_SECRETS } from '../../../domain/secret/input.ts';
import { unknownSecrets } from '../../../queries/secrets.ts';
import { findCheck } from '../../../queries/checks/find.ts';
import type { Reading } from '../../../queries/engine/scope.ts';
import { NO_SUCH_GROUP } from '../../../commands/checks/check-groups.ts';
import type { Sentences } from '../../../http/sentences.ts';
import { hasGroup } from '../../../queries/checks/check-groups.ts';
import { Id } from '../../schema.ts';

/** The parameters of a path below `/v1/checks/{check_id}`. */
export const checkParams = { check_id: Id };
export const CheckParams = Type.Object(checkParams);

/** The check that a path names. @throws NotFound */
export const findNamedCheck = ({
  params,
  scope,
}: {
  params: { check_id: string };
  scope: Reading;
}): Promise<CheckDocument> => findCheck(scope, params.check_id);

/** What is wrong with the group that a body names, if it names one. */
export const brokenGroup = async (
  scope: Reading,
  { group_id: id }: Readonly<Record<string, unknown>>,
): Promise<Sentences> => (typeof id !== 'string' || (await hasGroup(scope, id)) ? {} : { group_id: [NO_SUCH_GROUP] });

/** What is wrong with the group and the secrets that the body of a check names. */
export const brokenRelations = async (scope: Reading, body: Readonly<Record<string, unknown>>): Promise<Sentences> => ({
  ...(await brokenGroup(scope, body)),
  ...(await brokenSecrets(scope, body['secrets'], (place) => `secrets.${place.toString()}.secret_id`)),
});

/**
 * What is wrong with the secrets that a body names: the ids of those that are not there.
 *
 * @param bindings of any form
 * @param fieldOf the field of the body that names the nth
 */
export const brokenSecrets = async (
  scope: Reading,
  bindings: unknown,
  fieldOf: (place: number) => string,
): Promise<Sentences> => {
  if (!Array.isArray(bindings)) return {};
  const named = bindings
    .slice(0, MOST_SECRETS)
    .map((binding): unknown => (isFields(binding) ? binding['secret_id'] : null));
  const ids = named.filter((id) => typeof id === 'string');
  const unknown = await unknownSecrets(scope, ids);
  const places = [...named.keys()].filter((place) => unknown.has(named[place] as string));
  return Object.fromEntries(places.map((place) => [fieldOf(place), [NO_SUCH_SECRET]]));
};
