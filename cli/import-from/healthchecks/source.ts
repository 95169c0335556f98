import { OperatorError } from '../../../service/operator-error.ts';
import type { Imported } from '../imported.ts';
import { createDraft } from '../mapping/draft.ts';
import { createEntryReader, type Entry } from '../mapping/entries.ts';
import { isMapping, placeOf, readJson, type Mapping, type SourceFile } from '../read-yaml.ts';
import { addHeartbeat, UNSUPPORTED } from './heartbeat.ts';
import { integrationOf, integrationsOf, noteIntegrations } from './integrations.ts';
import { createRemarks, listed } from './remarks.ts';

/**
 * Reads responses of the management API of Healthchecks: checks (`/api/v3/checks/`), and optionally integrations
 * (`/api/v3/channels/`). Versions 1 to 3 have the same form.
 *
 * @throws OperatorError a file is no such response; the message names file and line
 */
export const read = (files: readonly SourceFile[]): Imported => {
  const responses = files.map((file) => ({ file: file.name, content: responseIn(file) }));
  const draft = createDraft();
  const reader = createEntryReader(draft);
  const entriesIn = (key: string, noun: string): Entry[] =>
    responses.flatMap(({ file, content }) => reader.entriesIn(content, key, { noun, file }));
  const checks = entriesIn('checks', 'check');
  const remarks = createRemarks();
  const users = new Map<string, string[]>();
  for (const entry of checks) {
    reader.read(entry, (check) => {
      const ids = integrationsOf(check);
      const name = addHeartbeat(check, draft, remarks);
      for (const id of name === null ? [] : ids) users.set(id, [...(users.get(id) ?? []), name ?? '']);
    });
  }
  reader.finish();
  if (checks.length === 0) throw new OperatorError(`${files.map(({ name }) => name).join(', ')}: There are no checks.`);
  const integrations = entriesIn('channels', 'integration').flatMap((entry) => {
    const read = reader.read(entry, integrationOf);
    return read ? [read] : [];
  });
  draft.note(
    'Heartbeats have new addresses: let each job call ping_url, with /start at its start and /fail on failure.',
  );
  for (const [setting, names] of remarks.entries()) {
    const sentence = UNSUPPORTED[setting] ?? '';
    draft.note(`These checks ${sentence.replace(/[.;]/, `: ${listed(names)}$&`)}`);
  }
  noteIntegrations(draft, users, integrations);
  return draft.imported();
};

/** Reads a file: the response of the API, or only its list of checks. */
const responseIn = (file: SourceFile): Mapping => {
  const content = readJson(file);
  if (Array.isArray(content)) return { checks: content };
  if (isMapping(content) && (content['checks'] !== undefined || content['channels'] !== undefined)) return content;
  const place = typeof content === 'object' && content !== null ? placeOf(content) : `${file.name}, line 1`;
  throw new OperatorError(`${place}: The file must be a response of /api/v3/checks/ or /api/v3/channels/.`);
};
