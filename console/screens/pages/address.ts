import type { Schemas } from '../../api/openapi.d.ts';
import { SERVICE_URL } from '../../urls.ts';

type Page = Schemas['Page'];

/** Returns the URL of a page below the service's root. A page has this URL even if it also has a domain of its own. */
export const addressHere = ({ subdomain }: Pick<Page, 'subdomain'>): string =>
  new URL(`status/${encodeURIComponent(subdomain)}`, SERVICE_URL).href;

/** Returns the URL of a page at its own domain, or null if there is none. */
export const addressOfDomain = ({ domain }: Pick<Page, 'domain'>): string | null =>
  domain !== null && URL.canParse(`https://${domain}/`) ? `https://${domain}/` : null;
