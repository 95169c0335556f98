import { writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  mostCallers,
  sharedConnections,
  tooFewDescriptors,
  tooFewToBegin,
} from '../../../service/embedded/descriptors.ts';
import { inTemporaryFolder } from '../temporary.ts';

const test = suite('the limit of open files');

test(
  'a start with a low limit of open files reports the limit and the required number',
  inTemporaryFolder(async (folder) => {
    const complaint = (limit: string): string | null => {
      const file = `${folder}/limits`;
      writeFileSync(
        file,
        `Limit                     Soft Limit           Hard Limit           Units     \n` +
          `Max processes             15000                15000                processes \n` +
          `Max open files            ${limit.padEnd(20)} 1048576              files     \n`,
      );
      return tooFewDescriptors({ runnerConcurrency: 50 }, file);
    };
    assert.match(
      complaint('256') ?? '',
      /^This process may open only 256 files and connections, and may need 562\. Raise the limit/,
    );
    assert.is(complaint('1024'), null);
    assert.is(complaint('unlimited'), null);
    assert.is(tooFewDescriptors({ runnerConcurrency: 50 }, `${folder}/none`), null);
  }),
);

test(
  'a start reports a limit of open files that is too low to load the program',
  inTemporaryFolder(async (folder) => {
    const file = `${folder}/limits`;
    writeFileSync(file, 'Max open files            511                  511                  files     \n');
    assert.match(
      tooFewToBegin(file) ?? '',
      /^This process may open only 511 files and connections, and needs 512 to start\. Raise the limit \(ulimit -n/,
    );
    writeFileSync(file, 'Max open files            512                  512                  files     \n');
    assert.is(tooFewToBegin(file), null);
  }),
);

test(
  'the maximum number of clients leaves enough file descriptors for files and checks',
  inTemporaryFolder(async (folder) => {
    const file = `${folder}/limits`;
    const callersWith = (limit: string): number => {
      writeFileSync(file, `Max open files            ${limit.padEnd(20)} 1048576              files     \n`);
      return mostCallers({ runnerConcurrency: 50 }, file);
    };
    assert.is(callersWith('1024'), 718);
    assert.is(callersWith('256'), 1);
    assert.is(callersWith('unlimited'), Infinity);
    assert.is(mostCallers({ runnerConcurrency: 50 }, `${folder}/none`), Infinity);
  }),
);

test('the limit of open files is divided among clients, visitors and streams if it is too low for all', () => {
  const limits = { maxConnections: 5_000, maxVisitors: 12_000, maxStreams: 0 };
  assert.equal(sharedConnections(limits, Infinity), { total: 5_000, visitors: 12_000, streams: 0 });
  assert.equal(sharedConnections(limits, 17_000), { total: 5_000, visitors: 12_000, streams: 0 });
  assert.equal(sharedConnections(limits, 8_000), { total: 4_000, visitors: 4_000, streams: 0 });
  assert.equal(sharedConnections(limits, 1), { total: 1, visitors: 0, streams: 0 });
  assert.equal(sharedConnections({ ...limits, maxVisitors: 100 }, 718), { total: 618, visitors: 100, streams: 0 });
  assert.equal(sharedConnections({ ...limits, maxVisitors: 0 }, 718), { total: 718, visitors: 0, streams: 0 });
  const streaming = { ...limits, maxStreams: 2_000 };
  assert.equal(sharedConnections(streaming, Infinity), { total: 5_000, visitors: 12_000, streams: 2_000 });
  assert.equal(sharedConnections(streaming, 8_000), { total: 4_000, visitors: 2_000, streams: 2_000 });
  assert.equal(sharedConnections(streaming, 4_000), { total: 2_000, visitors: 1_000, streams: 1_000 });
  assert.equal(sharedConnections({ ...streaming, maxVisitors: 100 }, 718), { total: 359, visitors: 100, streams: 259 });
  assert.equal(sharedConnections(streaming, 1), { total: 1, visitors: 0, streams: 0 });
});

test.run();
