import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { encrypt } from '../../stores/keys/cipher.ts';
import {
  FORGOTTEN,
  KeyForgotten,
  KeysOfAnotherLog,
  UnreadableSeal,
  type Keys,
  type MovableKeys,
} from '../../stores/keys/port.ts';
import { rejects } from '../rejects.ts';

/** The location of the sealed texts in tests. */
export const LOCATION = { organizationId: 'organization', field: 'field' };

export interface OpenedKeys {
  keys: Keys;
  /** opens the same keys again; returns the same object if the adapter can't open keys twice */
  again: () => Promise<Keys>;
  dispose: () => Promise<void>;
}

/**
 * The contract of the port Keys, for every adapter. The tests use only the port, and key names that no other test uses.
 */
export const keysContract = (
  name: string,
  open: () => Promise<OpenedKeys>,
  { durable }: { durable: boolean },
): void => {
  const contract = suite(`${name} fulfils the contract of keys`);
  let opened: OpenedKeys | undefined;
  let tests = 0;
  contract.before(async () => {
    opened = await open();
  });
  contract.after(() => opened?.dispose());
  const test = (sentence: string, run: (given: { first: Keys; second: Keys; key: string }) => Promise<void>): void => {
    const key = `check-${++tests}`;
    contract(sentence, async () => {
      if (!opened) throw new Error('the keys under test could not be opened');
      const second = await opened.again();
      try {
        await run({ first: opened.keys, second, key });
      } finally {
        if (second !== opened.keys) await second.close();
      }
    });
  };

  test('a sealed text can be opened', async ({ first, second, key }) => {
    for (const text of ['', 'secret', 'żółć 😀 \u0000', 'x'.repeat(100_000)]) {
      const sealed = await first.seal(key, text, LOCATION);
      assert.is(sealed.key, key);
      assert.is(await first.open(sealed, LOCATION), text);
      assert.is(await second.open(sealed, LOCATION), text);
    }
  });

  test('a sealed text reveals nothing of the text, and is different each time', async ({ first, key }) => {
    const [a, b] = [await first.seal(key, 'correct horse', LOCATION), await first.seal(key, 'correct horse', LOCATION)];
    assert.is.not(a.sealed, b.sealed);
    for (const { sealed } of [a, b]) {
      assert.not.ok(Buffer.from(sealed, 'base64').includes('horse'));
      assert.not.ok(sealed.includes('horse'));
    }
  });

  test('two processes that create a key concurrently create the same key', async ({ first, second, key }) => {
    const sealed = await Promise.all([
      first.seal(key, 'a', LOCATION),
      second.seal(key, 'b', LOCATION),
      first.seal(key, 'c', LOCATION),
    ]);
    const texts: string[] = [];
    for (const one of sealed) texts.push(await second.open(one, LOCATION));
    assert.equal(texts, ['a', 'b', 'c']);
  });

  test('many keys are created together, except keys that exist or were forgotten', async ({ first, second, key }) => {
    const [there, gone, made] = [`${key}-there`, `${key}-gone`, `${key}-made`];
    const sealed = await first.seal(there, 'before', LOCATION);
    await first.seal(gone, 'before', LOCATION);
    await first.forget(gone);
    await Promise.all([first.create([there, gone, made, made]), second.create([made]), first.create([])]);
    assert.is(await second.open(sealed, LOCATION), 'before');
    await rejects(first.seal(gone, 'after', LOCATION), KeyForgotten);
    assert.equal(await second.names({ prefix: key, after: '', limit: 10 }), [made, there]);
    assert.is(await second.open(await first.seal(made, 'after', LOCATION), LOCATION), 'after');
  });

  test('a text sealed under one key can not be opened under another', async ({ first, key }) => {
    const sealed = await first.seal(key, 'secret', LOCATION);
    await first.seal(`${key}-other`, 'anything', LOCATION);
    await rejects(first.open({ ...sealed, key: `${key}-other` }, LOCATION), UnreadableSeal);
  });

  test('a text sealed for one organization and field can not be opened for another', async ({ first, second, key }) => {
    const sealed = await first.seal(key, 'secret', LOCATION);
    for (const keys of [first, second]) {
      for (const elsewhere of [
        { ...LOCATION, organizationId: 'another' },
        { ...LOCATION, field: 'another' },
        { organizationId: LOCATION.field, field: LOCATION.organizationId },
        { organizationId: '', field: '' },
      ]) {
        const message = `A text sealed under ${key} can't be read: the sealed text is damaged, or was sealed for another location.`;
        await rejects(keys.open(sealed, elsewhere), UnreadableSeal, message);
      }
    }
  });

  test('a sealed text that was changed anywhere, or truncated, can not be opened', async ({ first, key }) => {
    const { sealed } = await first.seal(key, 'secret', LOCATION);
    const bytes = Buffer.from(sealed, 'base64');
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      await rejects(first.open({ key, sealed: changed.toString('base64') }, LOCATION), UnreadableSeal);
    }
    for (const wrong of ['', 'x', bytes.subarray(0, -1).toString('base64'), 'no base64 at all!']) {
      await rejects(first.open({ key, sealed: wrong }, LOCATION), UnreadableSeal);
    }
  });

  test('a key that was never created opens nothing', async ({ first, key }) => {
    const message = `A text sealed under ${key} can't be read: there is no such key.`;
    await rejects(first.open({ key, sealed: 'AAAA' }, LOCATION), UnreadableSeal, message);
  });

  test('texts of a forgotten key open as [forgotten], immediately and in every instance of the store', async ({
    first,
    second,
    key,
  }) => {
    const sealed = [await first.seal(key, 'secret', LOCATION), await second.seal(key, 'another', LOCATION)];
    await second.forget(key);
    for (const one of sealed) {
      assert.is(await first.open(one, LOCATION), FORGOTTEN);
      assert.is(await second.open(one, LOCATION), FORGOTTEN);
    }
    assert.is(FORGOTTEN, '[forgotten]');
  });

  test('names of keys are found by prefix, in order and in pages, without those of forgotten keys', async ({
    first,
    second,
    key,
  }) => {
    for (const name of ['b', 'a', 'd', 'ü', 'c']) await first.seal(`${key}-${name}`, 'x', LOCATION);
    await first.seal(key.slice(0, -1), 'x', LOCATION);
    await first.forget(`${key}-c`);
    const prefix = `${key}-`;
    const expected = ['a', 'b', 'd', 'ü'].map((name) => `${key}-${name}`);
    assert.equal(await second.names({ prefix, after: '', limit: 10 }), expected);
    assert.equal(await second.names({ prefix, after: '', limit: 2 }), expected.slice(0, 2));
    assert.equal(await second.names({ prefix, after: expected[1] ?? '', limit: 2 }), expected.slice(2));
    assert.equal(await second.names({ prefix: `${key}-none`, after: '', limit: 2 }), []);
  });

  test('forgetting a key returns whether it existed', async ({ first, second, key }) => {
    await first.seal(key, 'secret', LOCATION);
    assert.is(await second.forget(key), 'forgotten');
    assert.is(await first.forget(key), 'already');
    assert.is(await first.forget(`${key}-never`), 'unknown');
  });

  test('nothing can be sealed under a forgotten key, and forgetting it again is no error', async ({
    first,
    second,
    key,
  }) => {
    const sealed = await first.seal(key, 'secret', LOCATION);
    await first.forget(key);
    await second.forget(key);
    const message = `The key ${key} was deleted; nothing can be sealed under it any more.`;
    await rejects(first.seal(key, 'new', LOCATION), KeyForgotten, message);
    await rejects(second.seal(key, 'new', LOCATION), KeyForgotten, message);
    assert.is(await first.open(sealed, LOCATION), FORGOTTEN);
  });

  test('a key that was forgotten before it existed can still be created', async (given) => {
    const { first, second, key } = given;
    assert.is(await first.forget(key), 'unknown');
    const sealed = await second.seal(key, 'text', LOCATION);
    assert.is(await first.open(sealed, LOCATION), 'text');
  });

  test('forgetting a key does not affect other keys', async ({ first, key }) => {
    const stored = await first.seal(`${key}-kept`, 'kept', LOCATION);
    await first.seal(key, 'secret', LOCATION);
    await first.forget(key);
    assert.is(await first.open(stored, LOCATION), 'kept');
  });

  test('fingerprints are equal if both their kinds and their texts are equal, and differ otherwise', async ({
    first,
    second,
  }) => {
    const fingerprint = await first.fingerprint('email', 'a@example.test');
    assert.match(fingerprint, /^[\w-]{43}$/);
    assert.is(await second.fingerprint('email', 'a@example.test'), fingerprint);
    for (const [kind, text] of [
      ['email', 'b@example.test'],
      ['phone', 'a@example.test'],
      ['emaila', '@example.test'],
      ['', 'emaila@example.test'],
    ] as const) {
      assert.is.not(await first.fingerprint(kind, text), fingerprint);
    }
  });

  if (durable) {
    contract('keys, forgotten keys and fingerprints survive closing and opening', async () => {
      if (!opened) throw new Error('the keys under test could not be opened');
      const before = await opened.again();
      const stored = await before.seal('kept', 'secret', LOCATION);
      const forgotten = await before.seal('forgotten', 'secret', LOCATION);
      await before.forget('forgotten');
      const fingerprint = await before.fingerprint('kind', 'text');
      await before.close();
      const after = await opened.again();
      assert.is(await after.open(stored, LOCATION), 'secret');
      assert.is(await after.open(forgotten, LOCATION), FORGOTTEN);
      await rejects(after.seal('forgotten', 'text', LOCATION), KeyForgotten);
      assert.is(await after.fingerprint('kind', 'text'), fingerprint);
      await after.close();
    });
  }

  contract.run();
};

/** The additional contract of movable keys. Each call of `open` returns new keys, none of which is in use. */
export const movableKeysContract = (
  name: string,
  open: () => Promise<{ keys: MovableKeys; dispose: () => Promise<void> }>,
): void => {
  const contract = suite(`${name} fulfils the contract of movable keys`);
  const test = (sentence: string, run: (from: MovableKeys, to: MovableKeys) => Promise<void>): void => {
    contract(sentence, async () => {
      const [from, to] = [await open(), await open()];
      try {
        await run(from.keys, to.keys);
      } finally {
        await from.dispose();
        await to.dispose();
      }
    });
  };

  test('texts that were sealed, forgotten or fingerprinted with the exported keys work with the imported keys', async (from, to) => {
    const sealed = await from.seal('check-1', 'secret', LOCATION);
    const forgotten = await from.seal('check-2', 'secret', LOCATION);
    await from.forget('check-2');
    const ring = await from.exportRing();
    assert.equal([...ring.keys.keys()].sort(), ['check-1', 'check-2']);
    await to.importRing(ring);
    assert.is(await to.open(sealed, LOCATION), 'secret');
    assert.is(await to.open(forgotten, LOCATION), FORGOTTEN);
    await rejects(to.seal('check-2', 'text', LOCATION), KeyForgotten);
    assert.is(await to.fingerprint('email', 'a'), await from.fingerprint('email', 'a'));
    assert.equal(await to.exportRing(), ring);
  });

  test('an import succeeds if some of the keys were imported before', async (from, to) => {
    await from.seal('check-1', 'secret', LOCATION);
    await to.importRing(await from.exportRing());
    const own = await to.seal('check-own', 'own', LOCATION);
    const later = await from.seal('check-2', 'later', LOCATION);
    await to.importRing(await from.exportRing());
    assert.is(await to.open(later, LOCATION), 'later');
    assert.is(await to.open(own, LOCATION), 'own');
  });

  test('a key is forgotten after the import if either the exporting or the importing service had forgotten the key', async (from, to) => {
    const [one, two] = [await from.seal('check-1', 'one', LOCATION), await from.seal('check-2', 'two', LOCATION)];
    await to.importRing(await from.exportRing());
    assert.is(await to.open(one, LOCATION), 'one');
    await from.forget('check-1');
    await to.forget('check-2');
    await to.importRing(await from.exportRing());
    assert.is(await to.open(one, LOCATION), FORGOTTEN);
    assert.is(await to.open(two, LOCATION), FORGOTTEN);
  });

  test('a text that was sealed before texts were bound to locations can be opened', async (from, to) => {
    await from.seal('check-1', 'anything', LOCATION);
    const ring = await from.exportRing();
    const sealed = {
      key: 'check-1',
      sealed: encrypt(ring.keys.get('check-1') as Buffer, 'old', 'check-1').toString('base64'),
    };
    await to.importRing(ring);
    for (const keys of [from, to]) assert.is(await keys.open(sealed, LOCATION), 'old');
    await from.seal('check-2', 'anything', LOCATION);
    await rejects(from.open({ ...sealed, key: 'check-2' }, LOCATION), UnreadableSeal);
  });

  test('keys of another service are refused, and nothing is changed', async (from, to) => {
    await from.seal('check-1', 'secret', LOCATION);
    const own = await to.seal('check-own', 'own', LOCATION);
    const before = await to.exportRing();
    await rejects(to.importRing(await from.exportRing()), KeysOfAnotherLog, 'Keys of another service exist already.');
    const { fingerprint } = before;
    const other = { fingerprint, keys: new Map([...(await from.exportRing()).keys, ['check-own', Buffer.alloc(32)]]) };
    await rejects(to.importRing(other), KeysOfAnotherLog, 'A different key named check-own exists already.');
    assert.equal(await to.exportRing(), before);
    assert.is(await to.open(own, LOCATION), 'own');
  });

  contract.run();
};
