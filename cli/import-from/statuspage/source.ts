import type { PageEntry } from '../../configuration/model.ts';
import type { Imported, ImportedIncident } from '../imported.ts';
import { MAX_NAME } from '../../../domain/page/rules.ts';
import { OperatorError } from '../../../service/operator-error.ts';
import { partsOf } from './components.ts';
import { readCsv } from './csv.ts';
import { documentsIn, type Documents } from './documents.ts';
import { incidentOf } from './incidents.ts';
import { pageFields } from './page.ts';
import { subscribersOf } from './subscribers.ts';
import { templatesOf } from './templates.ts';
import { createRemarks } from '../remarks.ts';
import { cut, textOf } from './values.ts';

/** Name of a page whose files do not contain the page itself, such as CSV files. */
const UNNAMED_PAGE = 'Status page';

/**
 * Reads files of Statuspage: JSON of its interfaces, and CSV of components and subscribers.
 *
 * @param page name of the page in Uptrail; default: its name in the files
 * @throws OperatorError a file can't be read, or is not from Statuspage
 */
export const read = (files: readonly { name: string; text: string }[], { page }: { page?: string } = {}): Imported => {
  const documents = allDocuments(files);
  const remarks = createRemarks();
  const given = page ?? textOf(documents.page?.['name']);
  const name = cut(given ?? UNNAMED_PAGE, MAX_NAME);
  if (given === null) remarks.add(`The files do not contain the page itself. It is called "${UNNAMED_PAGE}".`);
  for (const part of documents.ignored) {
    remarks.add(
      part.startsWith('metric')
        ? 'System metrics are not imported. Let a check watch a component, with show_response_times.'
        : `${part} of the files is not imported.`,
    );
  }
  const parts = partsOf(documents, remarks);
  const incidents = documents.incidents
    .map((incident) => incidentOf(incident, name, parts, remarks))
    .filter((incident) => incident !== null)
    .sort(byTime);
  const templates = templatesOf(documents.incident_templates, name, parts, remarks);
  const subscribers = subscribersOf(documents.subscribers, name, parts, remarks);
  const entry: PageEntry = {
    ...pageFields(documents.page ?? {}, name, remarks),
    name,
    component_groups: parts.component_groups,
    components: parts.components,
  };
  return {
    configuration: { pages: [entry], ...(templates.length > 0 && { incident_templates: templates }) },
    ...(incidents.length > 0 && { incidents }),
    ...(subscribers && { subscribers: [subscribers] }),
    ...(parts.statuses.length > 0 && { component_statuses: parts.statuses.map((one) => ({ page: name, ...one })) }),
    unmapped: remarks.sentences(),
  };
};

const firstTime = ({ updates }: ImportedIncident): string => updates[0]?.created_at ?? '';

const byTime = (a: ImportedIncident, b: ImportedIncident): number =>
  firstTime(a) < firstTime(b) ? -1 : firstTime(a) > firstTime(b) ? 1 : 0;

/** A CSV file does not begin like JSON, and its name usually ends in `.csv`. */
const isCsv = ({ name, text }: { name: string; text: string }): boolean =>
  /\.csv$/i.test(name) || !/^\uFEFF?\s*[[{]/.test(text);

const allDocuments = (files: readonly { name: string; text: string }[]): Documents => {
  if (files.length === 0) throw new OperatorError('Name at least one file of Statuspage.');
  const tables = files.filter(isCsv).map(readCsv);
  const documents = documentsIn(files.filter((file) => !isCsv(file)));
  const known = new Set(documents.components.map(({ name }) => name));
  const listed = tables.flatMap((table) => (table.kind === 'components' ? table.components : []));
  return {
    ...documents,
    components: [...documents.components, ...listed.filter(({ name }) => !known.has(name))],
    subscribers: [
      ...documents.subscribers,
      ...tables.flatMap((table) => (table.kind === 'subscribers' ? table.subscribers : [])),
    ],
  };
};
