import type { UnavailableType } from '../probes/tools.ts';
import type { Config } from './config/config.ts';
import { isEmailOn } from './notifiers.ts';
import type { Service } from './service.ts';

/** The facts about a started service that the start-up message contains. */
export type StartedService = Pick<Service, 'address' | 'location' | 'adminKey' | 'halted' | 'ability'>;
export type StartupMessageConfig = Pick<Config, 'mailFrom' | 'publicUrl' | 'smsGatewayUrl'>;

/** Returns what an operator needs after a start: the address of the service, and a key that is shown only once. */
export const startupMessage = ({ address, location, adminKey, halted }: StartedService): string =>
  [
    `Uptrail is running at ${address}`,
    `Data folder: ${location}`,
    ...(adminKey.kind === 'generated'
      ? [`Admin key, shown only once and stored there in the file admin-api-key: ${adminKey.key}`]
      : []),
    ...(halted === null ? [] : [`Reactors are halted. ${halted} Run uptrail reactors resume to resume them.`]),
  ].join('\n');

/** Returns whether the service had no data before this start. */
export const isFirstStart = ({ adminKey }: Pick<StartedService, 'adminKey'>): boolean =>
  adminKey.kind === 'generated' || (adminKey.kind === 'environment' && adminKey.first);

/**
 * Returns what an operator needs after the very first start, in a few lines: what is running, at which address, and
 * what is missing.
 */
export const firstStartupMessage = (service: StartedService, config: StartupMessageConfig): string => {
  const { address, location, adminKey, ability } = service;
  return [
    `Uptrail is running at ${address}`,
    `  data        ${location}`,
    `  admin key   ${adminKey.kind === 'generated' ? `${adminKey.key} (shown only once; stored in the file admin-api-key there)` : 'that of ADMIN_API_KEY'}`,
    `  console     ${address}/console, in a browser; sign in with the admin key the first time`,
    `  API         ${address}/v1, documented at ${address}/docs; README.md has a five-minute tour`,
    `  checks      ${ability.types.length === 0 ? 'none run in this process' : `${[...ability.types].sort().join(', ')} run here`}`,
    `  missing     ${missing(ability.unavailable)}`,
    `  e-mail      ${isEmailOn(config) ? `sent as ${config.mailFrom?.address ?? ''}` : `off: set ${unset(config).join(' and ')}`}`,
    `  SMS         ${config.smsGatewayUrl === null ? 'off: set SMS_GATEWAY_URL' : 'on'}`,
    `  public URL  ${config.publicUrl ?? 'not set: links in responses are only paths, and messages have none (PUBLIC_URL)'}`,
    `  to stop     Ctrl-C; the next start continues where this one ended`,
  ].join('\n');
};

const unset = ({ mailFrom, publicUrl }: StartupMessageConfig): string[] => [
  ...(mailFrom === null ? ['MAIL_FROM'] : []),
  ...(publicUrl === null ? ['PUBLIC_URL'] : []),
];

/** Lists missing programs, or a sentence about missing rights, each with the check types that need them. */
const missing = (lacking: readonly UnavailableType[]): string => {
  const types = new Map<string, string[]>();
  for (const { type, tools, rights } of lacking)
    for (const what of tools.length > 0 ? tools : [shortened(rights ?? 'something')])
      types.set(what, [...(types.get(what) ?? []), type]);
  return [...types].map(([what, those]) => `${what} (${those.join(', ')})`).join(', ') || 'nothing that checks need';
};

/** Returns the beginning of a sentence. The log contains the whole sentence. */
const shortened = (sentence: string): string => (/^[^.(:]+/.exec(sentence)?.[0] ?? sentence).trim().slice(0, 60);
