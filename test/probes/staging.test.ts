import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openStaging, stage, stageText, type Staging } from '../../probes/staging.ts';
import { readAll } from '../contracts/artifacts/examples.ts';
import { fakeClock } from '../network/fake-clock.ts';
import { rejects } from '../rejects.ts';
import { temporaryDirectory } from '../stores/temporary.ts';
import { eventually } from '../waiting.ts';

const NOW = Date.UTC(2026, 10, 20, 15);

const staging = suite<{ parent: string; remove: () => void }>('the staging folder');
staging.before.each((context) => {
  const { directory, remove } = temporaryDirectory();
  Object.assign(context, { parent: directory, remove });
});
staging.after.each(({ remove }) => {
  remove();
});

const opened = async (parent: string) => {
  const clock = fakeClock(NOW);
  return { clock, staging: await openStaging(clock, parent) };
};
const readBy = (one: Staging, staged: string, size: number) => readAll(one.read({ staged, size }));

staging('the staging folder is accessible to its user only, and is removed when it is closed', async ({ parent }) => {
  const { staging: one } = await opened(parent);
  assert.is(statSync(one.folder).mode & 0o777, 0o700);
  await stageText(one.folder, 'hello');
  await one.close();
  assert.equal(readdirSync(parent), []);
});

staging('the staging folder stores, returns and removes files', async ({ parent }) => {
  const { staging: one } = await opened(parent);
  writeFileSync(join(parent, 'shot.png'), 'png');
  const file = await stage(one.folder, join(parent, 'shot.png'));
  const text = await stageText(one.folder, 'héllo');
  assert.not.ok(existsSync(join(parent, 'shot.png')));
  assert.is((await readBy(one, file, 3)).toString(), 'png');
  assert.is((await readBy(one, text, 6)).toString(), 'héllo');
  await one.discard([{ staged: file }, { staged: file }, { staged: text }]);
  assert.equal(readdirSync(one.folder), []);
  await one.close();
});

staging('the staging folder neither returns nor removes other files, whatever is requested', async ({ parent }) => {
  const { staging: one } = await opened(parent);
  writeFileSync(join(parent, 'secret'), 'secret');
  const link = 'a'.repeat(32);
  symlinkSync(join(parent, 'secret'), join(one.folder, link));
  mkdirSync(join(one.folder, 'b'.repeat(32)));
  const large = await stageText(one.folder, 'large');
  await rejects(readBy(one, '../secret', 6), Error, 'There is no such staged file.');
  await rejects(readBy(one, link, 6), Error);
  await rejects(readBy(one, 'b'.repeat(32), 10_000), Error);
  await rejects(readBy(one, large, 4), Error, 'A staged file is not of the announced size.');
  await one.discard([{ staged: '../secret' }, { staged: '' }]);
  assert.ok(existsSync(join(parent, 'secret')));
  await one.close();
});

staging('the staging folder removes abandoned files', async ({ parent }) => {
  const { clock, staging: one } = await opened(parent);
  const [old, young] = [await stageText(one.folder, 'old'), await stageText(one.folder, 'young')];
  const minutesAgo = (minutes: number) => new Date(NOW - minutes * 60_000);
  utimesSync(join(one.folder, old), minutesAgo(15), minutesAgo(15));
  utimesSync(join(one.folder, young), minutesAgo(5), minutesAgo(5));
  await clock.advance(60_000);
  await eventually(() => readdirSync(one.folder).length <= 1);
  assert.equal(readdirSync(one.folder), [young]);
  await one.close();
  assert.is(clock.pending(), 0);
});

staging('the next process removes the staging folder of a dead process, but no other folder', async ({ parent }) => {
  const { pid: dead } = spawnSync(process.execPath, ['--version']);
  const { ppid: living } = process;
  for (const pid of [dead, living]) mkdirSync(join(parent, `uptrail-files-${pid}-abcdef`));
  mkdirSync(join(parent, `uptrail-files-${process.pid}-before`));
  const { staging: first } = await opened(parent);
  const { staging: second } = await opened(parent);
  assert.equal(
    readdirSync(parent).sort(),
    [`uptrail-files-${living}-abcdef`, ...[first, second].map(({ folder }) => folder.slice(parent.length + 1))].sort(),
  );
  await Promise.all([first.close(), second.close()]);
});

staging.run();
