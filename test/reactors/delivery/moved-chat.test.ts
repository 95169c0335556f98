import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Handle } from '../../../commands/engine/handle.ts';
import { ConcurrentChange } from '../../../domain/errors.ts';
import { createChatMoved } from '../../../reactors/delivery/moved-chat.ts';
import { StoreUnavailable } from '../../../stores/event-store/port.ts';

const test = suite('a chat that has moved');

/** Reports that the chat of a channel has moved. The command that records the move fails with `error`. */
const moved = (error: Error, settings: object = { channel_id: 'channel00001', chat_id: '-1' }): Promise<void> => {
  const fails = () => Promise.reject(error);
  const handle: Handle = Object.assign(fails, { load: fails });
  const delivery = { id: 'delivery0001', organization_id: 'org000000001' };
  return createChatMoved({ handle })(delivery, settings as never, '-100', '2026-11-20T12:00:00.000000');
};

test('a message succeeds although the move of its chat could not be recorded, so that the message is not sent twice', async () => {
  await moved(new StoreUnavailable('The store is down.'));
  await moved(new ConcurrentChange());
});

test('the move of a chat is not recorded if it was reported for a test message', () =>
  moved(new Error('Nothing is recorded.'), { chat_id: '-1' }));

test('a programming error in recording the move of a chat is not hidden', async () => {
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
