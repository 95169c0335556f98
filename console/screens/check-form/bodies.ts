import type { Schemas } from '../../api/openapi.d.ts';
import { bindingsOf, parallelOf, regionsOf, valueOf, type Draft, type Source } from './draft.ts';
import { FIELDS, TARGETS, type FieldSpec } from './fields.ts';
import { isObject, isSameJson, textIn, valueAt, without, withValueAt, type JsonObject } from './paths.ts';
import { readField, writeField } from './values.ts';

/* Functions that convert a draft to request bodies. */

/** Adds `https://` to a URL without a scheme. */
export const fullUrl = (text: string): string => {
  const url = text.trim();
  return url === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `https://${url}`;
};

const COMMON = ['regions', 'multi_region_execution', 'retry_enabled'];

/**
 * Returns the stored parameters that the form starts from. If the type has changed, only the parameters that all types
 * share are included.
 */
const keptParameters = ({ source, type }: Draft): JsonObject => {
  const { parameters = {} } = source;
  if (source.type === type.value) return parameters;
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => COMMON.includes(name)));
};

const withRegions = (draft: Draft, parameters: JsonObject): JsonObject => {
  const regions = draft.regions.value;
  if (isSameJson(regions, regionsOf({ type: 'web', parameters }))) return parameters;
  return withValueAt(parameters, 'regions', regions.length === 0 ? undefined : regions);
};

const withParallel = (draft: Draft, parameters: JsonObject): JsonObject => {
  const mode = draft.parallel.value;
  const count = mode === 'random_n' ? draft.count.value : null;
  const before = parallelOf({ type: 'web', parameters });
  if (before.mode === mode && (mode !== 'random_n' || before.count === count)) return parameters;
  const known = isObject(parameters['multi_region_execution']) ? parameters['multi_region_execution'] : null;
  if (mode === 'turn') return { ...parameters, multi_region_execution: { ...known, enabled: false } };
  const others = without(known ?? {}, 'count');
  return {
    ...parameters,
    multi_region_execution: { ...others, enabled: true, execution_mode: mode, ...(count !== null && { count }) },
  };
};

/** Returns the parameters of the check in the form. Stored parameters that the form does not know are unchanged. */
export const parametersOf = (draft: Draft): JsonObject => {
  const ofType = FIELDS.filter(({ types }) => types.includes(draft.type.value));
  const isOn = (name: string): boolean => {
    const tick = ofType.find((field) => field.name === name);
    return tick === undefined || valueOf(draft, tick).value === true;
  };
  let check: JsonObject = { parameters: keptParameters(draft) };
  const before = check;
  const write = (field: FieldSpec): void => {
    const tick = ofType.find(({ name }) => name === field.needs);
    if (tick && !isOn(tick.name)) {
      // The user has unticked the checkbox, so remove the parameters that depend on it.
      if (readField(tick, before) === true && valueAt(check, field.path) !== undefined)
        check = withValueAt(check, field.path, undefined);
    } else check = writeField(field, check, valueOf(draft, field).value);
  };
  ofType.forEach(write);
  // Some checkboxes are on because an object exists at their path. If the loop above has removed the last property of
  // such an object, write the checkbox again.
  ofType.filter(({ as }) => as.kind === 'tick').forEach(write);
  const parameters = isObject(check['parameters']) ? check['parameters'] : {};
  return withParallel(draft, withRegions(draft, parameters));
};

const target = (draft: Draft): JsonObject => {
  const wanted = TARGETS[draft.type.value];
  const url = fullUrl(draft.url.value);
  const host = draft.host.value.trim();
  return {
    ...(wanted.includes('url') && url !== '' && { url }),
    ...(wanted.includes('host') && host !== '' && { host }),
    ...(wanted.includes('port') && draft.port.value !== null && { port: draft.port.value }),
  };
};

/** Returns the default name of a check, which is its target. Returns an empty text if there is no target yet. */
export const proposedName = (draft: Draft): string => {
  const { url, host, port } = target(draft);
  const isWeb = typeof url === 'string' && URL.canParse(url);
  const place = isWeb ? new URL(url).host + new URL(url).pathname.replace(/\/$/, '') : textIn(host);
  return (draft.type.value === 'tcp' && typeof port === 'number' ? `${place}:${port}` : place).slice(0, 100);
};

const nameOf = (draft: Draft): string => draft.name.value.trim() || proposedName(draft);

const tagsOf = (draft: Draft): readonly string[] => draft.tags.value.map((tag) => tag.trim());

/** Returns the body of `POST /v1/checks`. Missing values are omitted, so that the API reports them. */
export const creationOf = (draft: Draft): JsonObject => ({
  name: nameOf(draft),
  type: draft.type.value,
  active: draft.active.value,
  ...(draft.interval.value !== null && { interval: draft.interval.value }),
  ...(draft.timeout.value !== null && { timeout: draft.timeout.value }),
  ...target(draft),
  parameters: parametersOf(draft),
  tags: tagsOf(draft),
  ...(draft.groupId.value !== '' && { group_id: draft.groupId.value }),
  ...(draft.mutedUntil.value !== null && { muted_until: `${draft.mutedUntil.value}Z` }),
  ...(draft.secrets.value.length > 0 && { secrets: draft.secrets.value }),
});

/**
 * Returns the body of `PATCH /v1/checks/{check_id}`. It contains only the changed fields. A field that the user has
 * emptied is null.
 */
export const changeOf = (draft: Draft): JsonObject => {
  const { source } = draft;
  const wanted = TARGETS[draft.type.value];
  const given: JsonObject = target(draft);
  const now: JsonObject = {
    name: nameOf(draft),
    active: draft.active.value,
    interval: draft.interval.value,
    timeout: draft.timeout.value,
    ...Object.fromEntries(wanted.map((name) => [name, given[name] ?? null])),
    parameters: parametersOf(draft),
    tags: tagsOf(draft),
    group_id: draft.groupId.value === '' ? null : draft.groupId.value,
    muted_until: draft.mutedUntil.value,
    secrets: draft.secrets.value,
  };
  const was: JsonObject = { parameters: {}, tags: [], ...source, secrets: bindingsOf(source) };
  const changed = Object.entries(now).filter(([name, value]) => !isSameJson(was[name], value));
  return Object.fromEntries(
    changed.map(([name, value]) => [name, name === 'muted_until' && value !== null ? `${textIn(value)}Z` : value]),
  );
};

/** Returns the body of `POST /v1/checks/execute`. */
export const trialOf = (draft: Draft): JsonObject => ({
  name: nameOf(draft) || 'Test',
  type: draft.type.value,
  ...(draft.timeout.value !== null && { timeout: draft.timeout.value }),
  ...target(draft),
  parameters: parametersOf(draft),
});

/** Returns the initial values of the form for a clone of a check. */
export const cloneOf = (check: Schemas['Check'], name: string): Source => ({
  type: check.type,
  name,
  active: check.active,
  interval: check.interval,
  timeout: check.timeout,
  host: check.host,
  url: check.url,
  port: check.port,
  parameters: check.parameters,
  tags: check.tags,
  group_id: check.group_id,
  secrets: bindingsOf(check),
});
