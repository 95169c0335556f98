import type { Directives } from '../http/security-headers.ts';

/**
 * The policy of pages without scripts. They may load the service's own stylesheet and submit their own forms, and
 * nothing else.
 */
export const NO_SCRIPTS: Directives = {
  'default-src': ["'none'"],
  'style-src': ["'self'"],
  'form-action': ["'self'"],
  'base-uri': ["'none'"],
  'frame-ancestors': ["'none'"],
};
