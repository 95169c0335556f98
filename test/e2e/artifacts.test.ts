import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { artifactLink } from '../../api/v1/artifacts/link.ts';
import { instantOf } from '../../domain/time.ts';
import { readConfig } from '../../service/config/config.ts';
import { openArtifacts, openKeys, siteOf } from '../../service/stores.ts';
import type { Artifact } from '../../stores/artifacts/port.ts';
import { artifactHead, pieces, someBytes } from '../contracts/artifacts/examples.ts';
import { inTemporaryFolder } from '../service/temporary.ts';
import { endPrograms, IS_CLUSTER, storageEnvironment, serve, uptrail } from './program.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';

const test = suite('an artifact of a run');
test.after.each(endPrograms);

/** Stores an artifact in the store that this environment configures. @returns the artifact and a signed link to it */
const store = async (
  environment: Record<string, string>,
  content: Buffer,
): Promise<{ link: string; stored: Artifact }> => {
  const config = readConfig(environment);
  const site = siteOf(config);
  const [artifacts, keys] = [await openArtifacts(site, config), await openKeys(site, config)];
  try {
    const created_at = instantOf(Date.now());
    const stored = await artifacts.store(artifactHead({ created_at, name: 'żółć.png' }), pieces(content));
    return { stored, link: await artifactLink(stored, created_at, (kind, text) => keys.fingerprint(kind, text)) };
  } finally {
    await artifacts.close();
    await keys.close();
  }
};

test(
  'an artifact of a run can be read by its link, completely and in parts, even after the service was moved',
  inTemporaryFolder(async (folder) => {
    const from = { DATA_DIR: `${folder}/from`, ADMIN_API_KEY };
    await (await serve(from)).end('SIGTERM');
    const content = someBytes(700_000);
    const { link, stored } = await store(await storageEnvironment(from), content);
    const read = async (address: string): Promise<void> => {
      const whole = await fetch(`${address}${link}`);
      assert.is(whole.status, 200);
      assert.is(whole.headers.get('content-type'), 'image/png');
      assert.is(whole.headers.get('etag'), `"${stored.sha256}"`);
      assert.equal(Buffer.from(await whole.arrayBuffer()), content);
      const part = await fetch(`${address}${link}`, { headers: { range: 'bytes=300000-300009' } });
      assert.is(part.status, 206);
      assert.equal(Buffer.from(await part.arrayBuffer()), content.subarray(300_000, 300_010));
      assert.is((await fetch(`${address}${link}x`)).status, 403);
    };
    const first = await serve(from);
    await read(first.address);
    await first.end('SIGTERM');

    const done = async (environment: Record<string, string>, ...parameters: string[]): Promise<string> => {
      const { code, stdout, stderr } = await uptrail(environment, ...parameters);
      assert.is(code, 0, stderr);
      return stdout;
    };
    const to = { DATA_DIR: `${folder}/to`, ADMIN_API_KEY };
    assert.match(await done(from, 'export', `${folder}/moved`), /^artifacts: .* is complete, with 1 file\.$/m);
    await done(from, 'keys', 'export', `${folder}/moved/keys.jsonl`);
    assert.match(
      await done(to, 'import', `${folder}/moved`),
      /^artifacts: the export contains 1 file; 1 were new here\.$/m,
    );
    assert.match(await done(to, 'import', `${folder}/moved`), /^artifacts: the export contains 1 file; 0 were/m);
    // In a cluster both services have the same SECRETS_KEY, which wraps the keys.
    const wrappedBy = IS_CLUSTER ? [] : ['--wrapped-by', `${folder}/from/secrets-key`];
    await done(to, 'keys', 'import', `${folder}/moved/keys.jsonl`, ...wrappedBy);
    const second = await serve(to);
    await read(second.address);
    await second.end('SIGTERM');
  }),
);

test.run();
