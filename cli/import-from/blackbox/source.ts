import { OperatorError } from '../../../service/operator-error.ts';
import type { Imported } from '../imported.ts';
import { createDraft } from '../mapping/draft.ts';
import { createEntryReader } from '../mapping/entries.ts';
import { mappingIn, textsIn } from '../mapping/fields.ts';
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
  const named = files.map((file) => ({ file: file.name, content: contentOf(file) }));
  const contents = named.map(({ content }) => content);
  const draft = createDraft();
  const reader = createEntryReader(draft);
  const modules = modulesOf(contents);
  const jobs = named.flatMap(({ file, content }) => {
    const global = mappingIn(content, 'global') ?? {};
    const entries = reader.entriesIn(content, 'scrape_configs', { noun: 'scrape job', file });
    return entries.map((entry) => ({ entry, global }));
  });
  let probing = 0;
  let others = 0;
  for (const { entry, global } of jobs)
    reader.read(entry, (job) => {
      if (!isProbeJob(job)) {
        others += 1;
        return;
      }
      addJob(job, global, modules, draft);
      probing += 1;
    });
  reader.finish();
  if (probing === 0)
    throw new OperatorError(
      `${files.map(({ name }) => name).join(', ')}: There is no scrape job with metrics_path: /probe.`,
    );
  if (others > 0)
    draft.note(
      others === 1
        ? '1 scrape job is left out, because it probes nothing; keep it in Prometheus.'
        : `${others} scrape jobs are left out, because they probe nothing; keep them in Prometheus.`,
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
  const content = readYaml(file);
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
