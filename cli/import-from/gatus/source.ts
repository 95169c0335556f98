import { OperatorError } from '../../../service/operator-error.ts';
import type { Imported } from '../imported.ts';
import { createDraft, type Draft } from '../mapping/draft.ts';
import { createEntryReader, type Entry } from '../mapping/entries.ts';
import { mappingIn, mappingsIn, requiredTextIn, textsIn } from '../mapping/fields.ts';
import { isMapping, readYaml, type Mapping, type SourceFile } from '../read-yaml.ts';
import { createChannels, isEnabled } from './channels.ts';
import { addEndpoint } from './endpoint.ts';
import { addExternalEndpoint } from './external-endpoint.ts';
import { mergeFiles } from './merge.ts';
import { addPage } from './page.ts';
import { withVariables } from './variables.ts';

/**
 * Reads the configuration of Gatus, in one file or several.
 *
 * @throws OperatorError a file is not a valid configuration; the message names file and line
 */
export const read = (files: readonly SourceFile[]): Imported => {
  const contents = files.map((file) => ({ file: file.name, content: configurationIn(file) }));
  const configuration = mergeFiles(contents.map(({ content }) => content));
  const draft = createDraft();
  const channels = createChannels(mappingIn(configuration, 'alerting') ?? {}, draft);
  const reader = createEntryReader(draft);
  const entriesIn = (key: string, noun: string): Entry[] =>
    contents.flatMap(({ file, content }) => reader.entriesIn(content, key, { noun, file }));
  // Releases before 4.0 named endpoints services.
  const endpoints = [...entriesIn('endpoints', 'endpoint'), ...entriesIn('services', 'service')];
  const external = entriesIn('external-endpoints', 'external endpoint');
  const suites = entriesIn('suites', 'suite');
  const shown = endpoints.flatMap((entry) => reader.read(entry, (one) => addEndpoint(one, draft, channels)) ?? []);
  for (const entry of external)
    reader.read(entry, (one) => {
      addExternalEndpoint(one, draft, channels);
    });
  for (const entry of suites)
    reader.read(entry, (one) => {
      noteSuite(one, draft);
    });
  reader.finish();
  if (endpoints.length + external.length + suites.length === 0)
    throw new OperatorError(`${files.map(({ name }) => name).join(', ')}: There are no endpoints.`);
  if (external.length > 0)
    draft.note(
      'External endpoints are not on the page, because components show checks; name a check, or set their status by incidents.',
    );
  noteOtherSections(configuration, draft);
  addPage(configuration, shown, draft);
  return { ...draft.imported(), has_variables: true };
};

const configurationIn = (file: SourceFile): Mapping => {
  const content = withVariables(readYaml(file) ?? {});
  if (isMapping(content)) return content;
  throw new OperatorError(`${file.name}, line 1: The file must contain a mapping, such as "endpoints:".`);
};

const noteSuite = (section: Mapping, draft: Draft): void => {
  const name = requiredTextIn(section, 'name');
  const steps = mappingsIn(section, 'endpoints').length;
  draft.note(`The suite "${name}" with ${steps} steps is left out; a multistep check runs such steps in a script.`);
};

/** Sections that have no equivalent, each with a sentence. */
const OTHER_SECTIONS: Readonly<Record<string, string>> = {
  connectivity:
    'The section "connectivity" is left out; Uptrail marks results as suspect while the network of a runner fails.',
  remote: 'The section "remote" is left out; import the configuration of each remote instance, or use remote runners.',
  tunneling: 'SSH tunnels are left out; a remote runner can run checks in the network behind a tunnel.',
};

const noteOtherSections = (configuration: Mapping, draft: Draft): void => {
  for (const [key, sentence] of Object.entries(OTHER_SECTIONS))
    if (configuration[key] !== undefined && configuration[key] !== null) draft.note(sentence);
  const maintenance = mappingIn(configuration, 'maintenance');
  if (maintenance && isEnabled(maintenance)) {
    const days = textsIn(maintenance, 'every');
    const when = days.length === 0 ? 'every day' : `every ${days.join(', ')}`;
    draft.note(
      `The maintenance window ${when} is left out, because Uptrail has no recurring maintenance; schedule each one, or mute rules for its time.`,
    );
  }
  if (mappingsIn(configuration, 'announcements').length > 0)
    draft.note('Announcements are left out; publish them as incidents or maintenances of the page.');
};
