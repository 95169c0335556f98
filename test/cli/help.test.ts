import type { Command } from 'commander';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createProgram } from '../../cli/program.ts';
import { collectLines } from '../service/lines.ts';

const test = suite('the help of the program');

const withAllBelow = (command: Command): Command[] => [command, ...command.commands.flatMap(withAllBelow)];

test('the help shows the usage of each command and subcommand', () => {
  const commands = withAllBelow(createProgram({}, collectLines(), () => undefined));
  assert.ok(commands.length > 20);
  for (const command of commands) assert.match(command.helpInformation(), 'Usage: ');
});

test.run();
