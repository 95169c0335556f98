import { CommanderError, type Command } from 'commander';
import type { Config } from '../../service/config/config.ts';
import type { Output } from '../../service/output.ts';

/** Exit code for a wrong use of the command. Mail servers understand the codes of sysexits.h. */
const USAGE = 64;
/** Exit code EX_TEMPFAIL: the mail server queues the message and retries later. */
const TRY_AGAIN = 75;

/**
 * Maximum number of bytes that are read from a message. This suffices, because the report comes before the copy of the
 * original message.
 */
const LONGEST = 262_144;

/** Environment variables in which mail servers pass the recipient (Postfix: local(8); procmail, maildrop). */
const RECIPIENT_VARIABLES = ['ORIGINAL_RECIPIENT', 'RECIPIENT'];

type Environment = Readonly<Record<string, string | undefined>>;

/** Adds the command to which a mail server pipes bounce messages. */
export const addBounce = (
  program: Command,
  config: () => Config,
  { environment, output, exit }: { environment: Environment; output: Output; exit: (code: number) => void },
): void => {
  program
    .command('bounce')
    .description('read a bounce message from standard input, as a mail server’s pipe: "|uptrail bounce"')
    .option('--recipient <address>', 'recipient of the message, if neither the environment nor its headers contain it')
    .exitOverride((error) => {
      throw new CommanderError(error.exitCode === 0 ? 0 : USAGE, error.code, error.message);
    })
    .action(async ({ recipient }: { recipient?: string }) => {
      const recipients = [recipient, ...RECIPIENT_VARIABLES.map((name) => environment[name])];
      try {
        const { runBounce: bounceHere } = await import('./bounce.ts');
        const message = await beginningOf(process.stdin);
        await bounceHere(config(), { message, recipients: recipients.filter((text) => text !== undefined) }, output);
      } catch (error) {
        // An error here, such as a wrong configuration, has nothing to do with the message. So the mail server must
        // retry, not return the message.
        process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
        exit(TRY_AGAIN);
      }
    });
};

/** Returns the beginning of an input, but consumes all of it. If the pipe broke, the mail server would retry. */
const beginningOf = async (input: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of input) {
    if (length < LONGEST) chunks.push(chunk.subarray(0, LONGEST - length));
    length += chunk.length;
  }
  return Buffer.concat(chunks).toString();
};
