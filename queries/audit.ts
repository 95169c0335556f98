import { CLIENT_ADDRESS, USER_AGENT } from '../domain/event.ts';
import type { Sealed } from '../domain/sealed.ts';
import type { Instant } from '../domain/time.ts';
import type { AuditDocument, UserName } from '../projections/audit/documents.ts';
import { audit } from '../projections/audit/projection.ts';
import { FORGOTTEN, openText } from '../stores/keys/port.ts';
import type { Where } from '../stores/read-store/port.ts';
import { exactly, matching, oneOf, createdWithin } from './engine/filters.ts';
import { joinItems, readListing, type Listing, type Paging } from './engine/listing.ts';
import { decryptChanges } from './engine/open-changes.ts';
import type { Scope } from './engine/scope.ts';

export interface AuditFilters {
  /** Matches any of these values. */
  action?: readonly string[];
  /** Matches any of these values. */
  resource_type?: readonly string[];
  resource_id?: string;
  actor_id?: string;
  start_date?: Instant;
  end_date?: Instant;
}

/** An audit log entry with decrypted texts. */
export interface AuditEntry extends Omit<
  AuditDocument,
  'actor_email' | 'resource_person' | 'client_address' | 'user_agent'
> {
  actor_email: string | null;
  ip_address: string | null;
  user_agent: string | null;
}

type AuditScope = Pick<Scope, 'read' | 'organizationId' | 'keys'>;

const matches = { action: oneOf, resource_type: oneOf, resource_id: exactly, actor_id: exactly };

const whereOf = (
  { organizationId: organization_id }: Pick<Scope, 'organizationId'>,
  { start_date, end_date, ...filters }: AuditFilters,
): Where => ({ organization_id, ...matching(matches, filters), ...createdWithin(start_date, end_date) });

const NEWEST_FIRST = { created_at: -1 } as const;

/** The audit log of the organization, newest first. */
export const listAudit = async (
  scope: AuditScope,
  filters: AuditFilters,
  paging: Paging,
): Promise<Listing<AuditEntry>> => {
  const select = { where: whereOf(scope, filters), sort: NEWEST_FIRST };
  const found = await readListing(scope.read(audit).audit_logs, select, paging);
  return joinItems(found, async () => (entry) => opened(scope, entry));
};

/** Number of entries of an export that are read in one query. It is small, because an entry can be a megabyte. */
export const AUDIT_BATCH_SIZE = 50;

/**
 * Reads the whole list in pages, in order. Returns no entry twice, and no entries that were added after the start. A
 * page is read when the caller asks for it.
 */
export const exportAudit = async function* (
  scope: AuditScope & Pick<Scope, 'now'>,
  filters: AuditFilters,
): AsyncGenerator<AuditEntry[]> {
  const { audit_logs } = scope.read(audit);
  let end_date = filters.end_date !== undefined && filters.end_date < scope.now ? filters.end_date : scope.now;
  /** Number of entries at `end_date` that were already returned. All entries of one command have the same time. */
  let skip = 0;
  for (;;) {
    const where = whereOf(scope, { ...filters, end_date });
    const page = await audit_logs.find({ where, sort: NEWEST_FIRST, skip, limit: AUDIT_BATCH_SIZE });
    const last = page.at(-1)?.created_at;
    if (last === undefined) return;
    const alike = page.filter(({ created_at }) => created_at === last).length;
    skip = last === end_date ? skip + alike : alike;
    end_date = last;
    yield await Promise.all(page.map((entry) => opened(scope, entry)));
    if (page.length < AUDIT_BATCH_SIZE) return;
  }
};

const opened = async (
  { keys }: Pick<Scope, 'keys'>,
  { client_address, actor_email, resource_person, user_agent, changes, ...entry }: AuditDocument,
): Promise<AuditEntry> => {
  const { organization_id: organizationId, resource_type } = entry;
  const open = (sealed: Sealed | null, field: string): Promise<string> | null =>
    sealed && openText(sealed, { organizationId, field }, keys);
  return {
    ...entry,
    actor_email: await open(actor_email, 'email'),
    resource_name: resource_person ? await nameOf(resource_person, open) : entry.resource_name,
    changes: await decryptChanges({ keys }, { organizationId, resource_type, changes }),
    ip_address: await open(client_address, CLIENT_ADDRESS),
    user_agent: await open(user_agent, USER_AGENT),
  };
};

/** Returns the first and last name, the e-mail if there are no names, or `[forgotten]` if the user was forgotten. */
export const nameOf = async (
  { email, first_name, last_name }: UserName,
  open: (sealed: Sealed | null, field: string) => Promise<string> | null,
): Promise<string | null> => {
  const names = await Promise.all([open(first_name, 'first_name'), open(last_name, 'last_name')]);
  const known = names.filter((name) => name !== null && name !== '');
  if (known.includes(FORGOTTEN)) return FORGOTTEN;
  return known.length > 0 ? known.join(' ') : open(email, 'email');
};
