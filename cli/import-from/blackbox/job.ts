import { bounded } from '../mapping/bounds.ts';
import type { Draft } from '../mapping/draft.ts';
import {
  durationIn,
  listIn,
  mappingIn,
  mappingsIn,
  requiredTextIn,
  textIn,
  textsByNameIn,
  textsIn,
} from '../mapping/fields.ts';
import { labelTag, limitedTags } from '../mapping/tags.ts';
import { isMapping, type Mapping } from '../read-yaml.ts';
import { withoutCredentials } from '../url.ts';
import { convertTarget, timeoutOf } from './modules.ts';
import { relabelled, relabelling, type Labels, type Relabelling } from './relabel.ts';

const DEFAULT_INTERVAL = 60;
const DEFAULT_TIMEOUT = 10;

/**
 * Whether a scrape job probes targets by the Blackbox exporter. Its path can have a prefix, and a rule can set the path.
 * Jobs of other exporters, such as that of SNMP, have a module too.
 */
export const isProbeJob = (job: Mapping): boolean => {
  const rules = mappingsIn(job, 'relabel_configs').filter(
    (rule) => textIn(rule, 'target_label') === '__metrics_path__',
  );
  const paths = [textIn(job, 'metrics_path'), ...rules.map((rule) => textIn(rule, 'replacement'))];
  return paths.some((path) => /(?:^|\/)probe\/?$/.test(path ?? ''));
};

/** Adds the checks of a scrape job. */
export const addJob = (job: Mapping, global: Mapping, modules: Mapping, draft: Draft): void => {
  const name = requiredTextIn(job, 'job_name');
  const note = (rest: string): void => {
    draft.note(`The job "${name}" ${rest}`);
  };
  noteDiscovery(job, note);
  const rules = relabelling(job);
  if (!canRelabel(rules, note)) return;
  const interval = Math.round(
    bounded(
      durationIn(job, 'scrape_interval') || durationIn(global, 'scrape_interval') || DEFAULT_INTERVAL,
      [30, 86_400],
      (sentence) => {
        note(`has an interval of ${sentence}`);
      },
    ),
  );
  const scrapeTimeout = durationIn(job, 'scrape_timeout') || durationIn(global, 'scrape_timeout') || DEFAULT_TIMEOUT;
  const known = new Set<string>();
  const params = paramsOf(job);
  for (const labels of targetsOf(job, name, params, note)) {
    // Prometheus sends the parameters of the job whose labels do not exist after relabelling.
    const target = { ...params, ...relabelled(labels, rules.rules) };
    const key = JSON.stringify(Object.entries(target).sort());
    // Prometheus scrapes identical targets once.
    if (known.has(key)) continue;
    known.add(key);
    addTarget(target, { job: name, interval, scrapeTimeout, modules }, draft);
  }
};

/** Returns the labels for the parameters of a job. */
const paramsOf = (job: Mapping): Labels => {
  const params = mappingIn(job, 'params') ?? {};
  return Object.fromEntries(
    Object.keys(params).flatMap((key) => {
      const [first = ''] = textsIn(params, key);
      return first === '' ? [] : [[`__param_${key}`, first] as const];
    }),
  );
};

/** Returns the labels of each target before relabelling. */
const targetsOf = (job: Mapping, name: string, params: Labels, note: (rest: string) => void): Labels[] =>
  mappingsIn(job, 'static_configs').flatMap((config) => {
    const own = textsByNameIn(config, 'labels');
    return listIn(config, 'targets').flatMap((target, index): Labels[] => {
      if (typeof target === 'string') return [{ ...params, job: name, ...own, __address__: target }];
      note(`has a target that is no text, target ${index + 1} of its list, which was left out.`);
      return [];
    });
  });

const noteDiscovery = (job: Mapping, note: (rest: string) => void): void => {
  const kinds = Object.keys(job).filter((key) => key.endsWith('_sd_configs') && key !== 'static_configs');
  if (kinds.length > 0)
    note(
      `finds targets by ${kinds.join(', ')}, which are not imported; list them in static_configs, or create checks through the API.`,
    );
};

const canRelabel = ({ unsupported }: Relabelling, note: (rest: string) => void): boolean => {
  const decisive = unsupported.some((label) => label === null || label.startsWith('__'));
  if (decisive)
    note(
      'chooses targets by rules with expressions (relabel_configs) and is left out; write each target with its module into static_configs.',
    );
  else if (unsupported.length > 0)
    note(`sets labels by rules with expressions (${unsupported.join(', ')}), which are left out; set tags instead.`);
  return !decisive;
};

interface JobSettings {
  job: string;
  interval: number;
  scrapeTimeout: number;
  modules: Mapping;
}

const addTarget = (labels: Labels, { job, interval, scrapeTimeout, modules }: JobSettings, draft: Draft): void => {
  const target = labels['__param_target'] ?? '';
  const moduleName = labels['__param_module'] ?? 'http_2xx';
  const module = modules[moduleName];
  if (target === '') {
    draft.note(`The job "${job}" sets no parameter "target" and is left out; add the usual relabel_configs.`);
    return;
  }
  if (!isMapping(module)) {
    draft.note(
      `The module "${moduleName}" of the job "${job}" is in no file, and its targets are left out; import blackbox.yml as well.`,
    );
    return;
  }
  const noteTarget = (rest: string): void => {
    draft.note(`The target "${withoutCredentials(target)}" of the job "${job}" ${rest}`);
  };
  const probed = convertTarget(
    module,
    { target, hostname: labels['__param_hostname'] ?? null },
    {
      note: (rest) => {
        draft.note(`The module "${moduleName}" ${rest}`);
      },
      noteTarget,
    },
  );
  if (!probed) return;
  const timeout = Math.min(timeoutOf(module) ?? scrapeTimeout, scrapeTimeout);
  const shown = Object.entries(labels).filter(
    ([name]) => !name.startsWith('__') && name !== 'job' && name !== 'instance',
  );
  const { tags, excess } = limitedTags(shown.map(([name, value]) => labelTag(name, value)));
  if (excess.length > 0) noteTarget(`has more labels than the 20 tags of a check; ${excess.length} are left out.`);
  draft.addCheck({
    name: withoutCredentials(labels['instance'] ?? target),
    group: draft.addGroup(job),
    interval,
    timeout: bounded(timeout, [1, 30], (sentence) => {
      noteTarget(`has a timeout of ${sentence}`);
    }),
    tags,
    ...probed,
  });
};
