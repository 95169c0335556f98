import { randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OperatorError } from '../../../service/operator-error.ts';
import { readKeys, writeKeys } from '../../../cli/transfer/keys-file.ts';
import { createMemoryKeys } from '../../../stores/keys/memory.ts';
import { LOCATION } from '../../contracts/keys.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';

const wrappingKey = randomBytes(32);

const ringOf = async () => {
  const keys = createMemoryKeys();
  for (const name of ['check-1', 'check-2', 'api_key-ü']) await keys.seal(name, 'secret', LOCATION);
  await keys.forget('check-2');
  return keys.exportRing();
};

const refused = (action: () => unknown, message: RegExp): void => {
  assert.throws(action, (error: unknown) => error instanceof OperatorError && message.test(error.message));
};

const test = suite('a file of keys');

test(
  'an exported file of keys contains all keys, and the names of deleted keys',
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'keys.jsonl');
    const ring = await ringOf();
    writeKeys(file, ring, wrappingKey);
    assert.equal(readKeys(file, wrappingKey), ring);
    assert.is(statSync(file).mode & 0o777, 0o600);
    refused(() => {
      writeKeys(file, ring, wrappingKey);
    }, /already exists\. Name a new file\.$/);
  }),
);

test(
  'an exported file of keys contains no key in plain text, and can be read only with the key that encrypted it',
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'keys.jsonl');
    const ring = await ringOf();
    writeKeys(file, ring, wrappingKey);
    const text = readFileSync(file);
    for (const key of [ring.fingerprint, ...ring.keys.values()]) {
      if (!key) continue;
      for (const written of [key, key.toString('base64').slice(0, 40), key.toString('hex')])
        assert.not.ok(text.includes(written));
    }
    refused(() => readKeys(file, randomBytes(32)), /was written under another SECRETS_KEY\. Name .* --wrapped-by/);
  }),
);

test(
  'a file of keys is rejected if it was changed or truncated anywhere, or has another format',
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'keys.jsonl');
    writeKeys(file, await ringOf(), wrappingKey);
    const whole = readFileSync(file);
    for (let at = 0; at < whole.length; at += 7) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      writeFileSync(file, damaged);
      refused(() => readKeys(file, wrappingKey), /./);
      writeFileSync(file, whole.subarray(0, at));
      refused(() => readKeys(file, wrappingKey), /./);
    }
    const lines = whole.toString().trimEnd().split('\n');
    writeFileSync(file, lines.toSpliced(1, 1).join('\n'));
    refused(() => readKeys(file, wrappingKey), /is damaged or incomplete/);
    writeFileSync(file, '{"uptrail":"log","format":1,"log":"main"}\n');
    refused(() => readKeys(file, wrappingKey), /does not contain exported keys of Uptrail\.$/);
    refused(() => readKeys(join(folder, 'nowhere'), wrappingKey), /does not exist\.$/);
  }),
);

test.run();
