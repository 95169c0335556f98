import type { Collection } from 'mongodb';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { StoredDocument } from '../../../../stores/read-store/mongodb/stored-document.ts';
import { BatchedReads } from '../../../../stores/read-store/mongodb/batched-reads.ts';
import { rejects } from '../../../rejects.ts';

const test = suite('Reads of documents by id');

/** Creates a collection and records its queries. Every id except `absent` has a document. */
const collection = (name = 'things') => {
  const queries: string[][] = [];
  const fails: Error[] = [];
  const documents = {
    collectionName: name,
    find: ({ _id }: { _id: { $in: string[] } }) => ({
      toArray: async () => {
        queries.push(_id.$in);
        const failure = fails.shift();
        if (failure) throw failure;
        return _id.$in.filter((id) => id !== 'absent').map((id) => ({ _id: id, document: { id, list: [1] } }));
      },
    }),
  };
  return { queries, fails, documents: documents as unknown as Collection<StoredDocument> };
};

test('reads by id in one iteration of the event loop share one query', async () => {
  const { queries, documents } = collection();
  const gathering = new BatchedReads();
  const [one, two, three] = await Promise.all([
    gathering.find(documents, ['a', 'b']),
    gathering.find(documents, ['b', 'absent']),
    gathering.find(documents, []),
  ]);
  assert.equal(queries, [['a', 'b', 'absent']]);
  assert.equal([...one.keys()], ['a', 'b']);
  assert.equal([...two.keys()], ['b']);
  assert.is(three.size, 0);
  await gathering.find(documents, ['a']);
  assert.is(queries.length, 2, 'a later read gets the later state');
});

test('reads by id of different collections are separate queries', async () => {
  const [things, others] = [collection('things'), collection('others')];
  const gathering = new BatchedReads();
  await Promise.all([gathering.find(things.documents, ['a']), gathering.find(others.documents, ['b'])]);
  assert.equal([things.queries, others.queries], [[['a']], [['b']]]);
});

test('concurrent reads of the same id get separate objects', async () => {
  const { documents } = collection();
  const gathering = new BatchedReads();
  const found = await Promise.all([1, 2, 3].map(() => gathering.find(documents, ['a'])));
  for (const each of found) {
    const document = each.get('a')?.document as { list: number[] };
    assert.equal(document.list, [1]);
    document.list.push(2);
  }
});

test('reads of very many ids are split into several queries', async () => {
  const { queries, documents } = collection();
  const gathering = new BatchedReads();
  const ids = Array.from({ length: 2_500 }, (_, index) => index.toString());
  const found = await Promise.all(ids.map((id) => gathering.find(documents, [id])));
  assert.is(found.filter((each, index) => each.has(index.toString())).length, 2_500);
  assert.equal(
    queries.map(({ length }) => length),
    [1_000, 1_000, 500],
  );
});

test('a failed read by id fails for its own callers only', async () => {
  const { fails, documents } = collection();
  fails.push(new RangeError('broken'));
  const gathering = new BatchedReads();
  await Promise.all([
    rejects(gathering.find(documents, ['a']), RangeError),
    rejects(gathering.find(documents, ['b']), RangeError),
  ]);
  assert.is((await gathering.find(documents, ['a'])).size, 1);
});

test.run();
