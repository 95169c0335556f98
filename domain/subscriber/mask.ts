import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { SubscriberMode } from './events.ts';

/**
 * An address as people are shown it who may not know it: `i***@example.com`, `+7******1234`, `https://example.com/***`.
 * A text that is no address of this mode, such as one that can't be read any more, stays as it is.
 */
export const maskedAddress = (mode: SubscriberMode, address: string): string => {
  switch (mode) {
    case 'email': {
      const at = address.lastIndexOf('@');
      const [first = ''] = address;
      return at < 1 ? address : `${first}***${address.slice(at)}`;
    }
    case 'sms': {
      const number = parsePhoneNumberFromString(address);
      return number ? `+${number.countryCallingCode}******${number.nationalNumber.slice(-4)}` : address;
    }
    case 'webhook':
      return URL.canParse(address) ? `${new URL(address).origin}/***` : address;
  }
};
