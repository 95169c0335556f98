import type { SubscriberMode } from './events.ts';

/** The usual number of digits of a national number; the digits before them are the country code. */
const NATIONAL_DIGITS = 10;
const SHOWN_DIGITS = 4;

/** Masks an address for those who manage a page: recognisable, but not usable (docs/reference/subscribers.md#masking). */
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

/** `i***@example.com` */
export const maskedEmail = (email: string): string => {
  const [first = ''] = email;
  return `${first}***${email.slice(email.lastIndexOf('@'))}`;
};

/** `+7******1234` for a number in E.164 */
export const maskedPhoneNumber = (number: string): string => {
  const digits = number.slice(1);
  const country = digits.slice(0, Math.max(1, digits.length - NATIONAL_DIGITS));
  const end = digits.slice(-SHOWN_DIGITS);
  return `+${country}${'*'.repeat(Math.max(0, digits.length - country.length - end.length))}${end}`;
};

/** `https://hooks.example.com/***`: paths often contain credentials. */
export const maskedEndpoint = (url: string): string => `${new URL(url).origin}/***`;

/** Whether a text is a result of {@link maskedEmail}, which has the form of a valid address. */
export const isMaskedEmail = (text: string): boolean => /^.?\*\*\*@[^@]*$/u.test(text.trim());

/** Whether a text is a result of {@link maskedEndpoint}, which has the form of a valid URL. */
export const isMaskedEndpoint = (text: string): boolean => /^[a-z]+:\/\/[^/?#]*\/\*\*\*$/i.test(text.trim());

/** The error for a masked address where no stored one can replace it. */
export const MASKED_ADDRESS_SENTENCE = 'Is masked. Send the whole address.';
