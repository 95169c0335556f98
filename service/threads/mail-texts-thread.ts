import { parentPort, workerData } from 'node:worker_threads';
import { renderTexts, type MailTexts } from '../../messages/mail/texts.ts';

// The thread of the texts of one e-mail: it gets them as they were written, and answers with their two forms.

const port = parentPort;
if (!port) throw new Error('mail-texts-thread.ts runs as a worker thread.');
port.postMessage(renderTexts(workerData as MailTexts));
