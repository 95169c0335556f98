import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openEventStoreDb } from '../../../stores/event-store/eventstoredb/open.ts';
import type { NewEvent } from '../../../domain/event.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { resultOf } from '../../domain/check-result/examples.ts';
import { startDouble } from './server.ts';

const test = suite('a restarted EventStoreDB double');

const STREAM = 'check_results-eu-west1';
const some = (count: number): NewEvent[] => Array.from({ length: count }, () => resultOf('check0000001'));

test(
  'a restarted EventStoreDB double has forgotten earlier ids for appends that expect any revision, but recognizes them at an exact revision',
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'events.jsonl');
    const batch = some(2);
    const first = await startDouble({ file });
    const before = openEventStoreDb(first.url);
    const stored = await before.results.append(STREAM, batch, 'no_stream');
    assert.is((await before.results.append(STREAM, batch, 'any')).revision, 1n);
    await before.close();
    await first.close();

    const again = await startDouble({ file });
    const { results, close } = openEventStoreDb(again.url);
    assert.equal(await results.append(STREAM, batch, 'no_stream'), stored);
    assert.is((await results.append(STREAM, batch, 'any')).revision, 3n);
    // This append has stored the events a second time, so the double recognizes their ids from now on.
    assert.is((await results.append(STREAM, batch, 'any')).revision, 3n);
    again.log.forgetIds();
    assert.is((await results.append(STREAM, batch, 'any')).revision, 5n);
    await close();
    await again.close();
  }),
);

test.run();
