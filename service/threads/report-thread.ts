import { parentPort, workerData } from 'node:worker_threads';
import { renderReport } from '../../messages/report/render.ts';
import type { ReportThreadData } from './report-files.ts';

// The thread of one report: receives the report's content, and responds with its file.

const port = parentPort;
if (!port) throw new Error('report-thread.ts runs as a worker thread.');
const { content, format } = workerData as ReportThreadData;
const made = await renderReport(content, format);
// Copied into a buffer of its own, which can be transferred without a copy.
const file = new Uint8Array(made);
port.postMessage(file, [file.buffer]);
