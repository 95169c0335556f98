import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  FORGOTTEN,
  KeyForgotten,
  OtherKeys,
  UnreadableSeal,
  type Keys,
  type MovableKeys,
} from '../../stores/keys/port.ts';
import { rejects } from '../rejects.ts';

export interface OpenedKeys {
  keys: Keys;
  /** another opening of the same keys; where there is none, the same one */
  again: () => Promise<Keys>;
  dispose: () => Promise<void>;
}

/** The contract of the port Keys, for every adapter. It asks nothing but the port; names are the tests' own. */
export const keysContract = (
  name: string,
  open: () => Promise<OpenedKeys>,
  { durable }: { durable: boolean },
): void => {
  const contract = suite(`${name} keeps the contract of keys`);
  let opened: OpenedKeys | undefined;
  let tests = 0;
  contract.before(async () => {
    opened = await open();
  });
  contract.after(() => opened?.dispose());
  const test = (sentence: string, run: (given: { first: Keys; second: Keys; key: string }) => Promise<void>): void => {
    const key = `check-${(++tests).toString()}`;
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

  test('what was sealed can be opened', async ({ first, second, key }) => {
    for (const text of ['', 'secret', 'żółć 😀 \u0000', 'x'.repeat(100_000)]) {
      const sealed = await first.seal(key, text);
      assert.is(sealed.key, key);
      assert.is(await first.open(sealed), text);
      assert.is(await second.open(sealed), text);
    }
  });

  test('a sealed text shows nothing of the text, and is another each time', async ({ first, key }) => {
    const [a, b] = [await first.seal(key, 'correct horse'), await first.seal(key, 'correct horse')];
    assert.is.not(a.sealed, b.sealed);
    for (const { sealed } of [a, b]) {
      assert.not.ok(Buffer.from(sealed, 'base64').includes('horse'));
      assert.not.ok(sealed.includes('horse'));
    }
  });

  test('two that make a key at once make the same', async ({ first, second, key }) => {
    const sealed = await Promise.all([first.seal(key, 'a'), second.seal(key, 'b'), first.seal(key, 'c')]);
    const texts: string[] = [];
    for (const one of sealed) texts.push(await second.open(one));
    assert.equal(texts, ['a', 'b', 'c']);
  });

  test('what was sealed under one key can not be opened as of another', async ({ first, key }) => {
    const sealed = await first.seal(key, 'secret');
    await first.seal(`${key}-other`, 'anything');
    await rejects(first.open({ ...sealed, key: `${key}-other` }), UnreadableSeal);
  });

  test('a sealed text that was changed anywhere, or cut, can not be opened', async ({ first, key }) => {
    const { sealed } = await first.seal(key, 'secret');
    const bytes = Buffer.from(sealed, 'base64');
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      await rejects(first.open({ key, sealed: changed.toString('base64') }), UnreadableSeal);
    }
    for (const wrong of ['', 'x', bytes.subarray(0, -1).toString('base64'), 'no base64 at all!']) {
      await rejects(first.open({ key, sealed: wrong }), UnreadableSeal);
    }
  });

  test('a key that was never made opens nothing', async ({ first, key }) => {
    const message = `What was sealed under ${key} can't be read: there is no such key.`;
    await rejects(first.open({ key, sealed: 'AAAA' }), UnreadableSeal, message);
  });

  test('a forgotten key opens as [forgotten], everywhere and at once', async ({ first, second, key }) => {
    const sealed = [await first.seal(key, 'secret'), await second.seal(key, 'another')];
    await second.forget(key);
    for (const one of sealed) {
      assert.is(await first.open(one), FORGOTTEN);
      assert.is(await second.open(one), FORGOTTEN);
    }
    assert.is(FORGOTTEN, '[forgotten]');
  });

  test('nothing can be sealed under a forgotten key, and forgetting twice is no error', async ({
    first,
    second,
    key,
  }) => {
    const sealed = await first.seal(key, 'secret');
    await first.forget(key);
    await second.forget(key);
    const message = `The key ${key} was deleted; nothing can be sealed under it any more.`;
    await rejects(first.seal(key, 'new'), KeyForgotten, message);
    await rejects(second.seal(key, 'new'), KeyForgotten, message);
    assert.is(await first.open(sealed), FORGOTTEN);
  });

  test('a key can be forgotten before it is used', async ({ first, second, key }) => {
    await first.forget(key);
    await rejects(second.seal(key, 'text'), KeyForgotten);
  });

  test('forgetting one key leaves the others', async ({ first, key }) => {
    const kept = await first.seal(`${key}-kept`, 'kept');
    await first.seal(key, 'secret');
    await first.forget(key);
    assert.is(await first.open(kept), 'kept');
  });

  test('a fingerprint is the same for the same kind and text, and for no other', async ({ first, second }) => {
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
    contract('keys, forgotten keys and fingerprints are the same after closing and opening', async () => {
      if (!opened) throw new Error('the keys under test could not be opened');
      const before = await opened.again();
      const kept = await before.seal('kept', 'secret');
      const forgotten = await before.seal('forgotten', 'secret');
      await before.forget('forgotten');
      const fingerprint = await before.fingerprint('kind', 'text');
      await before.close();
      const after = await opened.again();
      assert.is(await after.open(kept), 'secret');
      assert.is(await after.open(forgotten), FORGOTTEN);
      await rejects(after.seal('forgotten', 'text'), KeyForgotten);
      assert.is(await after.fingerprint('kind', 'text'), fingerprint);
      await after.close();
    });
  }

  contract.run();
};

/** What keys that can be moved have besides; each opening is of keys of its own, with none in it yet. */
export const movableKeysContract = (
  name: string,
  open: () => Promise<{ keys: MovableKeys; dispose: () => Promise<void> }>,
): void => {
  const contract = suite(`${name} lets its keys be moved`);
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

  test('what was sealed, forgotten or compared there is so here', async (from, to) => {
    const sealed = await from.seal('check-1', 'secret');
    const forgotten = await from.seal('check-2', 'secret');
    await from.forget('check-2');
    const ring = await from.ring();
    assert.equal([...ring.keys.keys()].sort(), ['check-1', 'check-2']);
    await to.adopt(ring);
    assert.is(await to.open(sealed), 'secret');
    assert.is(await to.open(forgotten), FORGOTTEN);
    await rejects(to.seal('check-2', 'text'), KeyForgotten);
    assert.is(await to.fingerprint('email', 'a'), await from.fingerprint('email', 'a'));
    assert.equal(await to.ring(), ring);
  });

  test('the same keys can be taken over again, and more of them', async (from, to) => {
    await from.seal('check-1', 'secret');
    await to.adopt(await from.ring());
    const own = await to.seal('check-own', 'own');
    const later = await from.seal('check-2', 'later');
    await to.adopt(await from.ring());
    assert.is(await to.open(later), 'later');
    assert.is(await to.open(own), 'own');
  });

  test('a key that is forgotten on either side is forgotten', async (from, to) => {
    const [one, two] = [await from.seal('check-1', 'one'), await from.seal('check-2', 'two')];
    await to.adopt(await from.ring());
    assert.is(await to.open(one), 'one');
    await from.forget('check-1');
    await to.forget('check-2');
    await to.adopt(await from.ring());
    assert.is(await to.open(one), FORGOTTEN);
    assert.is(await to.open(two), FORGOTTEN);
  });

  test('keys of another service are refused, and nothing is changed', async (from, to) => {
    await from.seal('check-1', 'secret');
    const own = await to.seal('check-own', 'own');
    const before = await to.ring();
    await rejects(to.adopt(await from.ring()), OtherKeys, 'There are keys of another service already.');
    const { fingerprint } = before;
    const other = { fingerprint, keys: new Map([...(await from.ring()).keys, ['check-own', Buffer.alloc(32)]]) };
    await rejects(to.adopt(other), OtherKeys, 'There is another key check-own already.');
    assert.equal(await to.ring(), before);
    assert.is(await to.open(own), 'own');
  });

  contract.run();
};
