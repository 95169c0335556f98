import { CLIENT_ADDRESS, USER_AGENT } from '../domain/event.ts';
import type { Sealed } from '../domain/sealed.ts';
import type { Instant } from '../domain/time.ts';
import type { AuditDocument } from '../projections/audit/documents.ts';
import { audit } from '../projections/audit/projection.ts';
import { openText } from '../stores/keys/port.ts';
import { joined, listing, type Listing, type Paging } from './listing.ts';
import { openChanges } from './open-changes.ts';
import type { Scope } from './scope.ts';

export interface AuditFilters {
  action?: string;
  resource_type?: string;
  resource_id?: string;
  actor_id?: string;
  start_date?: Instant;
  end_date?: Instant;
}

/** What somebody did, its sealed texts opened. */
export interface AuditEntry extends Omit<AuditDocument, 'actor_email' | 'client_address' | 'user_agent'> {
  actor_email: string | null;
  ip_address: string | null;
  user_agent: string | null;
}

/** Who did what in the organization, the newest first. */
export const listAudit = async (
  scope: Pick<Scope, 'read' | 'organizationId' | 'keys'>,
  { action, resource_type, resource_id, actor_id, start_date, end_date }: AuditFilters,
  paging: Paging,
): Promise<Listing<AuditEntry>> => {
  const where = {
    organization_id: scope.organizationId,
    ...(action !== undefined && { action }),
    ...(resource_type !== undefined && { resource_type }),
    ...(resource_id !== undefined && { resource_id }),
    ...(actor_id !== undefined && { actor_id }),
    ...((start_date ?? end_date) !== undefined && {
      created_at: {
        ...(start_date !== undefined && { $gte: start_date }),
        ...(end_date !== undefined && { $lte: end_date }),
      },
    }),
  };
  const found = await listing(scope.read(audit).audit_logs, { where, sort: { created_at: -1 } }, paging);
  return joined(found, async () => (entry) => opened(scope, entry));
};

const opened = async (
  { keys }: Pick<Scope, 'keys'>,
  { client_address, actor_email, user_agent, changes, ...entry }: AuditDocument,
): Promise<AuditEntry> => {
  const { organization_id: organizationId, resource_type } = entry;
  const open = (sealed: Sealed | null, field: string): Promise<string> | null =>
    sealed && openText(sealed, { organizationId, field }, keys);
  return {
    ...entry,
    actor_email: await open(actor_email, 'actor_email'),
    changes: await openChanges({ keys }, { organizationId, resource_type, changes }),
    ip_address: await open(client_address, CLIENT_ADDRESS),
    user_agent: await open(user_agent, USER_AGENT),
  };
};
