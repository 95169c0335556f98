import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { NewCheck } from '../../api/v1/checks/schema.ts';
import { compile } from '../../http/routes/validate.ts';
import { defaultPortOf } from '../../domain/check/definition.ts';
import type { CheckType } from '../../domain/check/types/check-type.ts';
import { checkTypeOf } from '../../domain/check/types/index.ts';
import { createTargetPolicy } from '../../domain/target/policy.ts';
import type { RunnableCheck } from '../../runners/probe/check-type.ts';
import { systemClock } from '../../network/clock.ts';
import { systemResolve } from '../../network/resolve.ts';
import { RUNS, TYPES } from '../../runners/index.ts';
import { abilityHere, lackingSentence } from '../../runners/tools.ts';
import type { Config } from '../../service/config/config.ts';
import type { Output } from '../../service/output.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { presentOutcome } from './present.ts';
import { targetRulesOf } from '../../service/config/target-policy.ts';

export interface ProbeOptions {
  /** seconds */
  timeout: number;
  json: boolean;
  method?: string;
  /** `Name: value` */
  header?: readonly string[];
  body?: string;
  searchText?: string;
  sendText?: string;
  tls?: boolean;
  /** false: a redirect is the last response */
  followRedirects: boolean;
  /** JSON, as `parameters.assertions` */
  assertions?: string;
  /** a file with certificates in PEM */
  caCertificate?: string;
}

/**
 * `uptrail probe`: runs one check that is not stored, in this process, and prints the result.
 *
 * @param target a URL or `host[:port]`, depending on the type
 * @param signal called when the run begins; its abort ends the run early
 * @returns whether the target is ok
 * @throws OperatorError the options make no valid check
 */
export const probe = async (
  config: Pick<Config, 'targetPolicy' | 'targetAllow' | 'targetDeny'>,
  asked: { type: string; target: string; options: ProbeOptions; signal: () => AbortSignal },
  output: Output,
): Promise<boolean> => {
  const { options, signal } = asked;
  const run = RUNS.get(asked.type);
  if (!run) throw new OperatorError(`There is no type "${asked.type}" that can be run. There are ${TYPES.join(', ')}.`);
  const { lacking } = await abilityHere([asked.type]);
  if (lacking.length > 0) throw new OperatorError(lacking.map(lackingSentence).join(' '));
  const check = checkOf(checkTypeOf(asked.type), asked.target, options);
  const policy = createTargetPolicy(targetRulesOf(config));
  const outcome = await run(check, { clock: systemClock, resolve: systemResolve, policy, signal: signal() });
  const lines = options.json
    ? [JSON.stringify({ type: asked.type, target: asked.target, ...outcome })]
    : presentOutcome(outcome);
  for (const line of lines) await output.line(line);
  return outcome.status === 'ok';
};

const validate = compile(NewCheck);

/** The options as a definition, held to the rules of the API. */
const checkOf = (type: CheckType, target: string, options: ProbeOptions): RunnableCheck => {
  const parameters = parametersOf(type, options);
  const { timeout } = options;
  const place = type.target.url ? { url: target } : hostAndPort(target);
  const broken = validate({ name: 'probe', type: type.name, interval: 60, ...place, timeout, parameters });
  if (broken) {
    const sentences = Object.entries(broken).map(([field, words]) => `${field}: ${words.join(' ')}`);
    throw new OperatorError(sentences.join('\n'));
  }
  return { type: type.name, url: null, host: null, port: defaultPortOf(type.name), ...place, timeout, parameters };
};

/** `example.com:25`, `[::1]:25`, `::1` */
const hostAndPort = (target: string): { host: string; port?: number } => {
  const [, host, port] = isIPv6(target) ? [] : (/^(.+):(\d+)$/.exec(target) ?? []);
  return host === undefined ? { host: target } : { host, port: Number(port) };
};

const parametersOf = (type: CheckType, options: ProbeOptions): Record<string, unknown> => {
  const { method, header, body, searchText, sendText, tls, followRedirects, assertions, caCertificate } = options;
  const request = {
    ...(method !== undefined && { method: method.toUpperCase() }),
    ...(header && { headers: Object.fromEntries(header.map(nameAndValue)) }),
    ...(body !== undefined && { body }),
  };
  const parameters: Record<string, unknown> = {
    ...(Object.keys(request).length > 0 && { http_request: request }),
    ...(searchText !== undefined && { search_text: searchText }),
    ...(sendText !== undefined && { send_text: sendText }),
    ...(tls !== undefined && { tls }),
    ...(!followRedirects && { follow_redirects: false }),
    ...(assertions !== undefined && { assertions: jsonOf(assertions) }),
    ...(caCertificate !== undefined && { ca_certificate: textOf(caCertificate) }),
  };
  const taken = Object.keys(type.parameters.properties);
  const foreign = Object.keys(parameters).find((name) => !taken.includes(name));
  if (foreign !== undefined)
    throw new OperatorError(`Checks of type ${type.name} take no ${WORDS[foreign] ?? foreign}.`);
  return parameters;
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new OperatorError('--assertions: Must be JSON, such as {"status_codes": [200]}.');
  }
};

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new OperatorError(`${file} can't be read: ${(error as Error).message}`);
  }
};

/** Parameters by the names of their options. */
const WORDS: Readonly<Record<string, string>> = {
  http_request: '--method, --header or --body',
  search_text: '--search-text',
  send_text: '--send-text',
  tls: '--tls',
  follow_redirects: '--no-follow-redirects',
  assertions: '--assertions',
};

const nameAndValue = (header: string): [string, string] => {
  const colon = header.indexOf(':');
  if (colon < 1) throw new OperatorError(`"${header}" is not a header: write "Name: value".`);
  return [header.slice(0, colon).trim(), header.slice(colon + 1).trim()];
};
