import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { channelKey } from '../../domain/alert-channel/configuration.ts';
import { createMemoryCoordination } from '../../stores/coordination/memory.ts';
import { FORGOTTEN } from '../../stores/keys/port.ts';
import { storeChannelEvent } from '../api/stored-channels.ts';
import { startService } from '../api/service.ts';
import { forgottenKeys } from '../../reactors/forgotten-keys.ts';
import { contextOf } from './context.ts';
import { startReactor } from './start-reactor.ts';
import { eventually } from '../waiting.ts';

const test = suite('the forgotten-keys reactor');

test('the key of a deleted alert channel is deleted even if the process that deleted the channel died before it deleted the key', async () => {
  const service = await startService({});
  const { keys, readers, statuses, time, first } = service;
  try {
    const [channel_id, other] = ['channel00001', 'channel00002'];
    const location = { organizationId: first.id, field: 'configuration.bot_token' };
    const seal = (id: string) => keys.seal(channelKey(id), `the token of ${id}`, location);
    const [gone, remaining] = await Promise.all([seal(channel_id), seal(other)]);
    await storeChannelEvent(service, first.id, { type: 'AlertChannelDeleted', data: { channel_id } });
    const handle = service.commands.bind((dependencies) => dependencies.handle);
    const reactor = forgottenKeys.begin(contextOf({ handle, ...service.stores, readers, statuses, keys }));
    const end = startReactor([reactor], reactor.name, {
      coordination: createMemoryCoordination(),
      clock: () => time.now,
      logged: [],
    });
    await eventually(async () => (await keys.open(gone, location)) === FORGOTTEN);
    assert.is(await keys.open(remaining, location), `the token of ${other}`);
    await end();
  } finally {
    await service.stop();
  }
});

test.run();
