import { Type } from '@sinclair/typebox';
import type { PageDocument } from '../../../projections/pages/documents.ts';
import { findPage } from '../../../queries/pages/pages.ts';
import type { ReadScope } from '../../../queries/engine/scope.ts';
import { Id } from '../../schema.ts';

/** Parameters of paths below `/v1/pages/{page_id}`. */
export const pageParams = { page_id: Id };
export const PageParams = Type.Object(pageParams);

/** Finds the page that the path names. @throws NotFound */
export const findPageInPath = ({
  params,
  scope,
}: {
  params: { page_id: string };
  scope: ReadScope;
}): Promise<PageDocument> => findPage(scope, params.page_id);
