import { parentPort, workerData } from 'node:worker_threads';
import { renderTexts, type MailTexts } from '../../messages/mail/texts.ts';

// The thread for the texts of one e-mail. It receives the texts as written, and responds with both rendered forms.

const port = parentPort;
if (!port) throw new Error('mail-texts-thread.ts runs as a worker thread.');
port.postMessage(renderTexts(workerData as MailTexts));
