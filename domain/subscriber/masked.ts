import type { SubscriberMode } from './events.ts';

/** As many digits as a national number usually has: those before them are the country's. */
const NATIONAL_DIGITS = 10;
const SHOWN_DIGITS = 4;

/** An address as it is shown to those who manage a page: recognizable, but not usable (decisions.md: Subscribers). */
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

/** `+7******1234`, of a number in E.164 */
export const maskedPhoneNumber = (number: string): string => {
  const digits = number.slice(1);
  const country = digits.slice(0, Math.max(1, digits.length - NATIONAL_DIGITS));
  const end = digits.slice(-SHOWN_DIGITS);
  return `+${country}${'*'.repeat(Math.max(0, digits.length - country.length - end.length))}${end}`;
};

/** `https://hooks.example.com/***`: a path often is what lets others post there, too. */
export const maskedEndpoint = (url: string): string => `${new URL(url).origin}/***`;

/** Whether a text is what {@link maskedEmail} returns: nobody's address, although its form is right. */
export const isMaskedEmail = (text: string): boolean => /^.?\*\*\*@[^@]*$/u.test(text.trim());

/** Whether a text is what {@link maskedEndpoint} returns: a URL that nobody posts to. */
export const isMaskedEndpoint = (text: string): boolean => /^[a-z]+:\/\/[^/?#]*\/\*\*\*$/i.test(text.trim());

/** Why a masked address is refused where there is none that it could stand for. */
export const MASKED_ADDRESS = 'Is masked: send the whole address.';
