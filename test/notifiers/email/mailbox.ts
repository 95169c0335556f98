import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { inProject } from '../../project.ts';

/** The Python that Debian's packages are for. */
const PYTHON = '/usr/bin/python3';

const script = (name: string): string => inProject(`test/notifiers/email/${name}`);

const has = (module: string): boolean => spawnSync(PYTHON, ['-c', `import ${module}`]).status === 0;

/** What is missing for tests with a real mail server, as a sentence; null: nothing. */
export const lacking = (): string | null =>
  has('aiosmtpd') ? (has('dkim') ? null : 'python3-dkim is not installed') : 'python3-aiosmtpd is not installed';

/** A message as the server got it. */
export interface ReceivedMail {
  from: string;
  to: string[];
  /** of MAIL FROM: `SMTPUTF8` */
  options: string;
  content: Buffer;
}

export interface Mailbox {
  /** `smtp://127.0.0.1:4711` */
  url: string;
  /** what has come so far */
  kept: readonly ReceivedMail[];
  /** Resolves with the next message that was not returned yet. */
  next: () => Promise<ReceivedMail>;
  close: () => Promise<void>;
}

/** A real mail server (aiosmtpd) that keeps its messages. */
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
    kept,
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

/** Whether a signature is good, by a public key in the DNS under this name. */
export const isSigned = (content: Buffer, name: string, record: string): boolean =>
  spawnSync(PYTHON, [script('signature.py'), name, record], { input: content }).status === 0;
