import { parentPort, workerData } from 'node:worker_threads';
import { renderReport } from '../../messages/report/render.ts';
import type { ReportThreadData } from './report-files.ts';

// The thread for one report. It receives the content of the report and responds with the file.

const port = parentPort;
if (!port) throw new Error('report-thread.ts runs as a worker thread.');
const { content, format } = workerData as ReportThreadData;
const made = await renderReport(content, format);
// The copy has its own buffer, which can be transferred to the other thread without being copied again.
const file = new Uint8Array(made);
port.postMessage(file, [file.buffer]);
