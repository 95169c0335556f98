import { readFile, stat } from 'node:fs/promises';
import { OperatorError } from '../../service/operator-error.ts';

const MAX_FILE = 64 * 1024 * 1024;

/** A file with its content. */
export interface TextFile {
  name: string;
  text: string;
}

/**
 * Reads text files in UTF-8.
 *
 * @throws OperatorError a file can't be read, is too large, or is not UTF-8; the message names the file
 */
export const readTexts = (paths: readonly string[]): Promise<TextFile[]> =>
  Promise.all(paths.map(async (name) => ({ name, text: await readText(name) })));

const readText = async (path: string): Promise<string> => {
  let content: Buffer;
  try {
    const { size } = await stat(path);
    if (size > MAX_FILE) throw new OperatorError(`${path}: The file has more than ${MAX_FILE / 1024 / 1024} MiB.`);
    content = await readFile(path);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${path}: The file can't be read: ${(error as Error).message}`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw new OperatorError(`${path}: The file is not a text in UTF-8.`);
  }
};
