import { OperatorError } from '../../../service/operator-error.ts';
import type { Imported } from '../imported.ts';
import { createDraft } from '../mapping/draft.ts';
import { mappingsIn } from '../mapping/fields.ts';
import { escapeVariables, mapTexts } from '../mapping/texts.ts';
import { isMapping, placeOf, readJson, type Mapping, type SourceFile } from '../read-yaml.ts';
import { addHeartbeat, UNSUPPORTED } from './heartbeat.ts';
import { integrationsOf, noteIntegrations } from './integrations.ts';
import { createRemarks, listed } from './remarks.ts';

/**
 * Reads responses of the management API of Healthchecks: checks (`/api/v3/checks/`), and optionally integrations
 * (`/api/v3/channels/`). Versions 1 to 3 have the same form.
 *
 * @throws OperatorError a file is no such response; the message names file and line
 */
export const read = (files: readonly SourceFile[]): Imported => {
  const responses = files.map(responseIn);
  const checks = responses.flatMap((response) => mappingsIn(response, 'checks'));
  const integrations = responses.flatMap((response) => mappingsIn(response, 'channels'));
  if (checks.length === 0) throw new OperatorError(`${files.map(({ name }) => name).join(', ')}: There are no checks.`);
  const draft = createDraft();
  const remarks = createRemarks();
  const users = new Map<string, string[]>();
  for (const check of checks) {
    const name = addHeartbeat(check, draft, remarks);
    for (const id of name === null ? [] : integrationsOf(check)) users.set(id, [...(users.get(id) ?? []), name ?? '']);
  }
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
  const content = mapTexts(readJson(file), escapeVariables);
  if (Array.isArray(content)) return { checks: content };
  if (isMapping(content) && (content['checks'] !== undefined || content['channels'] !== undefined)) return content;
  const place = typeof content === 'object' && content !== null ? placeOf(content) : `${file.name}, line 1`;
  throw new OperatorError(`${place}: The file must be a response of /api/v3/checks/ or /api/v3/channels/.`);
};
