import { readFileSync } from 'node:fs';
import { openApiText } from '../api/openapi/document.ts';
import { declaredRoutes, v1Routes } from '../api/v1/index.ts';
import { statusApiText } from '../site/pages/api-v2/openapi.ts';
import { commandSections } from './command-line-document.ts';
import { configurationSections } from './configuration-document.ts';
import { consoleAsOf } from './console-as-of.ts';
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
import { reactorsTable } from './reactors-table.ts';
import { inProject } from './project.ts';

const between = (text: string, name: string, content: string): string =>
  text.replace(
    new RegExp(`(<!-- ${name} -->\n)[^]*(<!-- /${name} -->)`),
    (_, open: string, close: string) => `${open}\n${content}\n${close}`,
  );

/** Returns the expected text of each file that is generated from the code completely or in part. */
export const generatedTexts = (): { path: string; text: string }[] => {
  const configuration = inProject('docs/operate/configuration.md');
  const commandLine = inProject('docs/operate/command-line.md');
  const testing = inProject('docs/develop/testing.md');
  const reactors = inProject('docs/develop/reactors.md');
  const channels = inProject('docs/reference/alert-channels.md');
  return [
    { path: inProject('docs/reference/openapi.json'), text: openApiText(v1Routes) },
    { path: inProject('console/api/openapi.d.ts'), text: consoleTypes(openApiText(declaredRoutes)) },
    { path: inProject('console/api/channel-types.ts'), text: consoleChannelTypes() },
    { path: inProject('console/api/as-of.ts'), text: consoleAsOf() },
    { path: inProject('console/api/roles.ts'), text: consoleRoles(declaredRoutes) },
    { path: inProject('docs/reference/status-api.openapi.json'), text: statusApiText() },
    { path: inProject('docs/reference/permissions.md'), text: permissionsDocument(v1Routes) },
    { path: reactors, text: between(readFileSync(reactors, 'utf8'), 'reactors', reactorsTable(REACTORS)) },
    { path: inProject(ANCHORS), text: anchorsText(readFileSync(inProject(ANCHORS), 'utf8')) },
    { path: inProject('deploy/seccomp-scripts.json'), text: seccompProfileText() },
    ...goldenMails().map(({ path, text }) => ({ path: inProject(path), text })),
    { path: testing, text: between(readFileSync(testing, 'utf8'), 'parts', partsTable()) },
    { path: channels, text: between(readFileSync(channels, 'utf8'), 'channel-types', channelTypesTable()) },
    {
      path: configuration,
      text: between(readFileSync(configuration, 'utf8'), 'configuration', configurationSections()),
    },
    { path: commandLine, text: between(readFileSync(commandLine, 'utf8'), 'commands', commandSections()) },
  ];
};
