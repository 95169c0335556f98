import { signedPath, type Mac } from '../signed-token.ts';
import type { Instant } from '../time.ts';

/** The purpose that links to invoices are signed for; they are about a payment. */
export const INVOICE_LINK = 'invoice';

/** The path of a payment's invoice that opens without a key until a moment. The caller must have checked who may see it. */
export const invoicePath = (
  { id, organizationId, until }: { id: string; organizationId: string; until: Instant },
  mac: Mac,
): Promise<string> =>
  signedPath(
    `/v1/payments/${id}/invoice`,
    { purpose: INVOICE_LINK, organizationId, subject: id, expiresAt: until },
    mac,
  );
