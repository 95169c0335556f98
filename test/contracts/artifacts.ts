import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  ArtifactLost,
  ArtifactRefused,
  type Artifact,
  type ArtifactLimits,
  type Artifacts,
} from '../../stores/artifacts/port.ts';
import { rejects } from '../rejects.ts';
import { readAll, artifactHead, LIMITS, onTheHour, pieces, sha256, someBytes } from './artifacts/examples.ts';

export interface OpenedArtifacts {
  artifacts: Artifacts;
  /** opens the same store again; returns the same object if the adapter can't open a store twice */
  again: () => Promise<Artifacts>;
  dispose: () => Promise<void>;
}

/** The contract of the port Artifacts, for every adapter. */
export const artifactsContract = (name: string, open: (limits: ArtifactLimits) => Promise<OpenedArtifacts>): void => {
  const contract = suite(`${name} fulfils the contract of artifacts`);
  let opened: OpenedArtifacts | undefined;
  contract.before(async () => {
    opened = await open(LIMITS);
  });
  contract.after(() => opened?.dispose());
  const test = (sentence: string, run: (first: Artifacts, second: Artifacts) => Promise<void>): void => {
    contract(sentence, async () => {
      if (!opened) throw new Error('the artifacts under test could not be opened');
      const second = await opened.again();
      try {
        await run(opened.artifacts, second);
      } finally {
        if (second !== opened.artifacts) await second.close();
      }
    });
  };

  test('a stored artifact is found and read unchanged by every instance of the store', async (first, second) => {
    for (const bytes of [0, 1, 261_120, 261_121, 700_000]) {
      const [given, content] = [artifactHead(), someBytes(bytes)];
      const stored = await first.store(given, pieces(content));
      assert.equal(stored, { ...given, size: bytes, sha256: sha256(content) });
      for (const artifacts of [first, second]) {
        assert.equal(await artifacts.find(given.id), stored);
        assert.equal(await readAll(await artifacts.read(given.id)), content);
      }
    }
  });

  test('any byte range of an artifact can be read exactly', async (first) => {
    const [given, content] = [artifactHead(), someBytes(600_000)];
    await first.store(given, pieces(content, 99_999));
    for (const [from, to] of [
      [0, 0],
      [0, 599_999],
      [599_999, 599_999],
      [1, 261_119],
      [261_119, 261_120],
      [261_120, 522_240],
      [300_000, 599_998],
    ] as const) {
      assert.equal(await readAll(await first.read(given.id, { from, to })), content.subarray(from, to + 1));
    }
  });

  test('artifact content is stored while it arrives, and read at the pace of the reader', async (first) => {
    let [asked, read] = [0, 0];
    const given = artifactHead();
    async function* slowly(): AsyncGenerator<Uint8Array, void, undefined> {
      for (; asked < 15; asked++) {
        await new Promise((resolve) => setImmediate(resolve));
        yield someBytes(65_536);
      }
    }
    await first.store(given, slowly());
    const stream = await first.read(given.id);
    for await (const chunk of stream) {
      read += (chunk as Buffer).length;
      assert.ok(stream.readableLength <= 2 * 262_144);
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.is(read, 15 * 65_536);
  });

  test('a reader that stops in the middle of an artifact leaves nothing open, and the next reader gets the whole artifact', async (first) => {
    const [given, content] = [artifactHead(), someBytes(700_000)];
    await first.store(given, pieces(content));
    const stream = await first.read(given.id);
    for await (const chunk of stream) {
      assert.ok((chunk as Buffer).length > 0);
      break;
    }
    assert.ok(stream.destroyed);
    assert.equal(await readAll(await first.read(given.id)), content);
  });

  test('an absent artifact is null, and can not be read or removed', async (first) => {
    assert.is(await first.find('never'), null);
    assert.is(await first.remove('never'), false);
    await rejects(first.read('never'), ArtifactLost, 'The artifact never is missing or damaged.');
    assert.equal(await first.listOfRun('nobody', 'nothing'), []);
    assert.equal(await first.usage('nobody'), { files: 0, bytes: 0 });
  });

  test('an interrupted upload leaves no artifact', async (first, second) => {
    const given = artifactHead();
    async function* cutOff(): AsyncGenerator<Uint8Array, void, undefined> {
      yield someBytes(300_000);
      await Promise.resolve();
      throw new RangeError('The browser has disconnected.');
    }
    await rejects(first.store(given, cutOff()), RangeError, 'The browser has disconnected.');
    for (const artifacts of [first, second]) {
      assert.is(await artifacts.find(given.id), null);
      assert.equal(await artifacts.usage(given.organization_id), { files: 0, bytes: 0 });
    }
    const content = someBytes(10);
    await first.store(given, pieces(content));
    assert.equal(await readAll(await first.read(given.id)), content);
  });

  test('the files of a run are listed from the oldest to the newest', async (first, second) => {
    const { organization_id, run_id } = artifactHead();
    const stored: Artifact[] = [];
    for (const second_ of [3, 1, 2]) {
      const created_at = `2026-05-04T03:02:0${second_}.000Z`;
      stored.push(await first.store(artifactHead({ organization_id, run_id, created_at }), pieces(someBytes(second_))));
    }
    await first.store(artifactHead({ organization_id }), pieces(someBytes(1)));
    await first.store(artifactHead({ run_id }), pieces(someBytes(1)));
    await first.store(artifactHead({ organization_id, run_id: null }), pieces(someBytes(1)));
    const [third, one, two] = stored;
    assert.equal(await second.listOfRun(organization_id, run_id ?? ''), [one, two, third]);
    assert.equal(await second.usage(organization_id), { files: 5, bytes: 8 });
  });

  test('a removed artifact is gone for every instance of the store', async (first, second) => {
    const given = artifactHead();
    await first.store(given, pieces(someBytes(300_000)));
    const before = await first.usage();
    assert.is(await second.remove(given.id), true);
    assert.is(await first.remove(given.id), false);
    assert.is(await first.find(given.id), null);
    await rejects(first.read(given.id), ArtifactLost);
    assert.equal(await first.usage(given.organization_id), { files: 0, bytes: 0 });
    const after = await first.usage();
    assert.equal([before.files - after.files, before.bytes - after.bytes], [1, 300_000]);
  });

  test('storing an existing id leaves the stored artifact unchanged', async (first) => {
    const [given, content] = [artifactHead(), someBytes(5)];
    const stored = await first.store(given, pieces(content));
    assert.equal(await first.store({ ...given, name: 'other.png' }, pieces(someBytes(9))), stored);
    assert.equal(await readAll(await first.read(given.id)), content);
    const same = artifactHead();
    const both = await Promise.all([
      first.store(same, pieces(someBytes(50))),
      first.store(same, pieces(someBytes(60))),
    ]);
    assert.equal(both[0], both[1]);
    assert.is((await readAll(await first.read(same.id))).length, both[0].size);
    assert.equal(await first.usage(same.organization_id), { files: 1, bytes: both[0].size });
  });

  test('a run that exceeds its limits of files or bytes gets an error that names the limit', async (first) => {
    const { organization_id, run_id } = artifactHead();
    const owner = { organization_id, run_id };
    for (let file = 1; file < LIMITS.runFiles; file++)
      await first.store(artifactHead(owner), pieces(someBytes(300_000)));
    const large = 'The files of a run can be at most 1000000 bytes in total, including this one.';
    await rejects(first.store(artifactHead(owner), pieces(someBytes(100_001))), ArtifactRefused, large);
    await first.store(artifactHead(owner), pieces(someBytes(100_000)));
    const many = 'A run can store 4 files, and this one already has that many.';
    await rejects(first.store(artifactHead(owner), pieces(someBytes(0))), ArtifactRefused, many);
    assert.equal(await first.usage(organization_id), { files: 4, bytes: 1_000_000 });
    await first.store(artifactHead({ organization_id }), pieces(someBytes(1)));
    await rejects(
      first.store(artifactHead({ run_id: null }), pieces(someBytes(1_000_001))),
      ArtifactRefused,
      'A file can be at most 1000000 bytes in size.',
    );
  });

  test('the upload of a file that is too large is not read to its end', async (first) => {
    let asked = 0;
    async function* endless(): AsyncGenerator<Uint8Array, void, undefined> {
      for (; ; asked++) yield Promise.resolve(someBytes(100_000));
    }
    await rejects(first.store(artifactHead(), endless()), ArtifactRefused);
    assert.ok(asked <= 12, `${asked} were requested`);
  });

  test('concurrent uploads of one run stay within its limits', async (first, second) => {
    const { organization_id, run_id } = artifactHead();
    const storing = Array.from({ length: 7 }, (_, number) =>
      (number % 2 === 0 ? first : second).store(artifactHead({ organization_id, run_id }), pieces(someBytes(1_000))),
    );
    const outcomes = await Promise.allSettled(storing);
    const stored = outcomes.filter(({ status }) => status === 'fulfilled');
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') assert.instance(outcome.reason, ArtifactRefused);
    }
    assert.is(stored.length, LIMITS.runFiles);
    assert.is((await first.listOfRun(organization_id, run_id ?? '')).length, LIMITS.runFiles);
  });

  test('an organization over its limit loses its oldest files first', async (first) => {
    const { organization_id } = artifactHead();
    const stored: Artifact[] = [];
    for (let hour = 10; hour < 16; hour++) {
      const given = artifactHead({ organization_id, created_at: onTheHour(hour) });
      stored.push(await first.store(given, pieces(someBytes(600_000))));
    }
    assert.equal(await first.usage(organization_id), { files: 5, bytes: 3_000_000 });
    assert.is(await first.find(stored[0]?.id ?? ''), null);
    await rejects(first.read(stored[0]?.id ?? ''), ArtifactLost);
    assert.equal(await first.find(stored[1]?.id ?? ''), stored[1]);
    const late = artifactHead({ organization_id, created_at: onTheHour(20) });
    await first.store(late, pieces(someBytes(600_001)));
    assert.is(await first.find(stored[1]?.id ?? ''), null);
    assert.is(await first.find(stored[2]?.id ?? ''), null);
    assert.is((await first.usage(organization_id)).bytes, 2_400_001);
  });

  test('concurrent uploads of one organization stay within its limit and keep the newest files', async (first, second) => {
    const { organization_id } = artifactHead();
    const heads = Array.from({ length: 12 }, (_, hour) =>
      artifactHead({ organization_id, created_at: onTheHour(hour) }),
    );
    await Promise.all(
      heads.map((given, number) => (number % 2 === 0 ? first : second).store(given, pieces(someBytes(500_000)))),
    );
    assert.equal(await first.usage(organization_id), { files: 6, bytes: 3_000_000 });
    for (const { id } of heads.slice(6)) assert.ok(await first.find(id), id);
  });

  test('retention removes artifacts of runs, and leaves artifacts that belong to no run', async (first) => {
    const created_at = '2026-01-01T00:00:00.000Z';
    const [old, report, young] = [
      artifactHead({ created_at }),
      artifactHead({ created_at, run_id: null }),
      artifactHead(),
    ];
    for (const given of [old, report, young]) await first.store(given, pieces(someBytes(10)));
    const { signal } = new AbortController();
    assert.is(await first.removeOfRunsBefore('2026-01-02T00:00:00.000Z', AbortSignal.abort()), 0);
    assert.is(await first.removeOfRunsBefore(created_at, signal), 0);
    assert.is(await first.removeOfRunsBefore('2026-01-02T00:00:00.000Z', signal), 1);
    assert.is(await first.find(old.id), null);
    for (const { id } of [report, young]) assert.ok(await first.find(id));
  });

  test('a valid name is stored unchanged, and no name can lead out of a folder', async (first) => {
    for (const [given, expected] of [
      ['żółć 測試 😀.png', 'żółć 測試 😀.png'],
      ['../../../etc/passwd', '_.._.._etc_passwd'],
      ['..', 'file'],
      ['', 'file'],
      ['.hidden', 'hidden'],
      ['C:\\windows\\system32.exe', 'C__windows_system32.exe'],
      ['a\u0000b\r\nSet-Cookie: c', 'a_b__Set-Cookie_ c'],
      ['invoice\u202efdp.exe', 'invoice_fdp.exe'],
      ['half \ud800 a pair', 'half _ a pair'],
      ['nul.txt', '_nul.txt'],
      [`${'é'.repeat(300)}.png`, `${'é'.repeat(98)}.png`],
      [`x.${'y'.repeat(300)}`, `x.${'y'.repeat(198)}`],
    ] as const) {
      const content = someBytes(3);
      const stored = await first.store(artifactHead({ name: given }), pieces(content));
      assert.is(stored.name, expected);
      assert.is((await first.find(stored.id))?.name, expected);
      assert.equal(await readAll(await first.read(stored.id)), content);
    }
  });

  test('invalid ids, owners, media types and times are refused, and the error names the field', async (first) => {
    for (const [field, values] of [
      ['id', ['', '../x', 'a/b', 'a.b', 'x'.repeat(65), 'a\u0000']],
      ['organization_id', ['', 'a\nb', 'x'.repeat(201)]],
      ['run_id', ['', '\u0000', 'x'.repeat(201)]],
      ['media_type', ['', 'png', 'text/html\r\nX-Evil: 1', 'text/html; a="b"', `a/${'b'.repeat(120)}`, 'é/x']],
      ['created_at', ['', 'yesterday']],
    ] as const) {
      for (const value of values) {
        await rejects(
          first.store(artifactHead({ [field]: value }), pieces(someBytes(1))),
          ArtifactRefused,
          new RegExp(`^${field} must`),
        );
      }
    }
    const { media_type } = await first.store(
      artifactHead({ media_type: 'text/html; charset=utf-8' }),
      pieces(someBytes(1)),
    );
    assert.is(media_type, 'text/html; charset=utf-8');
  });

  test('a sweep removes no complete artifact and no upload in progress', async (first) => {
    const [there, coming] = [artifactHead(), artifactHead()];
    const content = someBytes(300_000);
    await first.store(there, pieces(content));
    async function* slowly(): AsyncGenerator<Uint8Array, void, undefined> {
      yield content.subarray(0, 290_000);
      await first.sweep();
      yield content.subarray(290_000);
    }
    await first.store(coming, slowly());
    assert.is(await first.sweep(), 0);
    for (const { id } of [there, coming]) assert.equal(await readAll(await first.read(id)), content);
  });

  contract('all artifacts can be iterated from the oldest to the newest', async () => {
    const own = await open(LIMITS);
    try {
      const stored: string[] = [];
      for (let minute = 0; minute < 12; minute++) {
        const created_at = `2026-05-04T10:${Math.floor(minute / 3)
          .toString()
          .padStart(2, '0')}:00.000Z`;
        stored.push((await own.artifacts.store(artifactHead({ created_at }), pieces(someBytes(1)))).id);
      }
      const seen: string[] = [];
      for await (const page of own.artifacts.all()) seen.push(...page.map(({ id }) => id));
      assert.equal([...seen].sort(), [...stored].sort());
      const times = await Promise.all(seen.map(async (id) => (await own.artifacts.find(id))?.created_at ?? ''));
      assert.equal(times, [...times].sort());
      assert.equal(await own.artifacts.usage(), { files: 12, bytes: 12 });
    } finally {
      await own.dispose();
    }
  });

  contract("an organization's artifact limit that is lower than the limit of a run applies to each file", async () => {
    const own = await open({ ...LIMITS, organizationBytes: 1_048_576 / 2, runBytes: 1_048_576 });
    try {
      const refusal = "A file can't be larger than what an organization can store, 524288 bytes (ARTIFACTS_LIMIT_MIB).";
      await rejects(own.artifacts.store(artifactHead(), pieces(someBytes(524_289))), ArtifactRefused, refusal);
      await own.artifacts.store(artifactHead(), pieces(someBytes(524_288)));
    } finally {
      await own.dispose();
    }
  });

  contract.run();
};
