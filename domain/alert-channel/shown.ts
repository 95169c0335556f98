import { MASK } from '../check/mask.ts';
import type { ChannelTextPlace } from './configuration.ts';

/**
 * An opened text of a channel as a reader sees it. Tokens and the secret that signs are shown to nobody; the address
 * of a webhook, its headers and its body may hold secrets as well, so only those who may change them see them whole.
 *
 * @param reveal the reader may change channels
 */
export const shownChannelText = (text: string, { field }: ChannelTextPlace, reveal: boolean): string => {
  switch (field) {
    case 'recipients':
      return text;
    case 'url':
      return reveal ? text : originOf(text);
    case 'headers':
    case 'body_template':
      return reveal ? text : MASK;
    default:
      return MASK;
  }
};

/** `https://hooks.example.com`; of what is no URL, such as `[forgotten]`, itself. */
const originOf = (text: string): string => (URL.canParse(text) ? new URL(text).origin : text);
