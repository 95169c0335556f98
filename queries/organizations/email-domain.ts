import { requireFound } from '../../domain/existence.ts';
import type { EmailDomainDocument } from '../../projections/email-domains/projection.ts';
import { emailDomains } from '../../projections/email-domains/projection.ts';
import { FORGOTTEN, openText, UNREADABLE } from '../../stores/keys/port.ts';
import { findPage } from '../pages/pages.ts';
import type { ReadScope, Scope } from '../engine/scope.ts';

/** Finds the domain from which a page's e-mails are sent. @throws NotFound */
export const findEmailDomain = async (scope: ReadScope, pageId: string): Promise<EmailDomainDocument> => {
  const { id } = await findPage(scope, pageId);
  return requireFound(await scope.read(emailDomains).email_domains.get(id), 'e-mail domain');
};

/** The sender of a page's e-mails, and the DKIM key. */
export interface VerifiedSender {
  from_email: string;
  domain: string;
  /** Name of the key in the DNS. */
  selector: string;
  /** PKCS #8 in PEM */
  privateKey: string;
}

/** Returns the sender of a page's e-mails, or null if no domain is verified or its key cannot be read. */
export const verifiedSender = async (
  { read, organizationId, keys }: Pick<Scope, 'read' | 'organizationId' | 'keys'>,
  pageId: string,
): Promise<VerifiedSender | null> => {
  const domain = await read(emailDomains).email_domains.get(pageId);
  if (domain?.organization_id !== organizationId || domain.status !== 'verified') return null;
  const privateKey = await openText(domain.private_key, { organizationId, field: 'private_key' }, keys);
  if (privateKey === FORGOTTEN || privateKey === UNREADABLE) return null;
  return { from_email: domain.from_email, domain: domain.domain, selector: domain.selector, privateKey };
};
