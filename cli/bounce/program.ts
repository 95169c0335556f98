import { CommanderError, type Command } from 'commander';
import type { Config } from '../../service/config/config.ts';
import type { Output } from '../../service/output.ts';

/** Exit codes that mail servers know (sysexits.h). */
const USAGE = 64;
/** The mail server keeps the message, and tries again later. */
const TRY_AGAIN = 75;

/** Bytes of a message that are read: a report comes before the copy of what it is about. */
const LONGEST = 262_144;

/** Variables in which mail servers say whom a message was sent to (Postfix: local(8); procmail, maildrop). */
const RECIPIENT_VARIABLES = ['ORIGINAL_RECIPIENT', 'RECIPIENT'];

type Environment = Readonly<Record<string, string | undefined>>;

/** The command that a mail server pipes reports of failed deliveries to. */
export const addBounce = (
  program: Command,
  config: () => Config,
  { environment, output, exit }: { environment: Environment; output: Output; exit: (code: number) => void },
): void => {
  program
    .command('bounce')
    .description('read a report of a failed e-mail from the input, as a mail server’s pipe: "|uptrail bounce"')
    .option('--recipient <address>', 'whom it was sent to, where neither the environment nor its headers say so')
    .exitOverride((error) => {
      throw new CommanderError(error.exitCode === 0 ? 0 : USAGE, error.code, error.message);
    })
    .action(async ({ recipient }: { recipient?: string }) => {
      const recipients = [recipient, ...RECIPIENT_VARIABLES.map((name) => environment[name])];
      try {
        const { bounceHere } = await import('./bounce.ts');
        const message = await beginningOf(process.stdin);
        await bounceHere(config(), { message, recipients: recipients.filter((text) => text !== undefined) }, output);
      } catch (error) {
        // Whatever is wrong here, such as the configuration, is not wrong with the message: no server may return it.
        process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
        exit(TRY_AGAIN);
      }
    });
};

/** The beginning of an input that is read to its end: a mail server whose pipe breaks would try again. */
const beginningOf = async (input: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of input) {
    if (length < LONGEST) chunks.push(chunk.subarray(0, LONGEST - length));
    length += chunk.length;
  }
  return Buffer.concat(chunks).toString();
};
