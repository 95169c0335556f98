/** Sends the pictures and videos of a run to the outer process, as soon as they are created. */
import type { SandboxMessage } from '../protocol.ts' with { 'resolution-mode': 'import' };
const { readFileSync, statSync } = require('node:fs') as typeof import('node:fs');

/** The exports of `files.cjs`. */
export interface FilesModule {
  sendFiles: (
    stream: { say: (said: SandboxMessage) => void; sayBytes: (bytes: Buffer) => void },
    currentTest: () => number,
  ) => Files;
}

export interface Files {
  /** Sends a file. @param test the test that created the file; absent: the current test */
  send: (role: Role, name: string, contentType: string, content: Buffer, test?: number) => void;
  /** Sends the pictures and videos that Playwright or the script attaches to a test. @param title of the test */
  attached: (attachment: Attachment, title: string) => void;
}

type Role = 'screenshot' | 'video';

export interface Attachment {
  name: string;
  contentType: string;
  path?: string;
  /** in base64 */
  body?: string;
}

/**
 * Limits on sent files. They are higher than those of the outer process, which knows the files that show a failure and
 * prefers them (../reading/files.ts).
 */
const MOST_FILES = 200;
const MOST_BYTES = 150 * 1_048_576;

const sendFiles: FilesModule['sendFiles'] = ({ say, sayBytes }, currentTest) => {
  let files = 0;
  let bytes = 0;

  const send: Files['send'] = (role, name, contentType, content, test = currentTest()) => {
    if (files >= MOST_FILES || bytes + content.length > MOST_BYTES) return;
    files += 1;
    bytes += content.length;
    say({ type: 'file', test: test < 0 ? null : test, role, name, contentType, size: content.length });
    sayBytes(content);
  };

  return {
    send,
    attached: ({ name, contentType, path, body }, title) => {
      const role = contentType.startsWith('image/') ? 'screenshot' : contentType.startsWith('video/') ? 'video' : null;
      if (role === null) return;
      try {
        if (path !== undefined && statSync(path).size > MOST_BYTES) return;
        const content = path === undefined ? Buffer.from(body ?? '', 'base64') : readFileSync(path);
        const extension = `.${contentType.split('/')[1]?.split(';')[0] ?? ''}`;
        const plain = role === 'video' && name === 'video' ? title : name;
        send(role, plain.endsWith(extension) ? plain : plain + extension, contentType, content);
      } catch {
        // The file no longer exists.
      }
    },
  };
};

module.exports = { sendFiles } satisfies FilesModule;
