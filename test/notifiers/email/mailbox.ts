import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { inProject } from '../../project.ts';

/** The Python interpreter for which Debian packages install their modules. */
const PYTHON = '/usr/bin/python3';

const script = (name: string): string => inProject(`test/notifiers/email/${name}`);

const has = (module: string): boolean => spawnSync(PYTHON, ['-c', `import ${module}`]).status === 0;

/** Returns which program is missing for tests with a real mail server, or null if none is. */
export const lacking = (): string | null =>
  has('aiosmtpd') ? (has('dkim') ? null : 'python3-dkim is not installed') : 'python3-aiosmtpd is not installed';

/** A message that the server has received. */
export interface ReceivedMail {
  from: string;
  to: string[];
  /** options of the MAIL FROM command, such as `SMTPUTF8` */
  options: string;
  content: Buffer;
}

export interface Mailbox {
  /** for example `smtp://127.0.0.1:4711` */
  url: string;
  /** the messages that `next` has returned so far */
  mails: readonly ReceivedMail[];
  /** Waits for the next message, and returns it. */
  next: () => Promise<ReceivedMail>;
  close: () => Promise<void>;
}

/** Starts a real mail server (aiosmtpd) that stores the messages it receives. */
export const openMailbox = async (): Promise<Mailbox> => {
  const child = spawn(PYTHON, [script('mailbox.py')], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) =>
    child.once('close', () => {
      resolve();
    }),
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async (): Promise<unknown> => {
    const next = await lines.next();
    if (next.done === true) throw new Error('The mail server has ended.');
    return JSON.parse(next.value);
  };
  const { port } = (await line()) as { port: number };
  const kept: ReceivedMail[] = [];
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails: kept,
    next: async () => {
      const message = (await line()) as Omit<ReceivedMail, 'content'> & { content: string };
      const next = { ...message, content: Buffer.from(message.content, 'base64') };
      kept.push(next);
      return next;
    },
    close: async () => {
      child.stdin.end();
      await ended;
    },
  };
};

/** Returns whether the DKIM signature of a message is valid for a public key in this DNS record. */
export const isSigned = (content: Buffer, name: string, record: string): boolean =>
  spawnSync(PYTHON, [script('signature.py'), name, record], { input: content }).status === 0;
