import type { Lacking } from '../probes/tools.ts';
import type { Config } from './config/config.ts';
import { isEmailOn } from './notifiers.ts';
import type { Service } from './service.ts';

/** What a greeting says of the service, and of its configuration. */
export type Greeted = Pick<Service, 'address' | 'place' | 'adminKey' | 'halted' | 'ability'>;
export type GreetedConfig = Pick<Config, 'mailFrom' | 'publicUrl' | 'smsGatewayUrl'>;

/** What a person needs after a start: where the service is, and a key that is shown only now. */
export const greeting = ({ address, place, adminKey, halted }: Greeted): string =>
  [
    `Uptrail is at ${address}`,
    `Its data is in ${place}`,
    ...(adminKey.kind === 'generated'
      ? [`Its admin key, shown only now and kept there in the file admin-api-key: ${adminKey.key}`]
      : []),
    ...(halted === null ? [] : [`Automatic actions are halted. ${halted} They go on after uptrail reactors resume.`]),
  ].join('\n');

/** Whether there was no data before. */
export const isFirstStart = ({ adminKey }: Pick<Greeted, 'adminKey'>): boolean =>
  adminKey.kind === 'generated' || (adminKey.kind === 'environment' && adminKey.first);

/**
 * What a person who starts the service for the first time wants to know, in a few lines: what runs, where, and what is
 * missing.
 */
export const firstGreeting = (service: Greeted, config: GreetedConfig): string => {
  const { address, place, adminKey, ability } = service;
  return [
    `Uptrail is at ${address}`,
    `  data        ${place}`,
    `  admin key   ${adminKey.kind === 'generated' ? `${adminKey.key} (shown only now, and kept in the file admin-api-key there)` : 'that of ADMIN_API_KEY'}`,
    `  console     ${address}/console, in a browser; the first time it asks for the admin key`,
    `  API         ${address}/v1, described at ${address}/docs; README.md has a tour of five minutes`,
    `  checks      ${ability.types.length === 0 ? 'none run in this process' : `${[...ability.types].sort().join(', ')} run here`}`,
    `  missing     ${missing(ability.lacking)}`,
    `  e-mail      ${isEmailOn(config) ? `sent as ${config.mailFrom?.address ?? ''}` : `off: set ${unset(config).join(' and ')}`}`,
    `  SMS         ${config.smsGatewayUrl === null ? 'off: set SMS_GATEWAY_URL' : 'on'}`,
    `  public URL  ${config.publicUrl ?? 'not set: links in answers are paths, and messages have none (PUBLIC_URL)'}`,
    `  to stop     Ctrl-C; the next start goes on where this one ended`,
  ].join('\n');
};

const unset = ({ mailFrom, publicUrl }: GreetedConfig): string[] => [
  ...(mailFrom === null ? ['MAIL_FROM'] : []),
  ...(publicUrl === null ? ['PUBLIC_URL'] : []),
];

/** `nmap (portscan), There is no Chromium (synthetic)` */
const missing = (lacking: readonly Lacking[]): string => {
  const types = new Map<string, string[]>();
  for (const { type, tools, rights } of lacking)
    for (const what of tools.length > 0 ? tools : [shortened(rights ?? 'something')])
      types.set(what, [...(types.get(what) ?? []), type]);
  return [...types].map(([what, those]) => `${what} (${those.join(', ')})`).join(', ') || 'nothing that checks need';
};

/** The beginning of a sentence, which the log has in full. */
const shortened = (sentence: string): string => (/^[^.(:]+/.exec(sentence)?.[0] ?? sentence).trim().slice(0, 60);
