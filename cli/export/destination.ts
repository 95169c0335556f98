import { open } from 'node:fs/promises';
import type { Output } from '../../service/output.ts';
import { OperatorError } from '../../service/operator-error.ts';

/** Where an export is written to. */
export interface Destination {
  /** Writes whole lines, which end with a line feed. Resolves when more can be written. */
  write: (lines: string) => Promise<void>;
  close: () => Promise<void>;
}

/**
 * Opens a new file, or the standard output. A terminal gets harmless characters only; a file or another program gets the
 * text as it is.
 *
 * @throws OperatorError the file exists or can't be created
 */
export const openDestination = async (path: string | undefined, output: Output): Promise<Destination> => {
  if (path === undefined) {
    const line = output.terminal ? output.line : (output.controlling ?? output.line);
    return {
      write: async (lines) => {
        if (lines !== '') await line(lines.replace(/\n$/, ''));
      },
      close: async () => undefined,
    };
  }
  const file = await open(path, 'wx').catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    throw new OperatorError(
      code === 'EEXIST'
        ? `The file ${path} exists already. Name a new one.`
        : `The file ${path} can't be created (${code ?? 'unknown'}).`,
    );
  });
  return { write: (lines) => file.appendFile(lines), close: () => file.close() };
};
