import type * as PhoneNumbers from 'libphonenumber-js/max';
import { createRequire } from 'node:module';
import { lazy } from '../concurrency/lazy.ts';

/** Loads the library at its first use, because its tables take 70 ms and several MiB. */
const phoneNumbers = lazy(() => createRequire(import.meta.url)('libphonenumber-js/max') as typeof PhoneNumbers);

// The full metadata (`/max`) is needed to determine the country of a shared calling code, such as +1 or +7, and the
// kind of a number: messages to premium numbers are expensive.

/**
 * Kinds of numbers that can receive text messages. In some countries, a number doesn't show whether it is a landline.
 */
const RECEIVING: ReadonlySet<string | undefined> = new Set(['MOBILE', 'FIXED_LINE_OR_MOBILE']);

/** A valid phone number in E.164 format with its country code, or errors by field. */
export type PhoneNumber = { number: string; country: string } | { problems: Record<string, string[]> };

const problem = (field: string, sentence: string): PhoneNumber => ({ problems: { [field]: [sentence] } });

/**
 * Parses a phone number in national or international form.
 *
 * @param text for example `8 912 345-67-89` or `+7 912 345-67-89`
 * @param country country code (ISO 3166-1 alpha-2), in upper or lower case
 * @returns the number in E.164 format, such as `+79123456789`, or errors
 */
export const readPhoneNumber = (text: string, country: string): PhoneNumber => {
  const { isSupportedCountry, parsePhoneNumberFromString } = phoneNumbers();
  const code = country.toUpperCase();
  if (!isSupportedCountry(code)) return problem('phone_country', 'Must be the code of a country, such as DE.');
  const number = parsePhoneNumberFromString(text, { defaultCountry: code, extract: false });
  if (!number?.isValid()) return problem('phone_number', `Must be a phone number of ${code}.`);
  if (number.country !== code) return problem('phone_number', `Must be a phone number of ${code}.`);
  if (!RECEIVING.has(number.getType())) return problem('phone_number', 'Must be the number of a mobile phone.');
  return { number: number.number, country: code };
};

/** A country whose phone numbers are supported. */
export interface PhoneCountry {
  /** country code (ISO 3166-1 alpha-2) */
  code: string;
  /** calling code, such as `49` */
  callingCode: string;
}

/** Returns all countries that {@link readPhoneNumber} supports, sorted by code. */
export const phoneCountries = (): PhoneCountry[] => {
  const { getCountries, getCountryCallingCode } = phoneNumbers();
  return getCountries()
    .map((code) => ({ code, callingCode: getCountryCallingCode(code) }))
    .sort((a, b) => (a.code < b.code ? -1 : 1));
};
