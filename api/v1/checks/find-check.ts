import { Type } from '@sinclair/typebox';
import type { CommandContext } from '../../../commands/context.ts';
import { NotFound } from '../../../domain/errors.ts';
import type { CheckDocument } from '../../../projections/checks/documents.ts';
import { checks } from '../../../projections/checks/projection.ts';
import type { Read } from '../../../projections/readers.ts';
import { Id } from '../../schema.ts';

/** The parameters of a path below `/v1/checks/{check_id}`. */
export const checkParams = { check_id: Id };
export const CheckParams = Type.Object(checkParams);

/** What a check is looked up with; every route's call has it. */
export interface LookingForCheck {
  params: { check_id: string };
  context: Pick<CommandContext, 'organizationId'>;
  read: Read;
}

/** The check that a path names. Its results are there only if this finds it. @throws NotFound */
export const findCheck = async ({ params, context, read }: LookingForCheck): Promise<CheckDocument> => {
  const check = await read(checks).checks.get(params.check_id);
  if (check?.organization_id !== context.organizationId || check.deleted_at !== null)
    throw new NotFound('There is no such check.');
  return check;
};

/** Whether results of a check are shown to an organization: it is theirs and was not deleted. */
export const isShown = async (checkId: string, organizationId: string, read: Read): Promise<boolean> => {
  const check = await read(checks).checks.get(checkId);
  return check?.organization_id === organizationId && check.deleted_at === null;
};
