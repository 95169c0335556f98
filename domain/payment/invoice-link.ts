import { signedPath, type Mac } from '../signed-token.ts';
import type { Instant } from '../time.ts';

/** The purpose that is signed in invoice links. */
export const INVOICE_LINK = 'invoice';

/**
 * Returns a signed path of a payment's invoice, which works without an API key until it expires. The caller must have
 * checked that the client may see the invoice.
 */
export const invoicePath = (
  { id, organizationId, until }: { id: string; organizationId: string; until: Instant },
  mac: Mac,
): Promise<string> =>
  signedPath(
    `/v1/payments/${id}/invoice`,
    { purpose: INVOICE_LINK, organizationId, subject: id, expiresAt: until },
    mac,
  );
