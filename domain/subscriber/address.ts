import { internetAddressOf, mailIdentity, NOT_AN_EMAIL } from '../mail/address.ts';
import type { SubscriberMode } from './events.ts';
import { isMaskedEmail, isMaskedEndpoint, MASKED_ADDRESS_SENTENCE } from './masking.ts';
import { readPhoneNumber } from './phone-number.ts';

/** The address of a subscriber in a request. Fields that do not belong to the mode are ignored. */
export interface AddressInput {
  mode: SubscriberMode;
  email?: string | null | undefined;
  phone_number?: string | null | undefined;
  phone_country?: string | null | undefined;
  endpoint?: string | null | undefined;
}

export interface Address {
  mode: SubscriberMode;
  /** the e-mail address, the phone number in E.164 format, or the URL */
  text: string;
  /** the normalised form of the address, which is the same for all its spellings */
  identity: string;
  /** the e-mail address of a contact person for a webhook; null for other modes */
  contact_email: string | null;
  phone_country: string | null;
}

/** Error messages by field. */
export type Problems = Record<string, string[]>;

const missing = (field: string, mode: SubscriberMode): Problems => ({ [field]: [`Is required for mode ${mode}.`] });

const isThere = (text: string | null | undefined): text is string => typeof text === 'string' && text.trim() !== '';

/** Returns the normalised e-mail address; null if the text is not a valid internet address. */
const emailOf = (text: string): string | null => internetAddressOf(text.trim().normalize('NFC'))?.address ?? null;

/**
 * Validates an address (docs/reference/subscribers.md#addresses). Does not evaluate whether the target of a webhook is
 * allowed; the notifier does.
 */
export const readAddress = (input: AddressInput): { address: Address } | { problems: Problems } => {
  switch (input.mode) {
    case 'email':
      return byEmail(input);
    case 'sms':
      return bySms(input);
    case 'webhook':
      return byWebhook(input);
  }
};

type Reading = ReturnType<typeof readAddress>;

const byEmail = ({ mode, email }: AddressInput): Reading => {
  if (!isThere(email)) return { problems: missing('email', mode) };
  const text = emailOf(email);
  if (text === null) return { problems: { email: [NOT_AN_EMAIL] } };
  if (isMaskedEmail(text)) return { problems: { email: [MASKED_ADDRESS_SENTENCE] } };
  return { address: { mode, text, identity: mailIdentity(text), contact_email: null, phone_country: null } };
};

const bySms = ({ mode, phone_number, phone_country }: AddressInput): Reading => {
  const problems = {
    ...(!isThere(phone_number) && missing('phone_number', mode)),
    ...(!isThere(phone_country) && missing('phone_country', mode)),
  };
  if (!isThere(phone_number) || !isThere(phone_country)) return { problems };
  const read = readPhoneNumber(phone_number, phone_country.trim());
  if ('problems' in read) return read;
  const { number, country } = read;
  return { address: { mode, text: number, identity: number, contact_email: null, phone_country: country } };
};

const byWebhook = ({ mode, endpoint, email }: AddressInput): Reading => {
  const contact = isThere(email) ? emailOf(email) : null;
  const problems = {
    ...(!isThere(endpoint) && missing('endpoint', mode)),
    ...(isThere(endpoint) && !URL.canParse(endpoint) && { endpoint: ['Must be a URL.'] }),
    ...(isThere(endpoint) && isMaskedEndpoint(endpoint) && { endpoint: [MASKED_ADDRESS_SENTENCE] }),
    ...(isThere(email) && contact === null && { email: [NOT_AN_EMAIL] }),
    ...(contact !== null && isMaskedEmail(contact) && { email: [MASKED_ADDRESS_SENTENCE] }),
  };
  if (!isThere(endpoint) || Object.keys(problems).length > 0) return { problems };
  const url = new URL(endpoint);
  // Remove the fragment, which is never sent to a server.
  url.hash = '';
  return { address: { mode, text: url.href, identity: url.href, contact_email: contact, phone_country: null } };
};
