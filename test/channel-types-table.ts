import { CHANNEL_TYPES } from '../notifiers/channels/index.ts';
import { markdownTable } from './markdown-table.ts';

const code = (text: string): string => `\`${text}\``;

/** Returns the table of channel types in docs/reference/alert-channels.md. */
export const channelTypesTable = (): string =>
  markdownTable([
    ['type', '`configuration`', 'what arrives'],
    ...CHANNEL_TYPES.map(({ name, configuration, delivers }) => [
      code(name),
      Object.keys(configuration.properties).map(code).join(', '),
      delivers.replaceAll('|', '\\|'),
    ]),
  ]);
