import { Type } from '@sinclair/typebox';
import type { CommandContext } from '../../../commands/context.ts';
import { NotFound } from '../../../domain/errors.ts';
import type { PageDocument } from '../../../projections/pages/documents.ts';
import { pages } from '../../../projections/pages/projection.ts';
import type { Read } from '../../../projections/readers.ts';
import { Id } from '../../schema.ts';

/** The parameters of a path below `/v1/pages/{page_id}`. */
export const pageParams = { page_id: Id };
export const PageParams = Type.Object(pageParams);

/** What a page is looked up with; every route's call has it. */
export interface Looking {
  params: { page_id: string };
  context: Pick<CommandContext, 'organizationId'>;
  read: Read;
}

/** Whether a caller sees a page: it is its organization's, and not deleted. */
export const isShown = (
  page: PageDocument | null | undefined,
  { organizationId }: Looking['context'],
): page is PageDocument => page?.organization_id === organizationId && page.deleted_at === null;

/** The page that a path names. Whatever stands below a page is there only if this finds it. @throws NotFound */
export const findPage = async ({ params, context, read }: Looking): Promise<PageDocument> => {
  const page = await read(pages).pages.get(params.page_id);
  if (!isShown(page, context)) throw new NotFound('There is no such page.');
  return page;
};
