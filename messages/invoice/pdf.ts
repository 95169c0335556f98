import { millisecondsOf, type Instant } from '../../domain/time.ts';
import { COLORS, CONTENT_WIDTH, openSheet, PAGE, type Sheet } from '../report/pdf/sheet.ts';
import type { InvoiceContent } from '../../domain/payment/invoice-content.ts';

/**
 * Returns an A4 invoice as PDF, in English. The output depends only on the content: the same content always gives the
 * same bytes.
 */
export const invoicePdf = (content: InvoiceContent): Promise<Uint8Array> => {
  const { number, invoiced_at, seller, customer, description, payment_id } = content;
  const sheet = openSheet({
    title: `Invoice ${number}`,
    made: new Date(millisecondsOf(invoiced_at)),
    foot: `${seller.name} · Invoice ${number}`,
  });
  sheet.prose(seller.name, { color: COLORS.muted, size: 10, gap: 2 });
  sheet.prose(`Invoice ${number}`, { weight: 'bold', size: 20, gap: 2 });
  sheet.prose(`${day(invoiced_at)} · Payment ${payment_id}`, { color: COLORS.muted, size: 10, gap: 12 });
  paymentState(sheet, content);
  party(sheet, 'From', seller);
  party(sheet, 'To', customer);
  title(sheet, 'For');
  sheet.prose(description, { size: 11, gap: 12 });
  total(sheet, content);
  if (content.paid_at === null && content.canceled_at === null && seller.payment_details !== null) {
    title(sheet, 'How to pay');
    sheet.prose(seller.payment_details, { size: 10, gap: 4 });
    sheet.prose(`Please state the invoice number ${number}.`, { size: 10, gap: 12 });
  }
  if (seller.note !== null) sheet.prose(seller.note, { size: 9, color: COLORS.muted });
  return sheet.done();
};

/** Returns a day in UTC, as ISO 8601. */
const day = (instant: Instant): string => instant.slice(0, 10);

/** Writes whether the invoice was paid or canceled. */
const paymentState = (sheet: Sheet, { paid_at, canceled_at }: InvoiceContent): void => {
  const style = { size: 14, weight: 'bold', gap: 2 } as const;
  if (canceled_at !== null) {
    sheet.prose('VOID', { ...style, color: COLORS.bad });
    sheet.prose(`This invoice was canceled on ${day(canceled_at)}. No payment is due.`, { size: 10, gap: 12 });
  } else if (paid_at !== null) {
    sheet.prose(`Paid on ${day(paid_at)}`, { ...style, color: COLORS.good, gap: 12 });
  }
};

const title = (sheet: Sheet, text: string): void => {
  // Starts a new page if this line would be the only one of its section at the foot of the page.
  sheet.need(40);
  sheet.prose(text, { size: 8, weight: 'bold', color: COLORS.muted, gap: 1 });
};

const party = (
  sheet: Sheet,
  name: string,
  party: { name: string; address: string | null; tax_id: string | null; email: string | null },
): void => {
  title(sheet, name);
  sheet.prose(party.name, { size: 11, weight: 'bold', gap: 1 });
  if (party.address !== null) sheet.prose(party.address, { size: 10, gap: 1 });
  if (party.tax_id !== null) sheet.prose(`Tax ID: ${party.tax_id}`, { size: 10, gap: 1 });
  if (party.email !== null) sheet.prose(party.email, { size: 10, gap: 1 });
  sheet.space(11);
};

const total = (sheet: Sheet, { amount, paid_at, canceled_at }: InvoiceContent): void => {
  const height = 34;
  sheet.need(height + 14);
  sheet.document.roundedRect(PAGE.margin, sheet.y, CONTENT_WIDTH, height, 4).fill(COLORS.head);
  const isDue = paid_at === null && canceled_at === null;
  const [x, y, width] = [PAGE.margin + 10, sheet.y, CONTENT_WIDTH - 20];
  sheet.line(isDue ? 'Amount due' : 'Amount', x, y + 11, width, { size: 10, color: COLORS.muted });
  const text = `${amount.value} ${amount.currency}`;
  sheet.line(text, x, y + 8, width, { size: 14, weight: 'bold', align: 'right' });
  sheet.y += height + 16;
};
