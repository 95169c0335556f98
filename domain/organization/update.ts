import { changedFields } from '../changes.ts';
import { MASKED_TEXT } from '../masking.ts';
import { Invalid } from '../errors.ts';
import { mailAddressOf, NOT_AN_EMAIL } from '../mail/address.ts';
import { isBlank, NOT_BLANK } from '../text.ts';
import { requireOrganizationName } from './name.ts';
import type { InvoiceDetails, OrganizationEvent } from './events.ts';
import { existing, type Organization } from './state.ts';

/** Returns the name of the key that seals data of the organization, such as its invoice details. */
export const organizationKey = (id: string): string => `organization-${id}`;

/** A request to change an organization. Absent fields are not changed. Invoice details are replaced as a whole. */
export interface OrganizationChanges<Details = InvoiceDetails> {
  name?: string;
  auto_renew?: boolean;
  invoice_details?: Details;
}

/** Decrypted invoice details. If a text in a request is masked, the stored text is not changed. */
export type PlainInvoiceDetails = Record<keyof InvoiceDetails, string | null>;

/** Maximum number of characters of each invoice detail. */
export const MAX_INVOICE_DETAIL_LENGTHS = { legal_name: 200, tax_id: 50, address: 500, email: 254 } as const;

/** @throws NotFound @throws Invalid the name is blank or too long */
export const updateOrganization = (organization: Organization, changes: OrganizationChanges): OrganizationEvent[] => {
  const { id, name, autoRenew: auto_renew, invoiceDetails: invoice_details } = existing(organization);
  const wanted = changes.name === undefined ? changes : { ...changes, name: requireOrganizationName(changes.name) };
  const changed = changedFields({ name, auto_renew, invoice_details }, wanted);
  return changed ? [{ type: 'OrganizationUpdated', data: { organization_id: id, ...changed } }] : [];
};

/** Whether a text is an e-mail address, or the mask that responses show instead of the stored address. */
export const isInvoiceEmail = (text: string): boolean => text === MASKED_TEXT || mailAddressOf(text) !== null;

/** @throws Invalid with an error for every masked text in the request for which no text is stored */
export const requireUnchangedMasks = (details: PlainInvoiceDetails, stored: InvoiceDetails): void => {
  const broken = (Object.keys(MAX_INVOICE_DETAIL_LENGTHS) as (keyof InvoiceDetails)[])
    .filter((field) => details[field] === MASKED_TEXT && stored[field] === null)
    .map((field) => [`invoice_details.${field}`, [`No stored text matches ${MASKED_TEXT}. Send the whole text.`]]);
  if (broken.length > 0) throw new Invalid({ json: Object.fromEntries(broken) as Record<string, string[]> });
};

/** @throws Invalid with an error for every text that is blank, too long, or not a valid e-mail address */
export const requireInvoiceDetails = (details: PlainInvoiceDetails): void => {
  const broken: Record<string, string[]> = {};
  for (const [field, longest] of Object.entries(MAX_INVOICE_DETAIL_LENGTHS) as [keyof InvoiceDetails, number][]) {
    const text = details[field];
    if (text === null) continue;
    const sentence = isBlank(text)
      ? NOT_BLANK
      : Array.from(text).length > longest
        ? `Must have at most ${longest} characters.`
        : field === 'email' && !isInvoiceEmail(text)
          ? NOT_AN_EMAIL
          : null;
    if (sentence !== null) broken[`invoice_details.${field}`] = [sentence];
  }
  if (Object.keys(broken).length > 0) throw new Invalid({ json: broken });
};
