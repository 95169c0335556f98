import { recordsOf, type RequiredRecord } from '../../domain/email-domain/records.ts';
import type { VerificationStatus } from '../../domain/email-domain/state.ts';
import type { Sealed } from '../../domain/sealed.ts';
import type { Instant } from '../../domain/time.ts';
import { collection, defineProjection, type Model } from '../engine/fold/define.ts';

/** A DNS record, and the result of its most recent lookup. */
export interface EmailDomainRecordView extends RequiredRecord {
  /** `pending` if the record was never looked up, or the lookups had no result. */
  status: VerificationStatus;
  error_message: string | null;
}

/** The domain from which a page's e-mails are sent, in the form of API responses. */
export interface EmailDomainDocument {
  /** id of the page */
  id: string;
  organization_id: string;
  domain: string;
  from_email: string;
  status: VerificationStatus;
  last_checked_at: Instant | null;
  /** Time of the most recent successful verification. */
  verified_at: Instant | null;
  records: readonly EmailDomainRecordView[];
  /** DKIM selector: name of the key in the DNS. */
  selector: string;
  /** PKCS #8 in PEM, field `private_key` */
  private_key: Sealed;
}

/** A domain whose records are due for a lookup. */
export interface EmailDomainCheckDocument {
  /** id of the page */
  id: string;
  organization_id: string;
  due_at: Instant;
  changed_position: number;
}

const change = (
  model: Model<EmailDomainDocument>,
  id: string,
  changes: (document: EmailDomainDocument) => Partial<EmailDomainDocument>,
): void => {
  const document = model.get(id);
  // If the page was deleted, there is no document.
  if (!document) return;
  model.put({ ...document, ...changes(document) });
};

const STATUS = { found: 'verified', wrong: 'failed' } as const;

/** The sender domains of pages, and the times of their next automatic lookups. */
export const emailDomains = defineProjection({
  name: 'email_domains',
  version: 1,
  log: 'main',
  collections: {
    email_domains: collection<EmailDomainDocument>({ indexes: [{ status: 1 }] }),
    email_domain_checks: collection<EmailDomainCheckDocument>({ indexes: [{ due_at: 1 }, { changed_position: 1 }] }),
  },
  documents: ({ data: { page_id } }) => ({ email_domains: [page_id], email_domain_checks: [page_id] }),
  on: {
    EmailDomainConfigured: ({ data, metadata, position }, { email_domains, email_domain_checks }) => {
      const { page_id: id, domain, from_email, selector, private_key, next_check_at: due_at } = data;
      const organization_id = metadata.organization_id ?? '';
      email_domains.put({
        id,
        organization_id,
        domain,
        from_email,
        status: 'pending',
        last_checked_at: null,
        verified_at: null,
        records: recordsOf(data).map((record) => ({ ...record, status: 'pending', error_message: null })),
        selector,
        private_key,
      });
      email_domain_checks.put({ id, organization_id, due_at, changed_position: Number(position) });
    },
    EmailDomainSenderChanged: ({ data: { page_id, from_email } }, { email_domains }) => {
      change(email_domains, page_id, () => ({ from_email }));
    },
    EmailDomainChecked: ({ data, metadata, position }, { email_domains, email_domain_checks }) => {
      const { page_id: id, checked_at: last_checked_at, records, next_check_at: due_at } = data;
      const found = new Map(records.map((record) => [record.purpose, record]));
      change(email_domains, id, (document) => ({
        last_checked_at,
        records: document.records.map((record) => {
          const { outcome = 'unknown', problem = null } = found.get(record.purpose) ?? {};
          return { ...record, status: outcome === 'unknown' ? record.status : STATUS[outcome], error_message: problem };
        }),
      }));
      if (due_at === null || !email_domains.get(id)) email_domain_checks.delete(id);
      else {
        const organization_id = metadata.organization_id ?? '';
        email_domain_checks.put({ id, organization_id, due_at, changed_position: Number(position) });
      }
    },
    EmailDomainVerified: ({ data: { page_id, verified_at } }, { email_domains }) => {
      change(email_domains, page_id, () => ({ status: 'verified', verified_at }));
    },
    EmailDomainFailed: ({ data: { page_id } }, { email_domains }) => {
      change(email_domains, page_id, () => ({ status: 'failed' }));
    },
    PageDeleted: ({ data: { page_id } }, { email_domains, email_domain_checks }) => {
      email_domains.delete(page_id);
      email_domain_checks.delete(page_id);
    },
  },
});
