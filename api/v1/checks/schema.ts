import { Type, type Static, type TObject } from '@sinclair/typebox';
import { requiredFields } from '../../../domain/check/definition.ts';
import { HOST_PATTERN, HOST_SENTENCE, isHost } from '../../../domain/check/host.ts';
import { REGIONS, regionOf } from '../../../domain/check/regions.ts';
import { CHECK_DEFAULTS } from '../../../domain/check/state.ts';
import type { CheckType } from '../../../domain/check/types/check-type.ts';
import { CommonParameters } from '../../../domain/check/types/common.ts';
import { CHECK_TYPE_NAMES, CHECK_TYPES } from '../../../domain/check/types/index.ts';
import { MAX_POSITION } from '../../../domain/position.ts';
import { isHttpUrl } from '../../../http/http-url.ts';
import { NewBindings, SecretBinding } from '../secrets/schema.ts';
import {
  withCheck,
  choice,
  withDefaults,
  httpUrl,
  Id,
  InstantOut,
  ManagedBy,
  mutedUntilIn,
  mutedUntilOut,
  namedSchema,
  nullable,
  partial,
  Revision,
  Tags,
  text,
} from '../../schema.ts';

/**
 * Maximum size of parameters as JSON, in bytes. The previous and the new parameters, encrypted, must fit in one append.
 */
const MAX_PARAMETERS = 262_144;

/**
 * Refuses URLs with a user name or password. Accepts values that are not URLs, because `format` in the schema reports
 * such values.
 */
const hasNoCredentials = (url: string): boolean => {
  if (!isHttpUrl(url)) return true;
  const { username, password } = new URL(url);
  return username === '' && password === '';
};

const checkType = choice(CHECK_TYPE_NAMES);
const whole = (minimum: number, maximum: number, description?: string) =>
  Type.Integer({ minimum, maximum, ...(description !== undefined && { description }) });

const host = withCheck(
  Type.String({ maxLength: 255, pattern: HOST_PATTERN, examples: ['example.com'] }),
  isHost,
  HOST_SENTENCE,
);

/** The fields of a check that a client can set (docs/reference/checks.md#check-fields). */
const fields = {
  name: text(100, { min: 1 }),
  active: Type.Boolean(),
  interval: whole(30, 86_400, 'Seconds between runs.'),
  timeout: Type.Number({
    minimum: 1,
    maximum: 120,
    description: 'In seconds, fractions allowed. At most 30, except for synthetic checks.',
  }),
  host: nullable(host),
  url: nullable(
    withCheck(httpUrl(2_048), hasNoCredentials, 'Must be an http or https URL without user name and password.'),
  ),
  port: nullable(whole(1, 65_535)),
  parameters: withCheck(
    CommonParameters,
    (parameters) => Buffer.byteLength(JSON.stringify(parameters)) <= MAX_PARAMETERS,
    `Must have at most ${MAX_PARAMETERS} bytes as JSON.`,
  ),
  tags: Tags,
  managed_by: ManagedBy,
};

/** Position of a check in its group; ignored without a group. */
export const groupPosition = Type.Integer({
  minimum: 1,
  maximum: MAX_POSITION,
  description: 'Position in the group. Null means the end. Ignored without a group.',
});

/** Other fields that a client can set: group, position, secrets and muting. */
const relations = {
  group_id: nullable(Id),
  position: nullable(groupPosition),
  secrets: NewBindings,
  muted_until: mutedUntilIn,
};

/** Body of PUT and PATCH: absent fields stay unchanged. Clients are allowed to send `type`, but cannot change it. */
export const CheckChange = partial(
  Type.Object({
    ...fields,
    type: checkType,
    ...relations,
    secrets: {
      ...NewBindings,
      description: 'Replaces all secrets that the check is bound to. An empty array unbinds all.',
    },
  }),
);

/** The requirements of each check type. They are part of the schema, so that one response names all errors. */
const byType = CHECK_TYPES.map(({ name, target, maxTimeout, parameters }) => {
  const required = requiredFields(target);
  return {
    if: { properties: { type: { const: name } }, required: ['type'] },
    then: {
      required,
      properties: {
        ...Object.fromEntries(required.map((field) => [field, { type: field === 'port' ? 'integer' : 'string' }])),
        timeout: { maximum: maxTimeout },
        parameters,
      },
    },
  };
});

/**
 * Converts the requirements of a type for the OpenAPI document, which has an object schema per type, not conditions.
 */
const objectOf = (definition: TObject, { name: type, target, maxTimeout, parameters }: CheckType): TObject => {
  const needed = new Set([...(definition.required ?? []), ...requiredFields(target)]);
  const properties = {
    ...definition.properties,
    type: Type.Literal(type),
    timeout: Type.Number({
      minimum: 1,
      maximum: maxTimeout,
      default: CHECK_DEFAULTS.timeout,
      description: 'In seconds, fractions allowed.',
    }),
    parameters,
    ...(needed.has('url') && { url: httpUrl(2_048) }),
    ...(needed.has('host') && { host }),
    ...(needed.has('port') && { port: whole(1, 65_535) }),
  };
  return Type.Object(
    Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, needed.has(name) ? schema : Type.Optional(schema)]),
    ),
  );
};

/** Adds the requirements of each type to a definition that has the field `type`. */
export const definitionByType = <T extends TObject>(definition: T): T => ({
  ...definition,
  allOf: byType,
  published: Type.Union(
    CHECK_TYPES.map((type) => objectOf(definition, type)),
    { discriminator: { propertyName: 'type' } },
  ),
});

/** Body of POST. */
export const NewCheck = definitionByType(
  Type.Object({
    ...withDefaults(fields, CHECK_DEFAULTS),
    name: fields.name,
    type: checkType,
    interval: fields.interval,
    ...partial(Type.Object(relations)).properties,
  }),
);

/** Body of an on-demand run of an unsaved definition. It has those fields of a check that affect a single run. */
export const UnsavedCheck = definitionByType(
  Type.Object({
    name: fields.name,
    type: checkType,
    ...withDefaults(
      {
        timeout: fields.timeout,
        host: fields.host,
        url: fields.url,
        port: fields.port,
        parameters: fields.parameters,
      },
      CHECK_DEFAULTS,
    ),
  }),
);

/** See docs/reference/checks.md#check-fields. */
export const Check = namedSchema(
  'Check',
  Type.Object({
    id: Id,
    name: Type.String(),
    type: checkType,
    active: Type.Boolean(),
    interval: Type.Integer(),
    timeout: Type.Number(),
    host: nullable(Type.String()),
    url: nullable(Type.String()),
    port: nullable(Type.Integer()),
    status: choice(['pending', 'up', 'down']),
    last_checked_at: nullable(InstantOut),
    parameters: Type.Record(Type.String(), Type.Unknown(), {
      description: 'As they were sent. Only editors and admins see secrets; others see ********.',
    }),
    tags: Tags,
    secrets: Type.Array(SecretBinding),
    group_id: nullable(Id),
    group: nullable(
      Type.Object({
        id: Id,
        name: Type.String(),
        description: nullable(Type.String()),
        color: nullable(Type.String()),
        position: Type.Integer(),
        active: Type.Boolean({ description: 'If false, its checks do not run on schedule.' }),
      }),
    ),
    position: nullable(Type.Integer({ description: 'Position in the group.' })),
    muted_until: mutedUntilOut,
    suspended_reason: nullable(Type.String({ description: 'Why scheduled runs are suspended.' })),
    managed_by: ManagedBy,
    revision: Revision,
    created_at: InstantOut,
    updated_at: InstantOut,
  }),
);
export type Check = Static<typeof Check>;

/** See docs/reference/regions.md#region-fields. */
export const Region = namedSchema(
  'Region',
  Type.Object({
    id: Type.String({ examples: ['EU, West'] }),
    display_name: Type.String(),
    aliases: Type.Array(Type.String()),
    available_check_types: Type.Array(checkType),
    runners: Type.Integer({ minimum: 0, description: 'Number of runners that serve the region now.' }),
  }),
);

const REGION_NAMES = REGIONS.flatMap(({ id, aliases }) => [id, ...aliases]);
const LONGEST_REGION_NAME = 100;

/**
 * The id or an alias of a region, or the id of a private location. The schema does not check whether the region exists.
 */
export const regionName = withCheck(
  Type.String({
    maxLength: LONGEST_REGION_NAME,
    description: `One of ${REGION_NAMES.map((name) => `\`${name}\``).join(', ')}, or the id of a private location.`,
    examples: [...REGION_NAMES.slice(0, 1)],
  }),
  (name) => regionOf(name) !== undefined,
  `Must be one of: ${REGION_NAMES.join(', ')}, or the id of a private location.`,
);

/** See docs/reference/results.md#result-fields. */
export const CheckResult = namedSchema(
  'CheckResult',
  Type.Object({
    id: Id,
    check_id: nullable(Id),
    created_at: {
      ...InstantOut,
      description:
        'The time of the run. A remote runner without connection to the service may deliver its result later.',
    },
    status: choice(['ok', 'down', 'failed', 'error']),
    response_time: nullable(Type.Integer({ minimum: 0, description: 'In milliseconds.' })),
    error_message: nullable(Type.String()),
    check_server_id: Type.String(),
    check_server: Type.Object({
      id: Type.String(),
      country: Type.String({ description: 'ISO 3166-1 alpha-2.' }),
      region: Type.String(),
      ip_address: Type.String(),
      server_metadata: Type.Record(Type.String(), Type.Unknown(), {
        description:
          'Contains `provider`; for a remote runner also `runner` (its name) and `clock_offset_ms` (milliseconds that its ' +
          'clock was ahead of the service; negative: behind).',
      }),
    }),
    check_metadata: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Depends on the check type. `notes` contains sentences about what was tolerated or left out: for web and api ' +
        'checks, faults that browsers tolerate, such as gzip data without its checksum or an unknown Content-Encoding.',
    }),
    suspect: Type.Boolean({
      description: 'Whether the runner had lost its network. Statistics and alert rules ignore such results.',
    }),
    result_type: choice(['regular', 'on_demand']),
    execution_id: nullable({ ...Id, description: 'The job of an on-demand run.' }),
    execution_group_id: nullable({ ...Id, description: 'The execution group, if the run covered several regions.' }),
    triggered_alerts: Type.Array(Type.Object({ id: Id, title: Type.String() })),
  }),
);
export type CheckResult = Static<typeof CheckResult>;
