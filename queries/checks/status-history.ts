import type { Instant } from '../../domain/time.ts';
import { checkStatusHistory, type CheckStatusDocument } from '../../projections/check-status-history/projection.ts';
import type { CheckDocument } from '../../projections/checks/documents.ts';
import { readListing, type Listing, type Paging } from '../engine/listing.ts';
import type { Scope } from '../engine/scope.ts';

/** Lists the periods in which the status of a check was the same, if they overlap the given period, newest first. */
export const listStatuses = (
  { read }: Pick<Scope, 'read'>,
  { id: check_id }: CheckDocument,
  { start_date: from, end_date: to }: { start_date?: Instant; end_date?: Instant },
  paging: Paging,
): Promise<Listing<CheckStatusDocument>> => {
  const where = {
    check_id,
    ...(to !== undefined && { started_at: { $lte: to } }),
    ...(from !== undefined && { $or: [{ ended_at: null }, { ended_at: { $gte: from } }] }),
  };
  return readListing(read(checkStatusHistory).check_statuses, { where, sort: { started_at: -1 } }, paging);
};
