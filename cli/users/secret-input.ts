import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { OperatorError } from '../../service/operator-error.ts';

/** Maximum number of characters in a line with a password. */
const LONGEST = 16_384;

export interface SecretInput extends NodeJS.ReadableStream {
  isTTY?: boolean;
}

const oneLine = (input: NodeJS.ReadableStream, output?: Writable): Promise<string | null> =>
  new Promise((resolve, reject) => {
    const lines = createInterface({ input, ...(output && { output, terminal: true }) });
    let line: string | null = null;
    lines.once('line', (text) => {
      line = text;
      lines.close();
    });
    lines.once('SIGINT', () => {
      lines.close();
    });
    lines.once('close', () => {
      resolve(line);
    });
    input.once('error', reject);
  });

/** Creates an output that discards everything, so that a terminal does not echo the input. */
const silent = (): Writable =>
  new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });

/**
 * Reads a password. On a terminal, the password is entered twice and not echoed. Otherwise, the password is the first
 * line of the input.
 *
 * @param prompt the stream to which prompts are written
 * @throws OperatorError no password was entered, or the two passwords differ
 */
export const readPassword = async (input: SecretInput, prompt: NodeJS.WritableStream): Promise<string> => {
  if (input.isTTY !== true) return required(await oneLine(input));
  const prompted = async (question: string): Promise<string> => {
    prompt.write(question);
    const text = await oneLine(input, silent());
    prompt.write('\n');
    return required(text);
  };
  const first = await prompted('Password: ');
  if ((await prompted('Repeat the password: ')) !== first)
    throw new OperatorError('The passwords differ. Nothing was changed.');
  return first;
};

const required = (text: string | null): string => {
  if (text === null || text === '') throw new OperatorError('No password was given.');
  if (text.length > LONGEST) throw new OperatorError('The password is too long.');
  return text;
};
