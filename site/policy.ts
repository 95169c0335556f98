import type { Directives } from '../http/security-headers.ts';

/** What pages may do that need no scripts: have our stylesheet, and send their forms back. Nothing else. */
export const NO_SCRIPTS: Directives = {
  'default-src': ["'none'"],
  'style-src': ["'self'"],
  'form-action': ["'self'"],
  'base-uri': ["'none'"],
  'frame-ancestors': ["'none'"],
};
