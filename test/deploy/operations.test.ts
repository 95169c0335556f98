import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRegistry } from '../../http/metrics.ts';
import { outputTo } from '../../service/output.ts';
import { CHECK_METRICS } from '../../service/metrics/check-series.ts';
import { createProgram } from '../../cli/program.ts';
import { VARIABLES } from '../../service/config/variables.ts';
import { metricNames, ourMetrics } from './our-metrics.ts';
import { inProject, PROJECT } from './project.ts';

/** The pages for operators, including the runbooks. */
const pages = readdirSync(join(PROJECT, 'docs/operate'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, text: inProject(`docs/operate/${name}`) }));
const text = pages.map((page) => page.text).join('\n');
const writtenByHand = pages
  .filter(({ name }) => name !== 'command-line.md')
  .map((page) => page.text)
  .join('\n');

const prefixOf = (name: string): string => name.slice(0, name.indexOf('_'));

const test = suite('the pages of docs/operate');

test('the tables of metrics in docs/operate name every existing metric and no other', async () => {
  const ours = [...(await metricNames(ourMetrics())), ...CHECK_METRICS];
  const all = new Set([...ours, ...(await metricNames(createRegistry()))]);
  // Other tables of these pages name fields of files. Their prefixes differ from those of metrics, so these names are
  // ignored.
  const prefixes = new Set([...all].map(prefixOf));
  const named = [...text.matchAll(/^\| `([a-z]+_\w+)(?:\{[^}]*\})?`/gm)]
    .map(([, name = '']) => name)
    .filter((name) => prefixes.has(prefixOf(name)));
  assert.equal(
    ours.filter((name) => !named.includes(name)),
    [],
  );
  assert.equal(
    named.filter((name) => !all.has(name)),
    [],
  );
});

/** Environment variables that other programs define. */
const OF_OTHERS = [
  'HTTPS_PROXY',
  'LISTEN_FDS',
  'LISTEN_PID',
  'NO_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'OTEL_EXPORTER_OTLP_CERTIFICATE',
  'OTEL_EXPORTER_OTLP_COMPRESSION',
  'OTEL_RESOURCE_ATTRIBUTES',
  'UV_THREADPOOL_SIZE',
];

/**
 * Returns whether a command can run without a subcommand, such as `uptrail queue`. Commander has no public API for
 * this.
 */
const doesSomething = (command: object): boolean => (command as { _actionHandler?: unknown })._actionHandler != null;

test('the commands and options that docs/operate names exist', () => {
  const program = createProgram({}, outputTo(process.stdout), () => undefined);
  const lines = [...writtenByHand.matchAll(/(?<!\/)\buptrail ((?:[a-z]+)(?: [a-z][a-z-]*)?)([^`\n&|#]*)/g)];
  assert.ok(lines.length > 15);
  for (const [line, words = '', options = ''] of lines) {
    const [name, sub] = words.split(' ');
    const command = program.commands.find((candidate) => candidate.name() === name);
    if (!command) {
      // In `docker exec uptrail cat …` and `eventstoredb grant uptrail`, `uptrail` is a container and a user.
      assert.match(line, /^uptrail (cat|uptrail|help)/, `${line} is not a command`);
      continue;
    }
    const requested = command.commands.find((candidate) => candidate.name() === sub) ?? command;
    if (command.commands.length > 0 && !doesSomething(command)) assert.is.not(requested, command, line);
    for (const [option] of options.matchAll(/--[a-z-]+/g)) {
      assert.ok(
        requested.options.some(({ long }) => long === option),
        line,
      );
    }
  }
});

test('the variables that docs/operate names exist', () => {
  const ofCompose = ['compose.yaml', 'deploy/runner/compose.yaml'].flatMap((path) =>
    [...inProject(path).matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name),
  );
  const known = new Set<string>([...Object.values(VARIABLES).map(({ name }) => name), ...ofCompose, ...OF_OTHERS]);
  const named = [...text.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(([, name = '']) => name);
  assert.ok(named.length > 5);
  assert.equal(
    named.filter((name) => !known.has(name)),
    [],
  );
});

test.run();
