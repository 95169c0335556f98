import { once } from 'node:events';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createProgram } from '../../cli/program.ts';
import { escaped, outputTo, printable } from '../../service/output.ts';
import { collectLines } from '../service/lines.ts';
import { inTemporaryFolder } from '../service/temporary.ts';
import { eventually } from '../waiting.ts';
import { callApiExpecting, callApi, endPrograms, serve, uptrail, type RunningProgram } from './program.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';

/**
 * A text that clears the screen, sets the title, rings the bell, overwrites the line, and reverses, hides or tags what
 * follows.
 */
const HOSTILE = 'Ev\u001b[2J\u001b]0;title\u0007\r\u009b31m\u202eil\u200b\u2066\u00ad\ufeff\u{e0041}\u2028end';

const test = suite('texts with control characters for terminals');
test.after.each(endPrograms);

test('texts with control characters are printed escaped, and their JSON is unchanged', () => {
  assert.not.ok(/[^\x20-\x7e\ufffd]/.test(printable(HOSTILE)));
  assert.match(escaped(HOSTILE), /^[\x20-\x7e]+$/);
  assert.equal(JSON.parse(escaped(JSON.stringify({ [HOSTILE]: HOSTILE }))), { [HOSTILE]: HOSTILE });
  // Letters, marks and symbols of all scripts are unchanged.
  for (const text of ['Ämter – żółć', 'שלום', 'سلام', 'नमस्ते', '日本語', '👩🏽 ✅', '\u0601١٢']) {
    assert.is(printable(text), text);
    assert.is(escaped(text), text);
  }
});

interface World {
  organization: string;
  key: string;
  check: string;
  incident: string;
  user: string;
  folder: string;
}

/** Creates a resource of every kind that has a name. Each name is the hostile text. */
const named = async (program: RunningProgram): Promise<Omit<World, 'organization' | 'folder'>> => {
  const make = async <T = { id: string }>(status: number, path: string, body: object): Promise<T> =>
    callApiExpecting<T>(program, ADMIN_API_KEY, status, 'POST', path, body);
  const page = await make(200, '/v1/pages', { name: HOSTILE, headline: HOSTILE });
  const component = await make(201, `/v1/pages/${page.id}/components`, { name: HOSTILE });
  const incident = await make(201, `/v1/pages/${page.id}/incidents`, {
    ...{ name: HOSTILE, body: HOSTILE, status: 'investigating' },
    components: { [component.id]: 'major_outage' },
  });
  const { id: key } = await make(201, '/v1/api-tokens', { name: HOSTILE, role: 'viewer' });
  const check = await make(201, '/v1/checks', { name: HOSTILE, type: 'tcp', host: '127.0.0.1', port: 9, interval: 30 });
  const configuration = { url: 'http://127.0.0.1:9/' };
  const channel = await make(201, '/v1/alerts/channels', { name: HOSTILE, type: 'webhook', configuration });
  await make(201, '/v1/alerts/rules', {
    ...{ name: HOSTILE, check_id: check.id, condition: 'check_failed', channel_ids: [channel.id] },
  });
  await callApiExpecting(program, ADMIN_API_KEY, 202, 'POST', `/v1/checks/${check.id}/execute`);
  await eventually(
    async () => {
      const { body } = await callApi(program, ADMIN_API_KEY, 'GET', '/v1/alerts');
      return JSON.stringify(body).includes('Ev');
    },
    { within: 60_000, what: 'an alert is firing' },
  );
  return { key, check: check.id, incident: incident.id, user: 'ida@example.com' };
};

/** The arguments for each command; null for commands that print no names or do not end. */
const CALLS: Record<string, ((world: World) => string[]) | null> = {
  serve: null,
  api: null,
  site: null,
  'pages export': null,
  'runner create': null,
  'runner list': () => [],
  'runner rotate': () => ['runner000001'],
  'runner revoke': () => ['runner000001'],
  'runner release': () => ['eu-west1'],
  project: null,
  schedule: null,
  run: null,
  'organization create': () => ['--name', HOSTILE],
  'organization list': () => [],
  'organization credit-limit': ({ organization }) => [organization, '100'],
  'organization show': ({ organization }) => [organization],
  'organization rename': ({ organization }) => [organization, HOSTILE],
  'organization update': ({ organization }) => [organization, '--legal-name', HOSTILE],
  'organization subscribe': ({ organization }) => [organization, HOSTILE],
  plans: () => [],
  'api-key create': ({ organization }) => [
    ...['--organization', organization, '--role', 'viewer', '--name', HOSTILE],
    ...['--expires', '2090-01-01'],
  ],
  'api-key list': () => [],
  'api-key revoke': ({ key }) => [key],
  payments: () => [],
  'payments list': () => [],
  'payments settle': () => [HOSTILE],
  'payments cancel': () => [HOSTILE],
  'user create': ({ organization, user }) => [
    ...['--organization', organization, '--email', user, '--role', 'viewer', '--invite'],
    ...['--first-name', HOSTILE, '--last-name', HOSTILE],
  ],
  'user list': () => [],
  'user set-role': ({ user }) => [user, 'editor'],
  'user reset-password': ({ user }) => [user],
  'user disable-second-factor': ({ user }) => [user],
  'user remove': ({ user }) => [user],
  'user forget': ({ user }) => [user],
  history: ({ incident }) => ['incident', incident],
  replay: () => [],
  checks: () => [],
  alerts: () => [],
  queue: () => [],
  'queue release': ({ check }) => [check],
  projections: () => [],
  rebuild: () => ['pages', '--verify'],
  backup: ({ folder }) => [join(folder, 'copy')],
  restore: () => [HOSTILE],
  verify: () => [],
  retention: () => [],
  'retention confirm': () => [],
  reactors: () => [],
  'reactors retry': () => [HOSTILE],
  'reactors resume': () => [],
  'keys export': ({ folder }) => [join(folder, 'keys.jsonl')],
  'keys import': () => [HOSTILE],
  'keys new': () => [],
  'keys forget': () => [HOSTILE],
  'audit head': () => [],
  'audit verify': () => ['--head', HOSTILE],
  deliveries: () => [],
  'deliveries retry': () => [HOSTILE],
  bounce: null,
  notifications: () => [],
  'notifications retry': () => [HOSTILE],
  export: ({ folder }) => [join(folder, 'export')],
  import: () => [HOSTILE],
  probe: () => ['tcp', HOSTILE],
  'eventstoredb grant': null,
};

interface Callable {
  path: string;
  json: boolean;
}

/** Returns the commands that have an action, including nested ones. */
const callable = (command: Command, path: readonly string[] = []): Callable[] => {
  const below = command.commands.flatMap((one) => callable(one, [...path, one.name()]));
  const acts = (command as unknown as { _actionHandler: unknown })._actionHandler !== null && path.length > 0;
  const json = command.options.some(({ long }) => long === '--json');
  return acts ? [{ path: path.join(' '), json }, ...below] : below;
};

/** Commands that listen for signals. Each call runs in its own process. */
const LISTENS: readonly string[] = [
  ...['replay', 'rebuild', 'audit head', 'audit verify', 'export', 'import', 'probe'],
];

/** Returns whether a line contains characters that could control a terminal, hide text, or reverse text. */
const isUnsafe = (line: string): boolean => printable(line) !== line;

test(
  'no command prints control characters from names, neither in texts nor in JSON',
  inTemporaryFolder(async (folder) => {
    const environment = { DATA_DIR: join(folder, 'data'), ADMIN_API_KEY };
    const program = await serve({ ...environment });
    const organizations = await callApiExpecting<{ id: string }[]>(
      program,
      ADMIN_API_KEY,
      200,
      'GET',
      '/v1/organizations',
    );
    const world: World = { folder, organization: organizations[0]?.id ?? '', ...(await named(program)) };
    let shown = 0;
    const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
    for (const { path, json } of callable(createProgram({}, collectLines(), () => undefined))) {
      assert.ok(path in CALLS, `How is "uptrail ${path}" called?`);
      const parameters = CALLS[path]?.(world);
      if (!parameters) continue;
      const words = ['node', 'uptrail', ...path.split(' '), ...parameters];
      if (LISTENS.includes(path)) {
        const { stdout, stderr } = await uptrail(environment, ...words.slice(2));
        for (const line of `${stdout}\n${stderr}`.split('\n')) assert.not.ok(isUnsafe(line), `${path}: ${line}`);
        if (stdout.includes('Ev\ufffd') || stdout.includes('Ev\\u001b')) shown += 1;
        continue;
      }

      const output = collectLines();
      await createProgram(environment, output, () => undefined)
        .parseAsync(words)
        .catch((error: unknown) => sentenceOf(error));
      // This part of the test skips lines of JSON, which are escaped only when they are written. The part below tests
      // them.
      const lines = output.lines.filter((line) => !line.startsWith('{'));
      for (const line of lines.flatMap((one) => one.split('\n'))) assert.not.ok(isUnsafe(line), `${path}: ${line}`);
      if (lines.some((line) => line.includes('Ev\ufffd'))) shown += 1;

      if (!json) continue;
      const stream = new PassThrough();
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      await createProgram(environment, outputTo(stream), () => undefined)
        .parseAsync([...words, '--json'])
        .catch((error: unknown) => sentenceOf(error));
      stream.end();
      await once(stream, 'end');
      for (const line of Buffer.concat(chunks).toString().split('\n')) {
        assert.not.ok(isUnsafe(line), `${path} --json: ${line}`);
        if (line !== '') JSON.parse(line);
      }
    }
    assert.ok(shown >= 7, `Only ${shown} commands have shown the texts.`);
  }),
);

test.run();
