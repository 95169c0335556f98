import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { indexedFields } from '../../../../stores/read-store/indexes.ts';
import type { CollectionDeclaration, Query, Where } from '../../../../stores/read-store/port.ts';
import { openGenerationFiles } from '../../../../stores/read-store/sqlite/generation-files.ts';
import { openSqliteReadStore } from '../../../../stores/read-store/sqlite/open.ts';
import { countSql, findSql, sweepSql, type Sql } from '../../../../stores/read-store/sqlite/query.ts';
import { temporaryDirectory } from '../../temporary.ts';

const DECLARATION: CollectionDeclaration = {
  indexes: [{ page_id: 1, created_at: -1 }, { page_id: 1, resolved: 1, created_at: -1 }, { name: 1 }],
  expires: { field: 'created_at' },
};
const GENERATION = { projection: 'incidents@1', number: 1 };
const DOCUMENTS = 12_000;

const test = suite('query plans of SQLite with 12,000 documents');
const { directory, remove } = temporaryDirectory();
const files = openGenerationFiles({ directory, mode: 'reader' });

test.before(async () => {
  const store = openSqliteReadStore({ directory, mode: 'writer' });
  await store.open(GENERATION, { incidents: DECLARATION }, { deferIndexes: true });
  const writes = Array.from({ length: DOCUMENTS }, (_, index) => {
    const put = {
      id: `i${(index * 7_919) % DOCUMENTS}`,
      page_id: `p${index % 3}`,
      created_at: `2026-${index.toString().padStart(6, '0')}`,
      resolved: index % 10 > 0,
      name: `Name ${index}`,
      status: index % 2 ? 'monitoring' : 'resolved',
    };
    return { put };
  });
  await store.commit(GENERATION, { incidents: writes }, { log_id: 'l', position: 1n, event_id: null });
  await store.buildIndexes(GENERATION);
  await store.close();
});

test.after(() => {
  files.close();
  remove();
});

const TABLE = { name: '"documents_incidents"', indexed: new Set(indexedFields(DECLARATION)) };

/**
 * Returns the steps of SQLite's query plan, such as `SEARCH … USING INDEX incidents(name) …` or `USE TEMP B-TREE FOR
 * ORDER BY`.
 */
const planOf = ({ text, parameters }: Sql): string[] =>
  files
    .of(GENERATION)
    .connection.prepare(`EXPLAIN QUERY PLAN ${text}`)
    .all(...parameters)
    .map((row) => (row as { detail: string }).detail);

const BY_PAGE = 'incidents(page_id, created_at desc)';
const BY_PAGE_AND_STATE = 'incidents(page_id, resolved, created_at desc)';

const PAGES: { title: string; query: Query; step: string }[] = [
  {
    title: 'a page of a list, newest first',
    query: { where: { page_id: 'p1' }, sort: { created_at: -1 }, limit: 20 },
    step: `SEARCH documents_incidents USING INDEX ${BY_PAGE} (<expr>=?)`,
  },
  {
    title: 'a later page of a list',
    query: { where: { page_id: 'p1' }, sort: { created_at: -1 }, skip: 2_000, limit: 20 },
    step: `SEARCH documents_incidents USING INDEX ${BY_PAGE} (<expr>=?)`,
  },
  {
    title: 'a list in the opposite order',
    query: { where: { page_id: 'p1' }, sort: { created_at: 1 }, limit: 20 },
    step: `SEARCH documents_incidents USING INDEX ${BY_PAGE} (<expr>=?)`,
  },
  {
    title: 'a range of time, from both ends',
    query: {
      where: { page_id: 'p1', created_at: { $gte: '2026-00', $lt: '2026-01' } },
      sort: { created_at: -1 },
      limit: 20,
    },
    step: `SEARCH documents_incidents USING INDEX ${BY_PAGE} (<expr>=? AND <expr>>? AND <expr><?)`,
  },
  {
    title: 'two equalities, one of them a boolean',
    query: { where: { page_id: 'p1', resolved: false }, sort: { created_at: -1 }, limit: 20 },
    step: `SEARCH documents_incidents USING INDEX ${BY_PAGE_AND_STATE} (<expr>=? AND <expr>=?)`,
  },
  {
    title: 'an equality with null',
    query: { where: { page_id: 'p1', resolved: null }, sort: { created_at: -1 }, limit: 20 },
    step: `SEARCH documents_incidents USING INDEX ${BY_PAGE_AND_STATE} (<expr>=? AND <expr>=?)`,
  },
  {
    title: 'a list of everything in the order of an index',
    query: { sort: { name: 1 }, skip: 40, limit: 20 },
    step: 'SCAN documents_incidents USING INDEX incidents(name)',
  },
  {
    title: 'all names after a name',
    query: { where: { name: { $gt: 'Name 5' } }, sort: { name: 1 }, limit: 20 },
    step: 'SEARCH documents_incidents USING INDEX incidents(name) (<expr>>? AND <expr><?)',
  },
  {
    title: 'a document by its id',
    query: { where: { id: 'i7' } },
    step: 'SEARCH documents_incidents USING INDEX sqlite_autoindex_documents_incidents_1 (id=?)',
  },
];

for (const { title, query, step } of PAGES) {
  test(`SQLite gets both the documents and their order from an index for ${title}`, () => {
    assert.equal(planOf(findSql(TABLE, query)), [step]);
  });
}

test('SQLite uses the index of the sort order for a query whose condition has no index', () => {
  for (const condition of [
    { status: 'resolved' },
    { status: { $in: ['resolved', 'none'] } },
    { name: { $contains: 'e 7' } },
  ]) {
    const plan = planOf(
      findSql(TABLE, { where: { page_id: 'p1', ...condition }, sort: { created_at: -1 }, limit: 20 }),
    );
    assert.is(plan[0], `SEARCH documents_incidents USING INDEX ${BY_PAGE} (<expr>=?)`);
    assert.not.ok(
      plan.some((step) => step.includes('ORDER BY')),
      plan.join('\n'),
    );
  }
});

test('SQLite uses an index for $in', () => {
  const plan = planOf(findSql(TABLE, { where: { name: { $in: ['Name 1', 'Name 2', 'Name 3'] } } }));
  assert.is(plan[0], 'SEARCH documents_incidents USING INDEX incidents(name) (<expr>=?)');
});

test('SQLite uses an index for each branch of $or', () => {
  const plan = planOf(findSql(TABLE, { where: { $or: [{ page_id: 'p1' }, { name: 'Name 7' }] } }));
  assert.ok(plan.includes('MULTI-INDEX OR'), plan.join('\n'));
  assert.not.ok(
    plan.some((step) => step.startsWith('SCAN documents')),
    plan.join('\n'),
  );
});

test('SQLite counts documents by reading only an index', () => {
  const wheres: Where[] = [{ page_id: 'p1' }, { page_id: 'p1', resolved: true }, { name: { $gte: 'Name 9' } }, {}];
  for (const where of wheres) {
    const plan = planOf(countSql(TABLE, where));
    assert.is(plan.length, 1);
    assert.match(plan[0] ?? '', /USING COVERING INDEX/);
  }
});

test('SQLite reads only an index for a query whose fields are all in the index, in the order of the index', () => {
  const query: Query = {
    where: { page_id: 'p1', resolved: true, created_at: { $gte: '2026-01' } },
    sort: { created_at: -1 },
    fields: ['page_id', 'created_at'],
  };
  assert.equal(planOf(findSql(TABLE, query)), [
    `SEARCH documents_incidents USING COVERING INDEX ${BY_PAGE_AND_STATE} (<expr>=? AND <expr>=? AND <expr>>? AND <expr><?)`,
  ]);
});

test('SQLite finds the oldest documents for a sweep by the index that is created automatically for the expiry', () => {
  const plan = planOf({ text: sweepSql(TABLE, 'created_at'), parameters: ['2026-01', 100] });
  assert.ok(
    plan.includes('SEARCH documents_incidents USING COVERING INDEX incidents(created_at) (<expr>>? AND <expr><?)'),
    plan.join('\n'),
  );
  assert.not.ok(
    plan.some((step) => step.includes('ORDER BY')),
    plan.join('\n'),
  );
});

test('SQLite indexes that are no longer declared are removed, and newly declared ones are created', async () => {
  const store = openSqliteReadStore({ directory, mode: 'writer' });
  const generation = { projection: 'incidents@1', number: 2 };
  const names = () =>
    files
      .of(generation)
      .connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name")
      .pluck()
      .all();
  await store.open(generation, { things: { indexes: [{ a: 1 }, { b: 1, c: -1 }] } });
  assert.equal(names(), ['things(a)', 'things(b, c desc)']);
  await store.open(generation, { things: { indexes: [{ a: -1 }, { b: 1, c: -1 }] } });
  assert.equal(names(), ['things(a desc)', 'things(b, c desc)']);
  await store.close();
});

test.run();
