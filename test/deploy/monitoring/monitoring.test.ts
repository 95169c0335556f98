import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { createRegistry } from '../../../http/metrics.ts';
import { CHECK_METRICS } from '../../../service/metrics/check-series.ts';
import { watchUnserved } from '../../../service/run/unserved-checks.ts';
import { ourMetrics } from '../our-metrics.ts';
import { inProject, isInstalled, PROJECT, run, testWith } from '../project.ts';
import { ALERT_SAMPLES, MINUTES } from './alert-samples.ts';
import { metricsIn } from './promql.ts';

interface Rule {
  alert: string;
  expr: string;
  annotations: { summary: string; runbook: string };
}
interface Panel {
  id: number;
  title: string;
  type: string;
  gridPos: { h: number; w: number; x: number; y: number };
  targets?: { expr: string }[];
}
interface Dashboard {
  panels: Panel[];
  templating: { list: { query: string | { query: string } }[] };
}

const RULES = 'deploy/prometheus/uptrail.rules.yml';
const { groups } = parse(inProject(RULES)) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(inProject('deploy/grafana/uptrail.json')) as Dashboard;
const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/** Returns the names of all series that a process can expose. */
const exposed = async (): Promise<Set<string>> => {
  const ofDuties = new Registry();
  const { stop } = watchUnserved({
    readers: { for: () => () => ({}) as never },
    served: () => Promise.reject(new Error('There are no runners.')),
    clock: () => 0,
    registry: ofDuties,
    logger: { info: () => undefined, warn: () => undefined },
  });
  stop();
  const declared = await Promise.all(
    [ourMetrics(), createRegistry(), ofDuties].map((registry) => registry.getMetricsAsJSON()),
  );
  const names = declared.flat().flatMap(({ name, type }) =>
    // The types of prom-client say that this is a number, but it is the name of the type.
    String(type) === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${name}_${part}`) : [name],
  );
  // Only a cluster has this gauge, which needs a connection to MongoDB.
  assert.match(inProject('service/cluster/store-clock.ts'), "name: 'clock_skew_seconds'");
  // Prometheus itself adds `up`.
  return new Set([...names, ...CHECK_METRICS, 'clock_skew_seconds', 'up']);
};

const test = suite('the dashboard and the alerting rules');

test('metrics are found in expressions of PromQL', () => {
  assert.equal(metricsIn('max by (le) (rate(a_total{b="c"}[5m])) / on (d) group_left (e) f > 0 and vector(1)'), [
    'a_total',
    'f',
  ]);
});

test('every metric in the alerting rules exists', async () => {
  const names = await exposed();
  const used = rules.flatMap(({ expr }) => metricsIn(expr));
  assert.ok(used.length > 30);
  assert.equal(
    used.filter((name) => !names.has(name)),
    [],
  );
});

test('every metric in the dashboard exists', async () => {
  const names = await exposed();
  const ofVariables = dashboard.templating.list.flatMap(({ query }) =>
    typeof query === 'string' ? [] : (/^label_values\((\w+)/.exec(query.query)?.slice(1) ?? []),
  );
  const used = [...queries.flatMap(metricsIn), ...ofVariables];
  assert.ok(used.length > 40);
  assert.equal(
    used.filter((name) => !names.has(name)),
    [],
  );
});

test('every alerting rule names an existing page as its runbook', () => {
  assert.equal(
    rules.filter(({ annotations }) => !existsSync(join(PROJECT, annotations.runbook))),
    [],
  );
});

test('every panel of the dashboard has its own id and place', () => {
  const ids = dashboard.panels.map(({ id }) => id);
  assert.is(new Set(ids).size, ids.length);
  const cells = dashboard.panels.flatMap(({ gridPos: { h, w, x, y } }) =>
    Array.from({ length: h * w }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
  );
  assert.is(new Set(cells).size, cells.length);
});

test('every alerting rule has a sample', () => {
  assert.equal(
    rules.map(({ alert }) => alert),
    ALERT_SAMPLES.map(({ alert }) => alert),
  );
});

const withPromtool = testWith(test, await isInstalled('promtool'));

/** Runs promtool on files in a temporary folder, and fails with its output if it refuses them. */
const accepted = async (command: readonly string[], content: object): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-promtool-'));
  try {
    // Every JSON document is a YAML document.
    const file = join(folder, 'file.yml');
    writeFileSync(file, JSON.stringify(content));
    const { code, output } = await run('promtool', [...command, file]);
    assert.is(code, 0, output);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

withPromtool('promtool accepts the alerting rules', async () => {
  const { code, output } = await run('promtool', ['check', 'rules', join(PROJECT, RULES)]);
  assert.is(code, 0, output);
  assert.match(output, `SUCCESS: ${rules.length} rules found`);
});

withPromtool('promtool accepts the queries of the dashboard', async () => {
  const rules = queries.map((query, index) => ({
    record: `query_${index}`,
    expr: query.replaceAll('$__rate_interval', '5m'),
  }));
  await accepted(['check', 'rules'], { groups: [{ name: 'queries', rules }] });
});

withPromtool('every alert fires with its problem, and does not fire without it', async () => {
  const at = `${MINUTES}m`;
  const tests = ALERT_SAMPLES.flatMap(({ alert, firing, quiet }) =>
    [firing, quiet].map((series) => ({
      interval: '1m',
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      promql_expr_test: [
        {
          expr: `count by (alertname) (ALERTS{alertname="${alert}",alertstate="firing"})`,
          eval_time: at,
          exp_samples: series === firing ? [{ labels: `{alertname="${alert}"}`, value: 1 }] : [],
        },
      ],
    })),
  );
  await accepted(['test', 'rules'], { rule_files: [join(PROJECT, RULES)], evaluation_interval: '1m', tests });
});

withPromtool('an alert on a check names the check once, however many processes expose it', async () => {
  const labels = { check: 'check0000001', name: 'Shop', type: 'web', group: 'Shops', organization: 'Acme' };
  const ofCheck = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  const input_series = ['one', 'two'].map((instance) => ({
    series: `uptrail_check_up{job="uptrail",instance="${instance}",${ofCheck.join(',')}}`,
    values: '1+0x9 0+0x10',
  }));
  const alert_rule_test = [
    { alertname: 'UptrailCheckDown', eval_time: '9m', exp_alerts: [] },
    {
      alertname: 'UptrailCheckDown',
      eval_time: '15m',
      exp_alerts: [
        {
          exp_labels: { ...labels, severity: 'critical' },
          exp_annotations: { summary: 'The check Shop is down.', runbook: 'docs/operate/watch.md' },
        },
      ],
    },
  ];
  await accepted(['test', 'rules'], {
    rule_files: [join(PROJECT, RULES)],
    evaluation_interval: '1m',
    tests: [{ interval: '1m', input_series, alert_rule_test }],
  });
});

test.run();
