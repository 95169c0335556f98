import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createShutdown } from '../../service/shutdown.ts';

const test = suite('closing resources at shutdown');

test('resources are closed in reverse order, even if closing one of them fails', async () => {
  const closed: string[] = [];
  const failed: [string, unknown][] = [];
  const closing = createShutdown((name, error) => failed.push([name, error]));
  const broken = new Error('broken');
  closing.add('log', () => void closed.push('log'));
  closing.add('engine', async () => Promise.reject(broken));
  closing.add('server', async () => {
    await Promise.resolve();
    closed.push('server');
  });
  await Promise.all([closing.close(), closing.close()]);
  assert.equal(closed, ['server', 'log']);
  assert.equal(failed, [['engine', broken]]);
});

test('a shutdown reports the name of the resource that is currently being closed', async () => {
  const closing = createShutdown(() => undefined);
  const seen: (string | null)[] = [];
  const note = (): void => void seen.push(closing.current());
  closing.add('log', note);
  closing.add('server', note);
  note();
  await closing.close();
  note();
  assert.equal(seen, [null, 'server', 'log', null]);
});

test.run();
