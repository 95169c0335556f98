import { parentPort, workerData } from 'node:worker_threads';
import type { InvoiceContent } from '../../domain/payment/invoice-content.ts';
import { invoicePdf } from '../../messages/invoice/pdf.ts';

// The thread of one invoice: receives the invoice's content, and responds with its file.

const port = parentPort;
if (!port) throw new Error('invoice-thread.ts runs as a worker thread.');
// Copied into a buffer of its own, which can be transferred without a copy.
const file = new Uint8Array(await invoicePdf(workerData as InvoiceContent));
port.postMessage(file, [file.buffer]);
