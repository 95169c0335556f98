// Own process: commands add listeners for SIGINT that are never removed.
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createProgram } from '../../../cli/program.ts';
import { openSqliteEventStore } from '../../../stores/event-store/sqlite/open.ts';
import { collectLines } from '../../service/lines.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { fillMain } from '../transfer/samples.ts';
import { openTampering } from './tampering.ts';

const test = suite('uptrail audit');

/** Runs the program on a data directory. @returns its exit code and the lines that it has printed */
const uptrail = async (DATA_DIR: string, ...words: string[]): Promise<{ code: number; lines: string[] }> => {
  const output = collectLines();
  let code = 0;
  const program = createProgram({ DATA_DIR }, output, (exitCode) => (code = exitCode));
  program.commands.forEach((command) => command.configureOutput({ writeErr: () => undefined }));
  await program.parseAsync(['node', 'uptrail', 'audit', ...words]);
  return { code, lines: output.lines };
};

test(
  'uptrail audit verify accepts the output of uptrail audit head until the log is altered',
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'events.db');
    const log = await openSqliteEventStore({ file, name: 'main', mode: 'appender' });
    await fillMain(log, 5);
    await log.close();
    const [head = ''] = (await uptrail(folder, 'head')).lines;
    assert.match(head, /^6:[0-9a-f]{64}$/);
    const json = JSON.parse((await uptrail(folder, 'head', '--json')).lines[0] ?? '') as Record<string, unknown>;
    assert.equal([json['head'], json['events']], [head, 6]);
    const sound = await uptrail(folder, 'verify', '--head', head);
    assert.is(sound.code, 0);
    assert.match(sound.lines[0] ?? '', 'The first 6 events of the log main match the head');

    const hands = openTampering(file);
    hands.change(3, { data: hands.dataAt(3).replace('1', '7') });
    hands.close();
    const changed = await uptrail(folder, 'verify', '--head', head);
    assert.is(changed.code, 1);
    assert.match(changed.lines[0] ?? '', 'one of its first 6 events was changed');
    const verified = await uptrail(folder, 'verify', '--json', '--head', head);
    assert.is(verified.code, 1);
    const { valid, difference, up_to } = JSON.parse(verified.lines[0] ?? '') as Record<string, unknown>;
    assert.equal([valid, difference, up_to], [false, 'changed', 6]);

    const rough = openTampering(file);
    rough.damage(1);
    rough.close();
    const damaged = await uptrail(folder, 'verify', '--json', '--head', head);
    assert.is(damaged.code, 1);
    const first = JSON.parse(damaged.lines[0] ?? '') as Record<string, unknown>;
    assert.equal([first['difference'], first['up_to'], first['log_id']], ['damaged', 1, null]);
  }),
);

test.run();
