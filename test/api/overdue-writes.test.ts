import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startService } from './service.ts';
import { eventually } from '../waiting.ts';

const test = suite('writes that wait for the same stream beyond their deadline');

/** The deadline of responses, in milliseconds. An unblocked response meets it even on a busy machine. */
const ANSWERED_WITHIN = 2_000;

const service = await startService({ answeredWithin: ANSWERED_WITHIN });
test.after(() => service.stop());

test('writes beyond their deadline get 503 and are never performed, except for the write that is in progress', async () => {
  const { main } = service.stores;
  const created = await service.request('POST', '/v1/pages', { body: { name: 'Acme' } });
  const path = String(created.headers.location);
  const append = main.append.bind(main);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let appends = 0;
  main.append = async (...given) => {
    appends += 1;
    await released;
    return append(...given);
  };
  const rename = (index: number) =>
    service.request('PATCH', path, { body: { name: `Acme ${index}` } }).then(({ status }) => status);
  const statuses = await Promise.all(Array.from({ length: 30 }, (_, index) => rename(index)));
  assert.equal(new Set(statuses), new Set([503]));
  release();
  // This write is queued behind all the writes that waited.
  await eventually(async () => (await rename(100)) === 200);
  assert.is(appends, 2);
});

test.run();
