import { Type } from '@sinclair/typebox';
import type { CheckDocument } from '../../../projections/checks/documents.ts';
import { findCheck } from '../../../queries/checks/find.ts';
import type { Reading } from '../../../queries/scope.ts';
import { NO_SUCH_GROUP } from '../../../commands/check-groups.ts';
import type { Sentences } from '../../../http/sentences.ts';
import { hasGroup } from '../../../queries/check-groups.ts';
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
