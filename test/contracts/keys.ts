import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { encrypt } from '../../stores/keys/cipher.ts';
import {
  FORGOTTEN,
  KeyForgotten,
  OtherKeys,
  UnreadableSeal,
  type Keys,
  type MovableKeys,
} from '../../stores/keys/port.ts';
import { rejects } from '../rejects.ts';

/** Where the sealed texts of tests stand. */
export const PLACE = { organizationId: 'organization', field: 'field' };

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
      const sealed = await first.seal(key, text, PLACE);
      assert.is(sealed.key, key);
      assert.is(await first.open(sealed, PLACE), text);
      assert.is(await second.open(sealed, PLACE), text);
    }
  });

  test('a sealed text shows nothing of the text, and is another each time', async ({ first, key }) => {
    const [a, b] = [await first.seal(key, 'correct horse', PLACE), await first.seal(key, 'correct horse', PLACE)];
    assert.is.not(a.sealed, b.sealed);
    for (const { sealed } of [a, b]) {
      assert.not.ok(Buffer.from(sealed, 'base64').includes('horse'));
      assert.not.ok(sealed.includes('horse'));
    }
  });

  test('two that make a key at once make the same', async ({ first, second, key }) => {
    const sealed = await Promise.all([
      first.seal(key, 'a', PLACE),
      second.seal(key, 'b', PLACE),
      first.seal(key, 'c', PLACE),
    ]);
    const texts: string[] = [];
    for (const one of sealed) texts.push(await second.open(one, PLACE));
    assert.equal(texts, ['a', 'b', 'c']);
  });

  test('many keys are made at once, but for those that are there or were forgotten', async ({ first, second, key }) => {
    const [there, gone, made] = [`${key}-there`, `${key}-gone`, `${key}-made`];
    const sealed = await first.seal(there, 'before', PLACE);
    await first.seal(gone, 'before', PLACE);
    await first.forget(gone);
    await Promise.all([first.make([there, gone, made, made]), second.make([made]), first.make([])]);
    assert.is(await second.open(sealed, PLACE), 'before');
    await rejects(first.seal(gone, 'after', PLACE), KeyForgotten);
    assert.equal(await second.names({ prefix: key, after: '', limit: 10 }), [made, there]);
    assert.is(await second.open(await first.seal(made, 'after', PLACE), PLACE), 'after');
  });

  test('what was sealed under one key can not be opened as of another', async ({ first, key }) => {
    const sealed = await first.seal(key, 'secret', PLACE);
    await first.seal(`${key}-other`, 'anything', PLACE);
    await rejects(first.open({ ...sealed, key: `${key}-other` }, PLACE), UnreadableSeal);
  });

  test('what was sealed for one organization and field opens for no other', async ({ first, second, key }) => {
    const sealed = await first.seal(key, 'secret', PLACE);
    for (const keys of [first, second]) {
      for (const elsewhere of [
        { ...PLACE, organizationId: 'another' },
        { ...PLACE, field: 'another' },
        { organizationId: PLACE.field, field: PLACE.organizationId },
        { organizationId: '', field: '' },
      ]) {
        const message = `What was sealed under ${key} can't be read: the sealed text is damaged, or was sealed for another place.`;
        await rejects(keys.open(sealed, elsewhere), UnreadableSeal, message);
      }
    }
  });

  test('a sealed text that was changed anywhere, or cut, can not be opened', async ({ first, key }) => {
    const { sealed } = await first.seal(key, 'secret', PLACE);
    const bytes = Buffer.from(sealed, 'base64');
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      await rejects(first.open({ key, sealed: changed.toString('base64') }, PLACE), UnreadableSeal);
    }
    for (const wrong of ['', 'x', bytes.subarray(0, -1).toString('base64'), 'no base64 at all!']) {
      await rejects(first.open({ key, sealed: wrong }, PLACE), UnreadableSeal);
    }
  });

  test('a key that was never made opens nothing', async ({ first, key }) => {
    const message = `What was sealed under ${key} can't be read: there is no such key.`;
    await rejects(first.open({ key, sealed: 'AAAA' }, PLACE), UnreadableSeal, message);
  });

  test('a forgotten key opens as [forgotten], everywhere and at once', async ({ first, second, key }) => {
    const sealed = [await first.seal(key, 'secret', PLACE), await second.seal(key, 'another', PLACE)];
    await second.forget(key);
    for (const one of sealed) {
      assert.is(await first.open(one, PLACE), FORGOTTEN);
      assert.is(await second.open(one, PLACE), FORGOTTEN);
    }
    assert.is(FORGOTTEN, '[forgotten]');
  });

  test('names of keys are found by how they begin, in order and in pages, unless forgotten', async ({
    first,
    second,
    key,
  }) => {
    for (const name of ['b', 'a', 'd', 'ü', 'c']) await first.seal(`${key}-${name}`, 'x', PLACE);
    await first.seal(key.slice(0, -1), 'x', PLACE);
    await first.forget(`${key}-c`);
    const prefix = `${key}-`;
    const expected = ['a', 'b', 'd', 'ü'].map((name) => `${key}-${name}`);
    assert.equal(await second.names({ prefix, after: '', limit: 10 }), expected);
    assert.equal(await second.names({ prefix, after: '', limit: 2 }), expected.slice(0, 2));
    assert.equal(await second.names({ prefix, after: expected[1] ?? '', limit: 2 }), expected.slice(2));
    assert.equal(await second.names({ prefix: `${key}-none`, after: '', limit: 2 }), []);
  });

  test('forgetting says whether there was something to forget', async ({ first, second, key }) => {
    await first.seal(key, 'secret', PLACE);
    assert.is(await second.forget(key), 'forgotten');
    assert.is(await first.forget(key), 'already');
    assert.is(await first.forget(`${key}-never`), 'unknown');
  });

  test('nothing can be sealed under a forgotten key, and forgetting twice is no error', async ({
    first,
    second,
    key,
  }) => {
    const sealed = await first.seal(key, 'secret', PLACE);
    await first.forget(key);
    await second.forget(key);
    const message = `The key ${key} was deleted; nothing can be sealed under it any more.`;
    await rejects(first.seal(key, 'new', PLACE), KeyForgotten, message);
    await rejects(second.seal(key, 'new', PLACE), KeyForgotten, message);
    assert.is(await first.open(sealed, PLACE), FORGOTTEN);
  });

  test('a name that was never a key can still become one after it was to be forgotten', async (given) => {
    const { first, second, key } = given;
    assert.is(await first.forget(key), 'unknown');
    const sealed = await second.seal(key, 'text', PLACE);
    assert.is(await first.open(sealed, PLACE), 'text');
  });

  test('forgetting one key leaves the others', async ({ first, key }) => {
    const kept = await first.seal(`${key}-kept`, 'kept', PLACE);
    await first.seal(key, 'secret', PLACE);
    await first.forget(key);
    assert.is(await first.open(kept, PLACE), 'kept');
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
      const kept = await before.seal('kept', 'secret', PLACE);
      const forgotten = await before.seal('forgotten', 'secret', PLACE);
      await before.forget('forgotten');
      const fingerprint = await before.fingerprint('kind', 'text');
      await before.close();
      const after = await opened.again();
      assert.is(await after.open(kept, PLACE), 'secret');
      assert.is(await after.open(forgotten, PLACE), FORGOTTEN);
      await rejects(after.seal('forgotten', 'text', PLACE), KeyForgotten);
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
    const sealed = await from.seal('check-1', 'secret', PLACE);
    const forgotten = await from.seal('check-2', 'secret', PLACE);
    await from.forget('check-2');
    const ring = await from.ring();
    assert.equal([...ring.keys.keys()].sort(), ['check-1', 'check-2']);
    await to.adopt(ring);
    assert.is(await to.open(sealed, PLACE), 'secret');
    assert.is(await to.open(forgotten, PLACE), FORGOTTEN);
    await rejects(to.seal('check-2', 'text', PLACE), KeyForgotten);
    assert.is(await to.fingerprint('email', 'a'), await from.fingerprint('email', 'a'));
    assert.equal(await to.ring(), ring);
  });

  test('the same keys can be taken over again, and more of them', async (from, to) => {
    await from.seal('check-1', 'secret', PLACE);
    await to.adopt(await from.ring());
    const own = await to.seal('check-own', 'own', PLACE);
    const later = await from.seal('check-2', 'later', PLACE);
    await to.adopt(await from.ring());
    assert.is(await to.open(later, PLACE), 'later');
    assert.is(await to.open(own, PLACE), 'own');
  });

  test('a key that is forgotten on either side is forgotten', async (from, to) => {
    const [one, two] = [await from.seal('check-1', 'one', PLACE), await from.seal('check-2', 'two', PLACE)];
    await to.adopt(await from.ring());
    assert.is(await to.open(one, PLACE), 'one');
    await from.forget('check-1');
    await to.forget('check-2');
    await to.adopt(await from.ring());
    assert.is(await to.open(one, PLACE), FORGOTTEN);
    assert.is(await to.open(two, PLACE), FORGOTTEN);
  });

  test('what was sealed before texts were bound to their places can be opened', async (from, to) => {
    await from.seal('check-1', 'anything', PLACE);
    const ring = await from.ring();
    const sealed = {
      key: 'check-1',
      sealed: encrypt(ring.keys.get('check-1') as Buffer, 'old', 'check-1').toString('base64'),
    };
    await to.adopt(ring);
    for (const keys of [from, to]) assert.is(await keys.open(sealed, PLACE), 'old');
    await from.seal('check-2', 'anything', PLACE);
    await rejects(from.open({ ...sealed, key: 'check-2' }, PLACE), UnreadableSeal);
  });

  test('keys of another service are refused, and nothing is changed', async (from, to) => {
    await from.seal('check-1', 'secret', PLACE);
    const own = await to.seal('check-own', 'own', PLACE);
    const before = await to.ring();
    await rejects(to.adopt(await from.ring()), OtherKeys, 'There are keys of another service already.');
    const { fingerprint } = before;
    const other = { fingerprint, keys: new Map([...(await from.ring()).keys, ['check-own', Buffer.alloc(32)]]) };
    await rejects(to.adopt(other), OtherKeys, 'There is another key check-own already.');
    assert.equal(await to.ring(), before);
    assert.is(await to.open(own, PLACE), 'own');
  });

  contract.run();
};
