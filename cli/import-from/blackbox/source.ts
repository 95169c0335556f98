import { OperatorError } from '../../../service/operator-error.ts';
import type { Imported } from '../imported.ts';
import { createDraft } from '../mapping/draft.ts';
import { mappingIn, mappingsIn, textsIn } from '../mapping/fields.ts';
import { escapeVariables, mapTexts } from '../mapping/texts.ts';
import { isMapping, placeOf, readYaml, type Mapping, type SourceFile } from '../read-yaml.ts';
import { addJob, isProbeJob } from './job.ts';
import { DELIVERED_MODULES } from './modules.ts';

/**
 * Reads the configuration of Prometheus, and the modules of its Blackbox exporter. Each file contains the section
 * `scrape_configs` or `modules`, in any order.
 *
 * @throws OperatorError a file is not valid; the message names file and line
 */
export const read = (files: readonly SourceFile[]): Imported => {
  const contents = files.map(contentOf);
  const jobs = contents.flatMap((content) =>
    mappingsIn(content, 'scrape_configs').map((job) => ({ job, global: mappingIn(content, 'global') ?? {} })),
  );
  const probing = jobs.filter(({ job }) => isProbeJob(job));
  if (probing.length === 0)
    throw new OperatorError(
      `${files.map(({ name }) => name).join(', ')}: There is no scrape job with metrics_path: /probe.`,
    );
  const draft = createDraft();
  const modules = modulesOf(contents);
  for (const { job, global } of probing) addJob(job, global, modules, draft);
  if (jobs.length > probing.length)
    draft.note(
      `${jobs.length - probing.length} scrape jobs are left out, because they probe nothing; keep them in Prometheus.`,
    );
  if (contents.some((content) => textsIn(content, 'scrape_config_files').length > 0))
    draft.note('The files of scrape_config_files are not read; import them by name as well.');
  if (contents.some((content) => textsIn(content, 'rule_files').length > 0))
    draft.note(
      'Alerting rules of Prometheus are left out; create alert rules, such as one by tag with the condition check_failed.',
    );
  return draft.imported();
};

const contentOf = (file: SourceFile): Mapping => {
  const content = mapTexts(readYaml(file), escapeVariables);
  if (isMapping(content) && (content['scrape_configs'] !== undefined || content['modules'] !== undefined))
    return content;
  const place = typeof content === 'object' && content !== null ? placeOf(content) : `${file.name}, line 1`;
  throw new OperatorError(`${place}: The file must contain "scrape_configs:" or "modules:".`);
};

/** @throws OperatorError two files define a module */
const modulesOf = (contents: readonly Mapping[]): Mapping => {
  const modules = Object.create(null) as Record<string, unknown>;
  for (const content of contents) {
    const own = mappingIn(content, 'modules') ?? {};
    for (const [name, module] of Object.entries(own)) {
      if (modules[name] !== undefined)
        throw new OperatorError(`${placeOf(own, name)}: The module "${name}" exists twice.`);
      modules[name] = module;
    }
  }
  return Object.keys(modules).length > 0 ? modules : DELIVERED_MODULES;
};
