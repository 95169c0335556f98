import type { SubscriberMode } from './events.ts';

/** The usual number of digits in a national phone number. Digits before these are treated as the country code. */
const NATIONAL_DIGITS = 10;
const SHOWN_DIGITS = 4;

/**
 * Masks an address, so that the editors of a page can recognise the address but not use it
 * (docs/reference/subscribers.md#masking).
 */
export const maskedAddress = (mode: SubscriberMode, address: string): string => {
  switch (mode) {
    case 'email':
      return maskedEmail(address);
    case 'sms':
      return maskedPhoneNumber(address);
    case 'webhook':
      return maskedEndpoint(address);
  }
};

/** Masks an e-mail address: `i***@example.com`. */
export const maskedEmail = (email: string): string => {
  const [first = ''] = email;
  return `${first}***${email.slice(email.lastIndexOf('@'))}`;
};

/** Masks a phone number in E.164 format: `+7******1234`. */
export const maskedPhoneNumber = (number: string): string => {
  const digits = number.slice(1);
  const country = digits.slice(0, Math.max(1, digits.length - NATIONAL_DIGITS));
  const end = digits.slice(-SHOWN_DIGITS);
  return `+${country}${'*'.repeat(Math.max(0, digits.length - country.length - end.length))}${end}`;
};

/** Masks the URL of a webhook, whose path often contains credentials: `https://hooks.example.com/***`. */
export const maskedEndpoint = (url: string): string => `${new URL(url).origin}/***`;

/**
 * Whether a text is a result of {@link maskedEmail}. The validation of e-mail addresses does not reject such a text.
 */
export const isMaskedEmail = (text: string): boolean => /^.?\*\*\*@[^@]*$/u.test(text.trim());

/** Whether a text is a result of {@link maskedEndpoint}. The validation of URLs does not reject such a text. */
export const isMaskedEndpoint = (text: string): boolean => /^[a-z]+:\/\/[^/?#]*\/\*\*\*$/i.test(text.trim());

/** The error for a masked address in a request, if no stored address can replace it. */
export const MASKED_ADDRESS_SENTENCE = 'Is masked. Send the whole address.';
