import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { commandContext, derivedUuid } from '../../../commands/engine/context.ts';
import { createHandle } from '../../../commands/engine/handle.ts';
import { addSubscriber, identifySubscriber, usableAddress } from '../../../commands/pages/sign-up.ts';
import { deleteSubscriber, verifySubscriber } from '../../../commands/pages/subscribers.ts';
import { Conflict } from '../../../domain/errors.ts';
import type { AddressInput } from '../../../domain/subscriber/address.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { createMemoryKeys } from '../../../stores/keys/memory.ts';
import { ANY_SIGN_UPS, RECEIVERS } from '../../sign-ups.ts';
import { aContext } from '../simulated-processes.ts';

const test = suite('subscribing an address to a page');

const PAGE = 'page00000001';
const ORGANIZATION = 'org000000001';
const EVERYTHING = { component_ids: null, incident_id: null };

/** Creates processes that share a log and keys. */
const staged = () => {
  const store = createMemoryEventStore('main');
  const keys = createMemoryKeys();
  const process = () => {
    const handle = createHandle({ store, clock: () => Date.UTC(2026, 10, 20, 15), pause: () => Promise.resolve() });
    const parts = { handle, keys, receivers: RECEIVERS, signUps: ANY_SIGN_UPS };
    const identified = (input: AddressInput) => {
      const read = usableAddress(parts)(input);
      if ('problems' in read) throw new Error(JSON.stringify(read.problems));
      return identifySubscriber(parts)(PAGE, read.address);
    };
    return {
      ...parts,
      subscribe: async (email: string, { trusted = false, context = aContext() } = {}) => {
        const who = await identified({ mode: 'email', email });
        await addSubscriber(parts)(who, { narrowing: EVERYTHING, trusted, skips: trusted, mayAsk: true }, context);
        return who.id;
      },
      subscribeWebhook: async (endpoint: string, context = aContext()) => {
        const who = await identified({ mode: 'webhook', endpoint });
        const options = { narrowing: EVERYTHING, trusted: true, skips: false, mayAsk: true };
        return (await addSubscriber(parts)(who, options, context)).secret;
      },
    };
  };
  const typesOf = async (id: string) => (await store.readStream(`subscriber-${id}`)).map(({ type }) => type);
  return { store, keys, process, typesOf };
};

test('concurrent subscriptions of an address in several processes create one subscriber', async () => {
  const { process, typesOf } = staged();
  const processes = [process(), process(), process()];
  const [id = '', ...others] = await Promise.all(
    processes.flatMap(({ subscribe }) => Array.from({ length: 10 }, () => subscribe('ivan@example.com'))),
  );
  assert.equal(new Set(others), new Set([id]));
  const types = await typesOf(id);
  assert.is(types.filter((type) => type === 'SubscriberAdded').length, 1);
});

test('of two editors who add the same address concurrently, one succeeds and the other gets a conflict', async () => {
  const { process, typesOf } = staged();
  const [one, other] = [process(), process()];
  const ended = await Promise.allSettled([
    one.subscribe('ivan@example.com', { trusted: true }),
    other.subscribe('ivan@example.com', { trusted: true }),
  ]);
  const [refused, ...more] = ended.filter((end) => end.status === 'rejected');
  assert.equal(more, []);
  assert.instance(refused?.reason, Conflict);
  const added = ended.find((end) => end.status === 'fulfilled');
  assert.equal(await typesOf(added?.value ?? ''), ['SubscriberAdded']);
});

test('each subscription of an address gets a new key and number, also after a restore without the keys', async () => {
  const { process, keys, store } = staged();
  const { subscribe, ...parts } = process();
  const id = await subscribe('ivan@example.com');
  await deleteSubscriber(parts)(id, aContext());
  // The keys of the next two subscriptions were deleted by events that the restored log lacks.
  for (const number of [2, 3]) {
    await keys.seal(`subscriber-${id}-${number}`, 'x', { organizationId: ORGANIZATION, field: 'address' });
    await keys.forget(`subscriber-${id}-${number}`);
  }
  await subscribe('ivan@example.com');
  const last = (await store.readStream(`subscriber-${id}`)).at(-1);
  const { number, address } = last?.data as { number: number; address: { key: string; sealed: string } };
  assert.is(number, 4);
  assert.is(await keys.open(address, { organizationId: ORGANIZATION, field: 'address' }), 'ivan@example.com');
});

test('an address subscribes again after its key was deleted by an event that the restored log lacks', async () => {
  const { process, keys, typesOf } = staged();
  const { subscribe, ...parts } = process();
  const id = await subscribe('ivan@example.com');
  await verifySubscriber(parts)(id, 1, aContext());
  await keys.forget(`subscriber-${id}-1`);
  await subscribe('ivan@example.com');
  assert.equal(await typesOf(id), ['SubscriberAdded', 'SubscriberVerified', 'SubscriberAdded']);
});

test('a webhook gets the same secret when its request is repeated after a crash', async () => {
  const { process } = staged();
  const context = () =>
    commandContext({ ...aContext(), commandId: derivedUuid('a request with an Idempotency-Key'), repeatable: true });
  const secret = await process().subscribeWebhook('https://hook.example/', context());
  assert.match(String(secret), /^whsec_/);
  assert.is(await process().subscribeWebhook('https://hook.example/', context()), secret);
});

test.run();
