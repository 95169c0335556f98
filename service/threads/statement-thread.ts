import { parentPort, workerData } from 'node:worker_threads';
import type { Statement } from '../../domain/statement/content.ts';
import { statementPdf } from '../../messages/statement/pdf.ts';

// The thread for one statement. It receives the statement and responds with the file.

const port = parentPort;
if (!port) throw new Error('statement-thread.ts runs as a worker thread.');
// The copy has its own buffer, which can be transferred to the other thread without being copied again.
const file = new Uint8Array(await statementPdf(workerData as Statement));
port.postMessage(file, [file.buffer]);
