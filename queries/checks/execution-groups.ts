import { notFound } from '../../domain/existence.ts';
import type { CheckDocument } from '../../projections/checks/documents.ts';
import { executionGroups, type ExecutionGroupDocument } from '../../projections/execution-groups/projection.ts';
import { hasCheck } from './find.ts';
import { anyOf } from '../engine/filters.ts';
import { readListing, type Listing, type Paging } from '../engine/listing.ts';
import type { Scope } from '../engine/scope.ts';

/** Finds a parallel run. @throws NotFound also if its check was deleted */
export const findExecutionGroup = async (
  scope: Pick<Scope, 'read' | 'organizationId' | 'resultsFrom'>,
  groupId: string,
): Promise<ExecutionGroupDocument> => {
  const group = await scope.read(executionGroups).execution_groups.get(groupId);
  const isFound = group?.organization_id === scope.organizationId && group.created_at >= scope.resultsFrom();
  if (!isFound || (group.check_id !== null && !(await hasCheck(scope, group.check_id))))
    throw notFound('execution group');
  return group;
};

/** The parallel runs of a check, newest first. */
export const listExecutionGroups = (
  { read, resultsFrom }: Pick<Scope, 'read' | 'resultsFrom'>,
  { id: check_id }: CheckDocument,
  { status }: { status?: readonly ExecutionGroupDocument['status'][] },
  paging: Paging,
): Promise<Listing<ExecutionGroupDocument>> => {
  const where = { check_id, created_at: { $gte: resultsFrom() }, ...(status && { status: anyOf(status) }) };
  return readListing(read(executionGroups).execution_groups, { where, sort: { created_at: -1 } }, paging);
};
