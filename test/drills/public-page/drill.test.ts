import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { request, type TestRequest } from '../../api/http.ts';
import { callApi, endPrograms, programBuiltIn, startOne, type RunningProgram } from '../../e2e/program.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { addedFiles, copyWith, runNode, type Edit } from '../copy.ts';
import { inProject } from '../../project.ts';

const DRILL = 'test/drills/public-page';

const PAGE = 'docs/develop/add-visitor-pages.md';

/** The edits that add pages for visitors, as the document `PAGE` describes. The new files are in `added/`. */
const EDITS: readonly Edit[] = [
  {
    file: 'site/endpoints.ts',
    lines: [
      { before: 'import { styleRoutes }', line: "import { statusPageRoutes } from './status-page/routes.ts';" },
      { before: '  ...styleRoutes', line: '  ...statusPageRoutes,' },
    ],
  },
];

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

const drill = suite('adding pages for visitors');
const copy = copyWith(DRILL, EDITS);
drill.after(() => {
  copy.remove();
});
drill.after.each(endPrograms);

drill('new pages for visitors need one folder and one line of a list, and the documentation names each of them', () => {
  const page = readFileSync(inProject(PAGE), 'utf8');
  const added = addedFiles(DRILL).map((file) => file.replace('status-page', '<pages>'));
  assert.equal(added, ['site/<pages>/page.ts', 'site/<pages>/routes.ts']);
  for (const place of [...added, ...EDITS.map(({ file }) => file)])
    assert.ok(page.includes(`\`${place}\``), `${PAGE} does not name ${place}.`);
});

drill('a product with new pages for visitors compiles', async () => {
  await runNode(copy.folder, 'node_modules/typescript/bin/tsc', '--noEmit', '--project', 'tsconfig.drill.json');
});

drill(
  'a product with new pages for visitors obeys the import rules, although the site uses nothing of the API',
  async () => {
    await runNode(
      copy.folder,
      'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
      'site',
      'service',
      'http',
      '--output-type',
      'err',
    );
  },
);

drill(
  'a visitor of a new page sees it, reports a problem, and receives the change in the event stream',
  inTemporaryFolder(async (folder) => {
    const environment = { DATA_DIR: join(folder, 'data'), ADMIN_API_KEY };
    const program = await startOne(['serve'], environment, programBuiltIn(copy.folder));
    const visit = (sent: TestRequest) => request(Number(new URL(program.address).port), sent);
    const page = await make(program, { name: 'Shop <b>' });

    await isSeen(visit, page);
    await isNotSeen(visit, await make(program, { name: 'Ours', viewers_must_be_team_members: true }));
    const watched = await watch(program, page);
    await isToldOf(program, visit, page);
    assert.is(await watched.next(), 'event: incidents\ndata: 1\n\n');
    const ended = watched.ended();
    await program.end('SIGTERM');
    assert.ok(await ended, 'the stream was cut off');
  }),
);

type Visit = (sent: TestRequest) => ReturnType<typeof request>;

const make = async (program: RunningProgram, body: object): Promise<string> =>
  ((await callApi(program, ADMIN_API_KEY, 'POST', '/v1/pages', body)).body as { id: string }).id;

const isSeen = async (visit: Visit, page: string): Promise<void> => {
  const path = `/notices/${page}`;
  const shown = await visit({ path, headers: { accept: BROWSER } });
  assert.is(shown.status, 200, shown.text);
  assert.match(shown.text, '<h1>Shop &lt;b&gt;</h1>');
  const { headers } = shown;
  assert.is(headers['content-type'], 'text/html; charset=utf-8');
  assert.is(headers['x-content-type-options'], 'nosniff');
  assert.is(headers['cache-control'], 'no-cache');
  assert.match(String(headers['content-security-policy']), "default-src 'none';script-src 'self'");
  assert.match(String(headers['content-security-policy']), "form-action 'self';base-uri 'none';frame-ancestors 'none'");
  const head = await visit({ method: 'HEAD', path });
  assert.equal([head.status, head.text, head.headers.etag], [200, '', headers.etag]);
  assert.is((await visit({ path, headers: { 'if-none-match': headers.etag ?? '' } })).status, 304);
  assert.is((await visit({ path, headers: { accept: 'application/json' } })).status, 406);
};

/** Asserts that visitors can't distinguish a hidden page from an absent one. */
const isNotSeen = async (visit: Visit, hidden: string): Promise<void> => {
  const visited = (page: string) => visit({ path: `/notices/${page}`, headers: { accept: BROWSER } });
  const [one, other] = await Promise.all([visited(hidden), visited('k3v9x0q2m7ab')]);
  assert.is(one.status, 404);
  assert.is(one.headers['content-type'], 'text/html; charset=utf-8');
  assert.match(one.text, '<p class="error">');
  assert.not.match(one.text, 'Ours');
  assert.is(one.text, other.text);
};

const isToldOf = async (program: RunningProgram, visit: Visit, page: string): Promise<void> => {
  const tell = (body: string) =>
    visit({
      method: 'POST',
      path: `/notices/${page}/problems`,
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: BROWSER, 'user-agent': 'Mozilla/5.0' },
    });
  const empty = await tell('what=');
  assert.is(empty.status, 422);
  assert.match(String(empty.headers['content-type']), 'text/html');
  const reported = await tell('what=The+door+%3Cis%3E+shut');
  assert.equal([reported.status, reported.headers.location], [303, `/notices/${page}`], reported.text);
  assert.match((await visit({ path: `/notices/${page}` })).text, '<li>The door &lt;is&gt; shut</li>');
  type AuditLogs = { audit_logs: { actor_type: string; actor_id: string; ip_address: string; user_agent: string }[] };
  let entry: AuditLogs['audit_logs'][number] | undefined;
  while (!entry) {
    const audit = await callApi(program, ADMIN_API_KEY, 'GET', '/v1/audit?action=incident.created');
    [entry] = (audit.body as AuditLogs).audit_logs;
  }
  assert.equal(
    [entry.actor_type, entry.actor_id, entry.ip_address, entry.user_agent],
    ['system', 'public', '127.0.0.1', 'Mozilla/5.0'],
  );
};

/** Opens the event stream of a page, and waits for its first event. */
const watch = async (program: RunningProgram, page: string) => {
  const requested = get(`${program.address}/notices/${page}/changes`, { headers: { accept: 'text/event-stream' } });
  const [incoming] = (await once(requested, 'response')) as [IncomingMessage];
  assert.is(incoming.headers['content-type'], 'text/event-stream');
  const output = incoming[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const next = async (): Promise<string> => {
    const piece = await output.next();
    return piece.done ? '' : piece.value.toString();
  };
  assert.is(await next(), 'event: incidents\ndata: 0\n\n');
  return {
    next,
    /** Returns whether the stream ended as expected. */
    ended: async (): Promise<boolean> => (await next()) === '' && incoming.complete,
  };
};

drill.run();
