import type { Schemas } from '../../api/openapi.d.ts';
import { SERVICE } from '../../place.ts';

type Page = Schemas['Page'];

/** Where a page is found at this service, also where it has no host of its own. */
export const addressHere = ({ subdomain }: Pick<Page, 'subdomain'>): string =>
  new URL(`status/${encodeURIComponent(subdomain)}`, SERVICE).href;

/** Where a page is found at its own domain; null: it has none. */
export const addressOfDomain = ({ domain }: Pick<Page, 'domain'>): string | null =>
  domain !== null && URL.canParse(`https://${domain}/`) ? `https://${domain}/` : null;
