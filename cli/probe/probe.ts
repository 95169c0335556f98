import { isIPv6 } from 'node:net';
import type { TSchema } from '@sinclair/typebox';
import { Option } from 'commander';
import { NewCheck } from '../../api/v1/checks/schema.ts';
import { compile } from '../../http/routes/validate.ts';
import { defaultPortOf, incompleteFields } from '../../domain/check/definition.ts';
import { isFields } from '../../domain/fields.ts';
import type { CheckType } from '../../domain/check/types/check-type.ts';
import { checkTypeOf } from '../../domain/check/types/index.ts';
import { createTargetPolicy } from '../../domain/target/policy.ts';
import type { RunnableCheck } from '../../runners/probe/check-type.ts';
import { systemClock } from '../../network/clock.ts';
import { systemResolve } from '../../network/resolve.ts';
import { createMemory } from '../../runners/probe/memory.ts';
import { RUNS, TYPES } from '../../runners/index.ts';
import { abilityHere, lackingSentence } from '../../runners/tools.ts';
import type { Config } from '../../service/config/config.ts';
import { registriesOf } from '../../service/config/registries.ts';
import { printable, type Output } from '../../service/output.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { PARAMETER_OPTIONS } from './options.ts';
import { presentOutcome } from './present.ts';
import { REPORTS } from './reports/index.ts';
import { targetRulesOf } from '../../service/config/target-policy.ts';

export interface ProbeOptions {
  /** seconds */
  timeout: number;
  json: boolean;
  /** parameters that the options below may override */
  parameters?: Record<string, unknown>;
  /** the values of {@link PARAMETER_OPTIONS}, by the option's name in camel case */
  [option: string]: unknown;
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
  config: Pick<Config, 'targetPolicy' | 'targetAllow' | 'targetDeny' | 'rdapBootstrapUrl' | 'whoisServer'>,
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
  const outcome = await run(check, {
    clock: systemClock,
    resolve: systemResolve,
    policy,
    memory: createMemory(systemClock),
    fresh: true,
    registries: registriesOf(config),
    signal: signal(),
  });
  const lines = options.json
    ? [JSON.stringify({ type: asked.type, target: asked.target, ...outcome })]
    : (REPORTS.get(asked.type) ?? presentOutcome)(outcome).map(printable);
  for (const line of lines) await output.line(line);
  return outcome.status === 'ok';
};

const validate = compile(NewCheck);

/** The options as a definition, held to the rules of the API. */
const checkOf = (type: CheckType, target: string, options: ProbeOptions): RunnableCheck => {
  const parameters = parametersOf(type, options);
  const { timeout } = options;
  const place = type.target.url ? { url: target } : hostAndPort(target);
  if ('port' in place && !type.target.port)
    throw new OperatorError(`Checks of type ${type.name} take a host without a port, such as ${place.host}.`);
  const check = { url: null, host: null, port: defaultPortOf(type.name), ...place, timeout, parameters };
  const broken =
    validate({ name: 'probe', type: type.name, interval: 60, ...place, timeout, parameters }) ??
    incompleteFields(type.name, check);
  const sentences = Object.entries(broken).map(([field, words]) => `${field}: ${words.join(' ')}`);
  if (sentences.length > 0) throw new OperatorError(sentences.join('\n'));
  return { type: type.name, ...check, secrets: {} };
};

/** `example.com:25`, `[::1]:25`, `::1` */
const hostAndPort = (target: string): { host: string; port?: number } => {
  const [, host, port] = isIPv6(target) ? [] : (/^(.+):(\d+)$/.exec(target) ?? []);
  return host === undefined ? { host: target } : { host, port: Number(port) };
};

/** The parameters; options override `--parameters`. */
const parametersOf = (type: CheckType, options: ProbeOptions): Record<string, unknown> => {
  const taken = Object.keys(type.parameters.properties);
  const parameters = structuredClone(options.parameters ?? {});
  const foreign = Object.keys(parameters).find((name) => !taken.includes(name));
  if (foreign !== undefined) throw new OperatorError(`Checks of type ${type.name} take no parameter ${foreign}.`);
  for (const { flags, path } of PARAMETER_OPTIONS) {
    const option = new Option(flags);
    const value = options[option.attributeName()];
    // An option that begins with `no-` is true if it was not given.
    if (value === undefined || (option.negate && value === true)) continue;
    if (!takes(type.parameters, path))
      throw new OperatorError(`Checks of type ${type.name} take no ${option.long ?? flags}.`);
    put(parameters, path, value);
  }
  return parameters;
};

/** Whether a schema knows a field. */
const takes = (schema: TSchema, [name, ...rest]: readonly [string, ...string[]]): boolean => {
  const inner = (schema['properties'] as Record<string, TSchema> | undefined)?.[name];
  const [next, ...further] = rest;
  return inner !== undefined && (next === undefined || takes(inner, [next, ...further]));
};

const put = (
  fields: Record<string, unknown>,
  [name, ...rest]: readonly [string, ...string[]],
  value: unknown,
): void => {
  const [next, ...further] = rest;
  if (next === undefined) {
    fields[name] = value;
    return;
  }
  const inner = (fields[name] ??= {});
  // Anything but an object is refused later.
  if (isFields(inner)) put(inner, [next, ...further], value);
};
