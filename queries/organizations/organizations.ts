import { MASKED_TEXT } from '../../domain/masking.ts';
import { requireFound } from '../../domain/existence.ts';
import type { InvoiceDetails } from '../../domain/organization/events.ts';
import type {
  ApiKeyDocument,
  OrganizationDocument,
  SubscriptionDocument,
} from '../../projections/organizations/documents.ts';
import { organizations } from '../../projections/organizations/projection.ts';
import { openText } from '../../stores/keys/port.ts';
import { readCreditBalance, creditLimitOf, type CreditBalance } from './credits.ts';
import type { ReadScope, Scope } from '../engine/scope.ts';

export interface OrganizationDetails extends Omit<OrganizationDocument, 'invoice_details'> {
  /** Credits used in the current month. */
  credits: CreditBalance;
  current_subscription: SubscriptionDocument | null;
  invoice_details: Record<keyof InvoiceDetails, string | null>;
}

/** @throws NotFound if `id` is not the scope's organization (docs/reference/organizations.md#foreign-organizations) */
export const findOrganization = async (
  { read, organizationId }: ReadScope,
  id: string,
): Promise<OrganizationDocument> => {
  return requireFound(id === organizationId ? await read(organizations).organizations.get(id) : null, 'organization');
};

type QueryScope = Pick<Scope, 'read' | 'organizationId' | 'now' | 'plans' | 'keys'>;

/**
 * @param billing whether to show the subscription and the invoice details; if false, the subscription is null and the
 * invoice details are masked
 * @throws NotFound
 */
export const organizationDetails = async (
  scope: QueryScope,
  id: string,
  { billing }: { billing: boolean },
): Promise<OrganizationDetails> => {
  const organization = await findOrganization(scope, id);
  const { subscription_id } = organization;
  return {
    ...organization,
    credits: await readCreditBalance(scope, creditLimitOf(organization, scope.plans)),
    current_subscription:
      billing && subscription_id !== null ? await scope.read(organizations).subscriptions.get(subscription_id) : null,
    invoice_details: billing ? await opened(scope, organization.invoice_details) : masked(organization.invoice_details),
  };
};

/** Replaces each existing field by {@link MASKED_TEXT}. A client that sends back the mask does not change the field. */
const masked = (details: InvoiceDetails): OrganizationDetails['invoice_details'] => {
  const { legal_name, tax_id, address, email } = details;
  const shown = (text: unknown): string | null => (text === null ? null : MASKED_TEXT);
  return { legal_name: shown(legal_name), tax_id: shown(tax_id), address: shown(address), email: shown(email) };
};

const opened = async (
  { keys, organizationId }: Pick<Scope, 'keys' | 'organizationId'>,
  details: InvoiceDetails,
): Promise<OrganizationDetails['invoice_details']> => {
  const texts: OrganizationDetails['invoice_details'] = { legal_name: null, tax_id: null, address: null, email: null };
  for (const field of Object.keys(texts) as (keyof InvoiceDetails)[]) {
    const sealed = details[field];
    if (sealed) texts[field] = await openText(sealed, { organizationId, field: `invoice_details.${field}` }, keys);
  }
  return texts;
};

/** The organization's API keys that are not revoked, including expired ones, oldest first. */
export const listApiKeys = ({ read, organizationId }: ReadScope): Promise<ApiKeyDocument[]> =>
  read(organizations).api_keys.find({ where: { organization_id: organizationId }, sort: { created_at: 1 } });
