import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { InvoiceContent } from '../../../domain/payment/invoice-content.ts';
import { invoicePdf } from '../../../messages/invoice/pdf.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { SELLER } from '../../payments.ts';
import { invoiceContent } from './examples.ts';

const test = suite('invoices as PDF');

const isAbsent = spawnSync('pdftotext', ['-v']).error !== undefined;
if (isAbsent) console.log('skipped: pdftotext is not installed');

const textOf = async (folder: string, changes: Partial<InvoiceContent>): Promise<string> => {
  const file = join(folder, 'invoice.pdf');
  writeFileSync(file, await invoicePdf({ ...invoiceContent, ...changes }));
  return execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' });
};

if (!isAbsent) {
  test(
    'an invoice shows the seller, the customer, the plan, the amount and how to pay',
    inTemporaryFolder(async (folder) => {
      const text = await textOf(folder, {});
      const lines = ['Invoice 2026-000001', 'Uptrail Hosting', 'Tax ID: DE123456789', 'Acme', '54321 Springfield'];
      for (const line of [
        ...lines,
        'Team, 30 days',
        '49.90 EUR',
        'IBAN DE02',
        'state the invoice number 2026-000001',
      ]) {
        assert.match(text, line);
      }
      assert.match(text, 'Amount due');
    }),
  );

  test(
    'a paid or void invoice asks for no payment',
    inTemporaryFolder(async (folder) => {
      const paid = await textOf(folder, { paid_at: '2026-11-22T08:00:00.000000' });
      assert.match(paid, 'Paid on 2026-11-22');
      const isVoid = await textOf(folder, { canceled_at: '2026-11-23T08:00:00.000000' });
      assert.match(isVoid, /VOID\s+This invoice was canceled on 2026-11-23\. No payment is due\./);
      for (const text of [paid, isVoid]) assert.not.match(text, /IBAN|Amount due/);
    }),
  );

  test(
    'an invoice shows Greek and Cyrillic letters, and transliterates letters that its font lacks',
    inTemporaryFolder(async (folder) => {
      const name = 'Ρωμαϊκή ΑΕ · ООО «Ромашка» · 東京株式会社 · 서울 · \u202eevil';
      const text = await textOf(folder, { customer: { ...invoiceContent.customer, name } });
      assert.match(text, 'Ρωμαϊκή ΑΕ · ООО «Ромашка» · DongJing');
      assert.match(text, '· evil');
    }),
  );

  test(
    'an invoice with long names and addresses continues on further pages',
    inTemporaryFolder(async (folder) => {
      const address = Array.from({ length: 40 }, (_, line) => `Line ${line + 1} of it`).join('\n');
      const name = `${'W'.repeat(300)}!`;
      const text = await textOf(folder, {
        customer: { ...invoiceContent.customer, name, address },
        seller: { ...SELLER, name: 'N'.repeat(200), address, note: 'note '.repeat(400) },
        amount: { value: '90071992547409.91', currency: 'EUR' },
      });
      const pages = text.split('\f').slice(0, -1);
      assert.ok(pages.length >= 2);
      pages.forEach((page, index) => {
        assert.match(page, new RegExp(`\\s${index + 1}\\s*/\\s*${pages.length}\\s`));
      });
      assert.is(text.match(/Line 40 of it/g)?.length, 2);
      assert.match(text, '90071992547409.91 EUR');
      assert.is(text.replace(/[^W]/g, '').length, 300);
    }),
  );
}

test.run();
