import { changedFields } from '../changes.ts';
import { MASK } from '../check/mask.ts';
import { Invalid } from '../errors.ts';
import { mailAddressOf, NOT_AN_EMAIL } from '../mail/address.ts';
import { isBlank, NOT_BLANK } from '../text.ts';
import { checkedName } from './name.ts';
import type { InvoiceDetails, OrganizationEvent } from './events.ts';
import { existing, type Organization } from './state.ts';

/** Name of the key that seals what is the organization's own, such as its invoice details. */
export const organizationKey = (id: string): string => `organization-${id}`;

/** What people change about an organization; what is absent stays, and invoice details are replaced whole. */
export interface OrganizationChanges<Details = InvoiceDetails> {
  name?: string;
  auto_renew?: boolean;
  invoice_details?: Details;
}

/** Invoice details as people write and read them; a text that is sent masked stays as it is stored. */
export type PlainInvoiceDetails = Record<keyof InvoiceDetails, string | null>;

/** Longest texts of invoice details, characters. */
export const LONGEST_DETAILS = { legal_name: 200, tax_id: 50, address: 500, email: 254 } as const;

/** @throws NotFound, and Invalid the name is blank or too long */
export const updateOrganization = (organization: Organization, changes: OrganizationChanges): OrganizationEvent[] => {
  const { id, name, autoRenew: auto_renew, invoiceDetails: invoice_details } = existing(organization);
  const wanted = changes.name === undefined ? changes : { ...changes, name: checkedName(changes.name) };
  const changed = changedFields({ name, auto_renew, invoice_details }, wanted);
  return changed ? [{ type: 'OrganizationUpdated', data: { organization_id: id, ...changed } }] : [];
};

/** Whether a text is an e-mail address, or stands masked for the one that is stored. */
export const isInvoiceEmail = (text: string): boolean => text === MASK || mailAddressOf(text) !== null;

/** @throws Invalid names every text that is masked although there is none that it could stand for */
export const requireMasked = (details: PlainInvoiceDetails, stored: InvoiceDetails): void => {
  const broken = (Object.keys(LONGEST_DETAILS) as (keyof InvoiceDetails)[])
    .filter((field) => details[field] === MASK && stored[field] === null)
    .map((field) => [`invoice_details.${field}`, [`There is no text that ${MASK} could stand for.`]]);
  if (broken.length > 0) throw new Invalid({ json: Object.fromEntries(broken) as Record<string, string[]> });
};

/** @throws Invalid names every text that is blank, too long, or no e-mail address where one is needed */
export const requireInvoiceDetails = (details: PlainInvoiceDetails): void => {
  const broken: Record<string, string[]> = {};
  for (const [field, longest] of Object.entries(LONGEST_DETAILS) as [keyof InvoiceDetails, number][]) {
    const text = details[field];
    if (text === null) continue;
    const sentence = isBlank(text)
      ? NOT_BLANK
      : Array.from(text).length > longest
        ? `Must have at most ${longest.toString()} characters.`
        : field === 'email' && !isInvoiceEmail(text)
          ? NOT_AN_EMAIL
          : null;
    if (sentence !== null) broken[`invoice_details.${field}`] = [sentence];
  }
  if (Object.keys(broken).length > 0) throw new Invalid({ json: broken });
};
