import { isIPv6 } from 'node:net';
import type { TSchema } from '@sinclair/typebox';
import { Option } from 'commander';
import { NewCheck } from '../../api/v1/checks/schema.ts';
import { compile } from '../../http/routes/validate.ts';
import { defaultPortOf, incompleteFields } from '../../domain/check/definition.ts';
import { isFields } from '../../domain/fields.ts';
import type { CheckType } from '../../domain/check/types/check-type.ts';
import { checkTypeOf } from '../../domain/check/types/index.ts';
import type { Outcome, RunnableCheck } from '../../probes/engine/check-type.ts';
import { systemClock } from '../../network/clock.ts';
import { createPolicy } from '../../network/policy.ts';
import { systemResolve } from '../../network/resolve.ts';
import { createRunCache } from '../../probes/engine/run-cache.ts';
import { RUNS, SCRIPT_TYPES, TYPES } from '../../probes/index.ts';
import type { ScriptKind } from '../../probes/script/protocol.ts';
import { findAvailableTypes, unavailableSentence } from '../../probes/tools.ts';
import type { Config } from '../../service/config/config.ts';
import { registriesOf } from '../../service/config/registries.ts';
import { reservedNow } from '../../service/reserved-endpoints.ts';
import { printable, type Output } from '../../service/output.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { PARAMETER_OPTIONS } from './options.ts';
import { presentOutcome } from './present.ts';
import { probeScript, scriptIn } from './scripts.ts';
import { REPORTS } from './reports/index.ts';
import { targetRulesOf } from '../../service/config/target-policy.ts';

export interface ProbeOptions {
  /** timeout of the run in seconds */
  timeout: number;
  json: boolean;
  /** parameters of the check as one object; the other options take precedence */
  parameters?: Record<string, unknown>;
  /** the values of {@link PARAMETER_OPTIONS}, by the name of the option in camel case */
  [option: string]: unknown;
}

/**
 * `uptrail probe`: runs a check in this process without storing it, and prints the result.
 *
 * @param target a URL or `host[:port]`, depending on the type; for a script, its file
 * @param signal called when the run begins; if the signal that it returns is aborted, the run ends early
 * @returns whether the target is up
 * @throws OperatorError the options are not a valid check
 */
export const probe = async (
  config: Config,
  request: { type: string; target: string; options: ProbeOptions; signal: () => AbortSignal },
  output: Output,
): Promise<boolean> => {
  const { options, signal } = request;
  if (isScriptType(request.type)) return probeOfScript(config, { ...request, type: request.type }, output);
  const run = RUNS.get(request.type);
  if (!run)
    throw new OperatorError(
      `The type "${request.type}" does not exist or cannot be run. Use one of ${TYPES.join(', ')}.`,
    );
  const { unavailable } = await findAvailableTypes([request.type]);
  if (unavailable.length > 0) throw new OperatorError(unavailable.map(unavailableSentence).join(' '));
  const check = checkOf(checkTypeOf(request.type), request.target, options);
  const policy = createPolicy(targetRulesOf(config), await reservedNow(config));
  const outcome = await run(check, {
    clock: systemClock,
    resolve: systemResolve,
    policy,
    memory: createRunCache(systemClock),
    fresh: true,
    registries: registriesOf(config),
    signal: signal(),
  });
  return print(request, outcome, {}, output);
};

const print = async (
  { type, target, options }: { type: string; target: string; options: ProbeOptions },
  outcome: Outcome,
  more: object,
  output: Output,
): Promise<boolean> => {
  const lines = options.json
    ? [JSON.stringify({ type, target, ...outcome, ...more })]
    : (REPORTS.get(type) ?? presentOutcome)(outcome).map(printable);
  for (const line of lines) await output.line(line);
  return outcome.status === 'ok';
};

const isScriptType = (type: string): type is ScriptKind => SCRIPT_TYPES.some((one) => one === type);

/** Runs a script from a file. */
const probeOfScript = async (
  config: Config,
  request: { type: ScriptKind; target: string; options: ProbeOptions; signal: () => AbortSignal },
  output: Output,
): Promise<boolean> => {
  const { type, target, signal } = request;
  const { env = {}, url = null, ...options } = request.options;
  const parameters = { ...options.parameters, pw_script: await scriptIn(target) };
  const check = checkOf(checkTypeOf(type), url as string | null, { ...options, parameters });
  const { outcome, files } = await probeScript(
    config,
    type,
    { ...check, secrets: env as Record<string, string> },
    signal(),
  );
  const ok = await print(request, outcome, { files }, output);
  if (!options.json && files.length > 0)
    for (const line of ['', 'files:', ...files]) await output.line(printable(line));
  return ok;
};

const validate = compile(NewCheck);

/** Builds a definition from the options and validates it by the rules of the API. */
const checkOf = (type: CheckType, target: string | null, options: ProbeOptions): RunnableCheck => {
  const parameters = parametersOf(type, options);
  const { timeout } = options;
  const place = target === null ? {} : type.target.url ? { url: target } : hostAndPort(target);
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

/** Parses the target of a check: `example.com:25`, `[::1]:25` or `::1`. */
const hostAndPort = (target: string): { host: string; port?: number } => {
  const [, host, port] = isIPv6(target) ? [] : (/^(.+):(\d+)$/.exec(target) ?? []);
  return host === undefined ? { host: target } : { host, port: Number(port) };
};

/** Returns the parameters of the check. Options take precedence over `--parameters`. */
const parametersOf = (type: CheckType, options: ProbeOptions): Record<string, unknown> => {
  const parameterNames = Object.keys(type.parameters.properties);
  const parameters = structuredClone(options.parameters ?? {});
  const foreign = Object.keys(parameters).find((name) => !parameterNames.includes(name));
  if (foreign !== undefined) throw new OperatorError(`Checks of type ${type.name} have no parameter ${foreign}.`);
  for (const { flags, path } of PARAMETER_OPTIONS) {
    const option = new Option(flags);
    const value = options[option.attributeName()];
    // Commander sets an option such as `--no-…` to true if the option is not given.
    if (value === undefined || (option.negate && value === true)) continue;
    if (!takes(type.parameters, path))
      throw new OperatorError(`Checks of type ${type.name} have no option ${option.long ?? flags}.`);
    put(parameters, path, value);
  }
  return parameters;
};

/** Whether a schema has a field at this path. */
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
  // If `inner` is not an object, the validation rejects it later.
  if (isFields(inner)) put(inner, [next, ...further], value);
};
