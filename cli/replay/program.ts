import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Config } from '../../service/config/config.ts';
import type { Output } from '../../service/output.ts';
import { interruptionSignal } from '../interruption.ts';
import type { ReplayCommand } from './command.ts';

interface ReplayArguments extends Omit<ReplayCommand, 'types'> {
  type?: string[];
}

/** Adds the commands that print the events of a log, write them to a file, and verify such a file. */
export const addReplay = (
  program: Command,
  config: () => Config,
  output: Output,
  exit: (code: number) => void,
): void => {
  const replay = program
    .command('replay')
    .description('print the events of a log as JSON lines, or write them to a file; the service may run')
    .option('--log <name>', 'main or results', logName, 'main')
    // The default has a text of its own, because the help prints defaults as JSON, which has no bigint.
    .addOption(
      new Option('--from <position>', 'start with the event at this position').argParser(position).default(0n, '0'),
    )
    .option('--type <type...>', 'only events of these types')
    .option('--stream <stream>', 'only events of this stream')
    .option('--follow', 'continue with events as they are appended', false)
    .option('--raw', 'also show results that the log contains more than once under one id', false)
    .option('--into <file>', 'write a new file (.jsonl, .jsonl.gz or .parquet) and its manifest instead of printing')
    .action(async ({ type = [], ...options }: ReplayArguments, command: Command) => {
      if (options.into !== undefined && options.follow) command.error('error: use either --into or --follow');
      const { runReplay: replayHere } = await import('./command.ts');
      await replayHere(config(), { ...options, types: type }, output);
    });
  replay
    .command('verify <file>')
    .description('compare a file of replay --into with its manifest; exits with 1 if they differ; needs no service')
    .option('--json', 'print one JSON object, for tools', false)
    .action(async (file: string, { json }: { json: boolean }) => {
      const { verifyReplayFile } = await import('./verify.ts');
      if (!(await verifyReplayFile({ file, json, signal: interruptionSignal() }, output))) exit(1);
    });
};

const logName = (text: string): 'main' | 'results' => {
  if (text === 'main' || text === 'results') return text;
  throw new InvalidArgumentError('The logs are main and results.');
};

const position = (text: string): bigint => {
  if (/^\d{1,20}$/.test(text)) return BigInt(text);
  throw new InvalidArgumentError('A position is a whole number.');
};
