import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addedFiles, copyWith, runNode, type Edit } from '../copy.ts';
import { inProject } from '../../project.ts';

/**
 * The edits that add a resource, as docs/develop/add-resource.md says. The new files are in `added/`. If any other file
 * of the product had to change for a resource, a test of this file would fail.
 */
const EDITS: readonly Edit[] = [
  {
    file: 'domain/event-types.ts',
    lines: [
      { before: 'import { organizationEvents }', line: "import { noteEvents } from './note/events.ts';" },
      { before: '  check_results: checkResultEvents,', line: '  note: noteEvents,' },
    ],
  },
  {
    file: 'projections/index.ts',
    lines: [
      { before: 'import { organizations }', line: "import { notes } from './notes/projection.ts';" },
      { before: '  checks,', line: '  notes,' },
    ],
  },
  {
    file: 'api/permissions.ts',
    lines: [
      { before: "  'organizations.read'", line: "  'notes.read': READERS," },
      { before: "  'organizations.read'", line: "  'notes.write': EDITORS," },
    ],
  },
  {
    file: 'api/v1/index.ts',
    lines: [
      { before: 'import { organizationRoutes }', line: "import { noteRoutes } from './notes/routes.ts';" },
      { before: '  ...organizationRoutes,', line: '  ...noteRoutes,' },
    ],
  },
];

const test = suite('adding a resource');
const copy = copyWith('test/drills/notes', EDITS);
test.after(() => {
  copy.remove();
});

const PAGE = 'docs/develop/add-resource.md';
const page = readFileSync(inProject(PAGE), 'utf8');
const inCopy = (file: string): string => readFileSync(join(copy.folder, file), 'utf8');

test('a new resource needs at most eight new files and edits in four files, and CONTRIBUTING.md names each of them', () => {
  const added = addedFiles('test/drills/notes');
  assert.ok(added.length <= 8, added.join(', '));
  assert.ok(EDITS.length <= 4);
  const places = [
    ...added.map((file) => file.replace(/\bnotes?\b/g, (name) => `<${name}>`)),
    ...EDITS.map(({ file }) => file),
  ];
  for (const place of places) assert.ok(page.includes(`\`${place}\``), `${PAGE} does not name ${place}.`);
});

test('a product with a new resource compiles', async () => {
  await runNode(copy.folder, 'node_modules/typescript/bin/tsc', '--noEmit', '--project', 'tsconfig.drill.json');
});

test('a product with a new resource obeys the import rules', async () => {
  await runNode(
    copy.folder,
    'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    'domain',
    'commands',
    'projections',
    'queries',
    'api',
    '--output-type',
    'err',
  );
});

test('a new resource is generated into the catalogue, the golden events, OpenAPI and the table of permissions', async () => {
  await runNode(copy.folder, 'build.cjs', '--tests');
  await runNode(copy.folder, 'build/test/generate.js');
  assert.match(inCopy('domain/catalogue.json'), '"NoteCreated"');
  for (const type of ['NoteCreated', 'NoteUpdated', 'NoteDeleted']) {
    assert.ok(existsSync(join(copy.folder, `test/golden/events/note/${type}@1.json`)), type);
  }
  const { paths } = JSON.parse(inCopy('docs/reference/openapi.json')) as { paths: Record<string, object> };
  assert.equal(Object.keys(paths['/v1/notes'] ?? {}), ['get', 'post']);
  assert.equal(Object.keys(paths['/v1/notes/{note_id}'] ?? {}), ['get', 'put', 'patch', 'delete']);
  assert.match(inCopy('docs/reference/permissions.md'), '`notes.write`');
});

for (const file of [
  ...addedFiles('test/drills/notes').filter((added) => added.endsWith('.test.ts')),
  'test/drills/notes/proof.ts',
  'test/api/every-route.test.ts',
  'test/golden/golden.test.ts',
  'test/generated.test.ts',
]) {
  test(`a product with a new resource passes ${file}`, async () => {
    await runNode(copy.folder, `build/${file.replace(/\.ts$/, '.js')}`);
  });
}

test.run();
