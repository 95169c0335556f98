import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { claimIdentity, usableRange } from '../../../../probes/script/sandbox/identities.ts';
import { compiled } from '../../../project.ts';

const identities = suite('user ids of sandboxes');

const range = usableRange();

identities('user ids for sandboxes are not used by anything else', () => {
  assert.ok(range);
  assert.ok(range.first >= 64_000);
});

identities('each user id for a sandbox belongs to one holder at a time', async () => {
  const all = await Promise.all(Array.from({ length: 40 }, () => claimIdentity()));
  assert.is(new Set(all.map(({ uid }) => uid)).size, all.length);
  for (const { uid } of all) assert.ok(range && uid >= range.first && uid < range.first + range.count);
  for (const { release } of all) release();
});

/** Returns whether a process on this machine claims a user id. */
const isHeld = (uid: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.on('error', () => {
      resolve(true);
    });
    server.listen(`\0uptrail-sandbox-${uid}`, () => {
      server.close(() => {
        resolve(false);
      });
    });
  });

identities('a user id for a sandbox can’t be claimed by another process until it is released', async () => {
  const { uid, release } = await claimIdentity();
  assert.ok(await isHeld(uid));
  release();
  assert.not.ok(await isHeld(uid));
});

identities('a user id for a sandbox is free again after its holder is killed', async () => {
  const child = fork(compiled('test/probes/script/sandbox/claim-identity.ts'));
  const [uid] = (await once(child, 'message')) as [number];
  assert.ok(await isHeld(uid));
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  assert.not.ok(await isHeld(uid));
});

identities.run();
