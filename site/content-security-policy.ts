import type { Directives } from '../http/security-headers.ts';

/** The policy of pages without scripts: they may load our stylesheet and submit their forms, and nothing else. */
export const NO_SCRIPTS: Directives = {
  'default-src': ["'none'"],
  'style-src': ["'self'"],
  'form-action': ["'self'"],
  'base-uri': ["'none'"],
  'frame-ancestors': ["'none'"],
};
