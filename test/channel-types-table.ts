import { CHANNEL_TYPES } from '../notifiers/channels/index.ts';
import { markdownTable } from './markdown-table.ts';

const code = (text: string): string => `\`${text}\``;

/** The table of types in docs/alert-channels.md. */
export const channelTypesTable = (): string =>
  markdownTable([
    ['type', '`configuration`', 'what arrives'],
    ...CHANNEL_TYPES.map(({ name, configuration, arrives }) => [
      code(name),
      Object.keys(configuration.properties).map(code).join(', '),
      arrives.replaceAll('|', '\\|'),
    ]),
  ]);
