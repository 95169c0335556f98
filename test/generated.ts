import { readFileSync } from 'node:fs';
import { openApiText } from '../api/openapi/document.ts';
import { v1Routes } from '../api/v1/index.ts';
import { statusApiText } from '../site/pages/api-v2/openapi.ts';
import { configurationTable } from '../service/config/config.ts';
import { consoleRoles } from './console-roles.ts';
import { consoleChannelTypes } from './console-channel-types.ts';
import { consoleTypes } from './console-types.ts';
import { channelTypesTable } from './channel-types-table.ts';
import { seccompProfileText } from './deploy/seccomp/profile.ts';
import { goldenMails } from './messages/golden.ts';
import { partsTable } from './parts-table.ts';
import { permissionsDocument } from './permissions-table.ts';
import { ANCHORS, anchorsText } from './site/docs/documentation.ts';
import { REACTORS } from '../reactors/index.ts';
import { reactorsDocument } from './reactors-table.ts';
import { inProject } from './project.ts';

const between = (text: string, name: string, content: string): string =>
  text.replace(
    new RegExp(`(<!-- ${name} -->\n)[^]*(<!-- /${name} -->)`),
    (_, open: string, close: string) => `${open}\n${content}\n${close}`,
  );

/** Files, or parts of files, that are generated from the code: path, and the expected text. */
export const generatedTexts = (): { path: string; text: string }[] => {
  const readme = inProject('README.md');
  const contributing = inProject('CONTRIBUTING.md');
  const channels = inProject('docs/alert-channels.md');
  return [
    { path: inProject('docs/openapi.json'), text: openApiText(v1Routes) },
    { path: inProject('console/api/openapi.d.ts'), text: consoleTypes(openApiText(v1Routes)) },
    { path: inProject('console/api/channel-types.ts'), text: consoleChannelTypes() },
    { path: inProject('console/api/roles.ts'), text: consoleRoles(v1Routes) },
    { path: inProject('docs/status-api.openapi.json'), text: statusApiText() },
    { path: inProject('docs/permissions.md'), text: permissionsDocument(v1Routes) },
    { path: inProject('docs/reactors.md'), text: reactorsDocument(REACTORS) },
    { path: inProject(ANCHORS), text: anchorsText(readFileSync(inProject(ANCHORS), 'utf8')) },
    { path: inProject('deploy/seccomp-scripts.json'), text: seccompProfileText() },
    ...goldenMails().map(({ path, text }) => ({ path: inProject(path), text })),
    { path: contributing, text: between(readFileSync(contributing, 'utf8'), 'parts', partsTable()) },
    { path: channels, text: between(readFileSync(channels, 'utf8'), 'channel-types', channelTypesTable()) },
    { path: readme, text: between(readFileSync(readme, 'utf8'), 'configuration', configurationTable().trim() + '\n') },
  ];
};
