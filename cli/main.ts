import { CommanderError } from 'commander';
import { explanationOf } from '../stores/connection-diagnosis.ts';
import { ConfigurationError } from '../service/config/config.ts';
import { tooFewToBegin } from '../service/embedded/descriptors.ts';
import { escapedLines, outputTo } from '../service/output.ts';
import { OperatorError } from '../service/operator-error.ts';
import { createProgram } from './program.ts';

/**
 * Runs the `uptrail` command.
 *
 * @returns the exit code: 0 for success; 1 if the command was refused or failed, with a sentence on stderr
 */
const run = async (): Promise<number> => {
  // Only the owner can read the files that the program creates: logs, keys, copies, exports, sockets.
  process.umask(0o077);
  // Check the limit of open files first, before the process reaches it.
  const tooFew = tooFewToBegin();
  let code = 0;
  // A reader such as `head` may close the output early. Most commands then end without an error.
  const output = outputTo(process.stdout, () => process.exit());
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const program = createProgram(process.env, output, (exitCode) => {
    code = exitCode;
  });
  try {
    await program.parseAsync(process.argv);
    return code;
  } catch (error) {
    // Commander has already printed the error or the help.
    if (error instanceof CommanderError) return error.exitCode;
    const sentences = [sentenceOf(error), await explanationOf(error), tooFew].filter((sentence) => sentence !== null);
    process.stderr.write(`${escapedLines(sentences.join('\n'))}\n`);
    return 1;
  }
};

/** Returns the message of an error that is meant for operators, and the stack of any other error. */
const sentenceOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const isExpected = error instanceof OperatorError || error instanceof ConfigurationError;
  const isDefect = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
  return isDefect && !isExpected ? (error.stack ?? error.message) : error.message;
};

process.exitCode = await run();
// The command has finished. End the process even if a connection to an unresponsive server would keep it alive.
setTimeout(() => process.exit(), 1_000).unref();
