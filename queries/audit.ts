import { CLIENT_ADDRESS, USER_AGENT } from '../domain/event.ts';
import type { Sealed } from '../domain/sealed.ts';
import type { Instant } from '../domain/time.ts';
import type { AuditDocument } from '../projections/audit/documents.ts';
import { audit } from '../projections/audit/projection.ts';
import { openText } from '../stores/keys/port.ts';
import { exactly, matching, within } from './filters.ts';
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

/** What somebody did, with its sealed texts opened. */
export interface AuditEntry extends Omit<AuditDocument, 'actor_email' | 'client_address' | 'user_agent'> {
  actor_email: string | null;
  ip_address: string | null;
  user_agent: string | null;
}

/** Who did what in the organization, the newest first. */
export const listAudit = async (
  scope: Pick<Scope, 'read' | 'organizationId' | 'keys'>,
  { start_date, end_date, ...filters }: AuditFilters,
  paging: Paging,
): Promise<Listing<AuditEntry>> => {
  const where = {
    organization_id: scope.organizationId,
    ...matching({ action: exactly, resource_type: exactly, resource_id: exactly, actor_id: exactly }, filters),
    ...within(start_date, end_date),
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
