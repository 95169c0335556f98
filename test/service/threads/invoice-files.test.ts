import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { InvoiceContent } from '../../../domain/payment/invoice-content.ts';
import { invoicePdf } from '../../../messages/invoice/pdf.ts';
import { createInvoiceFiles } from '../../../service/threads/invoice-files.ts';
import { invoiceContent } from '../../messages/invoice/examples.ts';

const test = suite('the files of invoices');

const second: InvoiceContent = { ...invoiceContent, number: '2026-000002' };

test('invoice files are rendered in a thread, and an invoice always has the same bytes', async () => {
  const [first, again, other] = [createInvoiceFiles(), createInvoiceFiles(), createInvoiceFiles()];
  const files = await Promise.all([first(invoiceContent), first(invoiceContent), again(invoiceContent)]);
  const here = Buffer.from(await invoicePdf(invoiceContent));
  for (const file of files) assert.ok(here.equals(file));
  assert.not.ok(here.equals(await other(second)));
});

test('concurrent requests for an invoice file share one rendering, and files are rendered one at a time', async () => {
  let [atOnce, most, made] = [0, 0, 0];
  const fileOf = createInvoiceFiles(async ({ number }) => {
    most = Math.max(most, ++atOnce);
    made++;
    await new Promise(setImmediate);
    atOnce--;
    return Buffer.from(number);
  });
  const contents = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? invoiceContent : second));
  const files = await Promise.all(contents.map(fileOf));
  assert.equal(
    files.map((file) => Buffer.from(file).toString()),
    contents.map(({ number }) => number),
  );
  assert.equal([most, made], [1, 2]);
});

test('an invoice file whose rendering failed is rendered again for the next request', async () => {
  let fails = true;
  const fileOf = createInvoiceFiles(async () => {
    if (fails) throw new Error('No memory.');
    return Buffer.from('file');
  });
  const failed = await Promise.allSettled([fileOf(invoiceContent), fileOf(invoiceContent)]);
  assert.equal(
    failed.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  fails = false;
  assert.is(Buffer.from(await fileOf(invoiceContent)).toString(), 'file');
});

test.run();
