import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createProgram } from '../../../cli/program.ts';
import { OperatorError } from '../../../service/operator-error.ts';
import { openSqliteEventStore } from '../../../stores/event-store/sqlite/open.ts';
import { rejects } from '../../rejects.ts';
import { collectLines } from '../../service/lines.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';

const test = suite('uptrail api-key create');

/** Runs the program on a data directory. @returns the JSON that the program has printed */
const uptrail = async (DATA_DIR: string, ...words: string[]): Promise<Record<string, unknown>> => {
  const output = collectLines();
  await createProgram({ DATA_DIR }, output, () => undefined).parseAsync(['node', 'uptrail', ...words, '--json']);
  return JSON.parse(output.lines[0] ?? '') as Record<string, unknown>;
};

test(
  'uptrail api-key create binds a key to addresses, and an error about an invalid address names the option and the address',
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'events.db');
    await (await openSqliteEventStore({ file, name: 'main', mode: 'appender' })).close();
    const { id } = await uptrail(folder, 'organization', 'create', '--name', 'Acme');
    const create = (...words: string[]) =>
      uptrail(folder, 'api-key', 'create', '--organization', String(id), '--role', 'viewer', '--name', 'x', ...words);
    const { allowed_ips } = await create('--allowed-ip', '10.0.0.0/8', '::1');
    assert.equal(allowed_ips, ['10.0.0.0/8', '::1']);
    await rejects(
      create('--allowed-ip', '10.0.0.1', 'nonsense', '--allowed-ip', '10.0.0.0/33'),
      OperatorError,
      '--allowed-ip "nonsense": Must be an IP address or a CIDR range.\n' +
        '--allowed-ip "10.0.0.0/33": Must be an IP address or a CIDR range.',
    );
    const many = Array.from({ length: 101 }, (_, index) => `10.0.0.${index}`);
    await rejects(create('--allowed-ip', ...many), OperatorError, '--allowed-ip: Must have at most 100 items.');
  }),
);

test.run();
