import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Handle } from '../../../commands/engine/handle.ts';
import { ConcurrentChange } from '../../../domain/errors.ts';
import { chatMovedBy } from '../../../reactors/delivery/moved-chat.ts';
import { StoreUnavailable } from '../../../stores/event-store/port.ts';

const test = suite('a chat that has moved');

/** Says that the chat of a channel has moved, where a command fails like this. */
const moved = (error: Error, settings: object = { channel_id: 'channel00001', chat_id: '-1' }): Promise<void> => {
  const fails = () => Promise.reject(error);
  const handle: Handle = Object.assign(fails, { load: fails });
  const delivery = { id: 'delivery0001', organization_id: 'org000000001' };
  return chatMovedBy({ handle })(delivery, settings as never, '-100', '2026-11-20T12:00:00.000000');
};

test('is told again by the next message if it could not be recorded: this one must not be sent twice', async () => {
  await moved(new StoreUnavailable('The store is down.'));
  await moved(new ConcurrentChange());
});

test('is of no channel that is only tested', () => moved(new Error('Nothing is recorded.'), { chat_id: '-1' }));

test('hides no fault of the program', async () => {
  await moved(new TypeError('fault')).then(
    () => {
      assert.unreachable();
    },
    (error: unknown) => {
      assert.instance(error, TypeError);
    },
  );
});

test.run();
