import { parentPort, workerData } from 'node:worker_threads';
import type { InvoiceContent } from '../../domain/payment/invoice-content.ts';
import { invoicePdf } from '../../messages/invoice/pdf.ts';

// The thread for one invoice. It receives the content of the invoice and responds with the file.

const port = parentPort;
if (!port) throw new Error('invoice-thread.ts runs as a worker thread.');
// The copy has its own buffer, which can be transferred to the other thread without being copied again.
const file = new Uint8Array(await invoicePdf(workerData as InvoiceContent));
port.postMessage(file, [file.buffer]);
