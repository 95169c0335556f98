import type { Collection } from 'mongodb';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { StoredDocument } from '../../../../stores/read-store/mongodb/stored-document.ts';
import { Gathering } from '../../../../stores/read-store/mongodb/gathering.ts';
import { rejects } from '../../../rejects.ts';

const test = suite('Reads of documents by id');

/** A collection in which every id but `absent` has a document, and what it was asked. */
const collection = (name = 'things') => {
  const asked: string[][] = [];
  const fails: Error[] = [];
  const documents = {
    collectionName: name,
    find: ({ _id }: { _id: { $in: string[] } }) => ({
      toArray: async () => {
        asked.push(_id.$in);
        const failure = fails.shift();
        if (failure) throw failure;
        return _id.$in.filter((id) => id !== 'absent').map((id) => ({ _id: id, document: { id, list: [1] } }));
      },
    }),
  };
  return { asked, fails, documents: documents as unknown as Collection<StoredDocument> };
};

test('that are asked for in one turn of the event loop are one question', async () => {
  const { asked, documents } = collection();
  const gathering = new Gathering();
  const [one, two, three] = await Promise.all([
    gathering.find(documents, ['a', 'b']),
    gathering.find(documents, ['b', 'absent']),
    gathering.find(documents, []),
  ]);
  assert.equal(asked, [['a', 'b', 'absent']]);
  assert.equal([...one.keys()], ['a', 'b']);
  assert.equal([...two.keys()], ['b']);
  assert.is(three.size, 0);
  await gathering.find(documents, ['a']);
  assert.is(asked.length, 2, 'who asks later gets what is there later');
});

test('of different collections are questions of their own', async () => {
  const [things, others] = [collection('things'), collection('others')];
  const gathering = new Gathering();
  await Promise.all([gathering.find(things.documents, ['a']), gathering.find(others.documents, ['b'])]);
  assert.equal([things.asked, others.asked], [[['a']], [['b']]]);
});

test('give each who asks an object of his own', async () => {
  const { documents } = collection();
  const gathering = new Gathering();
  const found = await Promise.all([1, 2, 3].map(() => gathering.find(documents, ['a'])));
  for (const each of found) {
    const document = each.get('a')?.document as { list: number[] };
    assert.equal(document.list, [1]);
    document.list.push(2);
  }
});

test('are several questions where there are very many ids', async () => {
  const { asked, documents } = collection();
  const gathering = new Gathering();
  const ids = Array.from({ length: 2_500 }, (_, index) => index.toString());
  const found = await Promise.all(ids.map((id) => gathering.find(documents, [id])));
  assert.is(found.filter((each, index) => each.has(index.toString())).length, 2_500);
  assert.equal(
    asked.map(({ length }) => length),
    [1_000, 1_000, 500],
  );
});

test('that fail, fail for all who have asked, and for nobody else', async () => {
  const { fails, documents } = collection();
  fails.push(new RangeError('broken'));
  const gathering = new Gathering();
  await Promise.all([
    rejects(gathering.find(documents, ['a']), RangeError),
    rejects(gathering.find(documents, ['b']), RangeError),
  ]);
  assert.is((await gathering.find(documents, ['a'])).size, 1);
});

test.run();
