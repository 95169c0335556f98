import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../network/clock.ts';
import { openSpool, type Spool, type SpoolOptions } from '../../../runners/remote/spool.ts';
import { compiled } from '../../project.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { eventually } from '../../waiting.ts';

const test = suite('a spool');

const LIMITS = { lines: 100, bytes: 100_000 };

const opened = (folder: string, more: Partial<SpoolOptions> = {}): Promise<Spool> =>
  openSpool({
    folder,
    limit: 1_048_576,
    clock: systemClock,
    dropped: () => undefined,
    trouble: (error) => {
      throw error;
    },
    ...more,
  });

const drained = async (spool: Spool, limits = LIMITS): Promise<string[][]> => {
  const batches: string[][] = [];
  for (let batch = await spool.read(limits); batch; batch = await spool.read(limits)) {
    batches.push(batch.lines);
    await batch.remove();
  }
  return batches;
};

test(
  'a spool returns the requested number of lines in order, until these lines are removed',
  inTemporaryFolder(async (folder) => {
    const spool = await opened(folder);
    await spool.append(['a', 'b']);
    await spool.append(['c']);
    assert.equal((await spool.read({ lines: 2, bytes: 100 }))?.lines, ['a', 'b']);
    assert.equal((await spool.read({ lines: 2, bytes: 1 }))?.lines, ['a']);
    assert.equal(await drained(spool, { lines: 2, bytes: 100 }), [['a', 'b'], ['c']]);
    assert.is(spool.bytes(), 0);
    assert.equal(readdirSync(folder), []);
    await spool.close();
  }),
);

test(
  'a spool accepts lines while earlier lines are being read',
  inTemporaryFolder(async (folder) => {
    const spool = await opened(folder);
    await spool.append(['a']);
    const batch = await spool.read(LIMITS);
    await spool.append(['b']);
    await batch?.remove();
    assert.equal(await drained(spool), [['b']]);
    await spool.close();
  }),
);

test(
  'a spool keeps the lines of a killed process, except an incomplete line',
  inTemporaryFolder(async (folder) => {
    const killed = await opened(folder);
    await killed.append(['a', 'b']);
    const [file = ''] = readdirSync(folder);
    appendFileSync(join(folder, file), '{"list":"off');
    const spool = await opened(folder);
    await spool.append(['c']);
    assert.equal(await drained(spool), [['a', 'b', '{"list":"off'], ['c']]);
    await spool.close();
  }),
);

test(
  'a spool contains every line whose append was complete before the appending process was killed',
  inTemporaryFolder(async (folder) => {
    const child = spawn(process.execPath, [compiled('test/runners/remote/spooling-process.ts'), folder]);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await eventually(() => output.split('\n').length > 500);
    child.kill('SIGKILL');
    await once(child, 'close');
    const last = Number(output.split('\n').at(-2));
    const spool = await opened(folder);
    const numbers = (await drained(spool)).flat().map((line) => Number(line.split(' ')[0]));
    assert.equal(
      numbers.slice(0, last + 1),
      Array.from({ length: last + 1 }, (_, number) => number),
    );
    await spool.close();
  }),
);

test(
  'a full spool loses its oldest lines, and reports the loss',
  inTemporaryFolder(async (folder) => {
    let gone = 0;
    const spool = await opened(folder, { limit: 1_048_576, dropped: (bytes) => (gone += bytes) });
    const line = (number: number): string => `${number.toString().padStart(4, '0')}${'x'.repeat(996)}`;
    for (let number = 0; number < 2_000; number += 50)
      await spool.append(Array.from({ length: 50 }, (_, index) => line(number + index)));
    assert.ok(gone > 0);
    assert.ok(spool.bytes() <= 1_048_576);
    const lines = (await drained(spool)).flat();
    assert.is(lines.at(-1), line(1_999));
    assert.is(lines[0], line(2_000 - lines.length));
    await spool.close();
  }),
);

test(
  'a spool is readable by its owner only',
  inTemporaryFolder(async (folder) => {
    const spool = await opened(folder);
    await spool.append(['a']);
    for (const file of readdirSync(folder)) assert.is(statSync(join(folder, file)).mode & 0o077, 0);
    await spool.close();
  }),
);

test.run();
