import { Type } from '@sinclair/typebox';
import type { CheckDocument } from '../../../projections/checks/documents.ts';
import { findCheck } from '../../../queries/checks/find.ts';
import type { Reading } from '../../../queries/scope.ts';
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
