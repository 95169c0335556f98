import { Type, type TObject, type TProperties, type TSchema } from '@sinclair/typebox';
import { COMPONENT_STATUSES } from '../../domain/page/component-status.ts';
import { isCalendarDay } from '../../domain/time.ts';
import { MAX_CHANNELS } from '../../domain/heartbeat/decide.ts';
import { NewAlertChannelBody } from '../v1/alerts/channels/schema.ts';
import { NewAlertRuleBody } from '../v1/alerts/rules/schema.ts';
import { NewCheckGroup } from '../v1/check-groups/schema.ts';
import { definitionByType, NewCheck } from '../v1/checks/schema.ts';
import { NewComponent, NewGroup } from '../v1/components/schema.ts';
import { NewHeartbeat } from '../v1/heartbeats/schema.ts';
import { NewIncidentTemplate } from '../v1/incident-templates/schema.ts';
import { NewPage } from '../v1/pages/schema.ts';
import { NewBinding, NewBindings, NewSecret } from '../v1/secrets/schema.ts';
import { choice, nullable, text, withCheck } from '../schema.ts';

/*
 * The objects of a configuration in files (docs/guide/configuration-as-files.md). Each has the fields of the body that
 * creates it, but refers to other objects by name instead of by id. Fields are left out that are no configuration: ends
 * of mutes, and statuses of components.
 */

const LONGEST_NAME = 255;
const ref = (what: string) => text(LONGEST_NAME, { min: 1, description: `The name of ${what}.` });

/** A reference to an object whose name may occur in several groups. */
const reference = (what: string): TSchema =>
  Type.Unsafe({
    anyOf: [
      ref(what),
      Type.Object(
        { group: nullable(text(LONGEST_NAME)), name: text(LONGEST_NAME, { min: 1 }) },
        { description: 'Group and name, for a name that occurs several times.' },
      ),
    ],
  });

/** Removes fields from a body, and adds or replaces others, which are optional unless `needed` names them. */
const entry = (
  body: TObject,
  { without = [], fields = {}, needed = [] }: { without?: readonly string[]; fields?: TProperties; needed?: string[] },
): TObject => {
  // Objects with a field `group` can have had another group, too.
  const formerly = 'group' in fields ? { ...reference('the object before'), description: FORMERLY } : formerName;
  const given = Object.entries(body.properties).filter(([name]) => !['managed_by', ...without].includes(name));
  const required = new Set([...(body.required ?? []), ...needed]);
  const all: [string, TSchema][] = [
    ...given.filter(([name]) => !(name in fields)),
    ...Object.entries({ ...fields, formerly }),
  ];
  return Type.Object(
    Object.fromEntries(all.map(([name, schema]) => [name, required.has(name) ? schema : Type.Optional(schema)])),
  );
};

const FORMERLY =
  'The previous name, or group and name, after a change of one of them: the object is renamed or moved instead of created.';

const formerName = text(LONGEST_NAME, {
  min: 1,
  description: 'The previous name, after a change of `name`: the object is renamed instead of created.',
});

const Binding = Type.Object({ secret: ref('a secret'), env_variable: NewBinding.properties.env_variable });

const Secret = Type.Object({
  name: NewSecret.properties.secret_name,
  value: Type.String({
    minLength: 1,
    description: '`${env:NAME}` for an environment variable, or `${kept}` for the value that the service stores.',
    examples: ['${env:API_TOKEN}', '${kept}'],
  }),
});

const CheckGroup = entry(NewCheckGroup, {});

const Check = definitionByType(
  entry(NewCheck, {
    without: ['group_id', 'muted_until'],
    fields: {
      group: nullable({ ...ref('a check group'), default: null }),
      secrets: Type.Array(Binding, { ...optionsOf(NewBindings), default: [] }),
    },
  }),
);

const Channel = entry(NewAlertChannelBody, {});

const Rule = entry(NewAlertRuleBody, {
  without: ['check_id', 'channel_ids', 'muted_until'],
  fields: {
    check: { ...nullable(reference('a check')), default: null },
    channels: Type.Array(ref('an alert channel'), optionsOf(NewAlertRuleBody.properties.channel_ids)),
  },
  needed: ['channels'],
});

const Heartbeat = entry(NewHeartbeat, {
  fields: { channels: Type.Array(ref('an alert channel'), { maxItems: MAX_CHANNELS, default: [] }) },
});

/**
 * A day. A timestamp, which the API accepts as well, means a day in the time zone of the page, so that it could not be
 * compared with the day that the service stores.
 */
const start_date = nullable(
  withCheck(
    Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}$',
      examples: ['2026-11-20'],
      description: 'The first day of uptime. Default of a new object: the day of its creation.',
    }),
    isCalendarDay,
    'Must be a date, YYYY-MM-DD.',
  ),
);

const ComponentGroup = entry(NewGroup, { without: ['group_id'], fields: { start_date } });

const Component = entry(NewComponent, {
  without: ['group_id', 'check_id', 'status'],
  fields: {
    group: nullable({ ...ref('a component group of the page'), default: null }),
    check: { ...nullable(reference('a check')), default: null },
    start_date,
  },
});

const Page = entry(NewPage, {});

const IncidentTemplate = entry(NewIncidentTemplate, {
  without: ['page_id'],
  fields: {
    page: nullable({ ...ref('a page'), default: null }),
    components: Type.Array(
      Type.Object({ component: reference('a component of the page'), status: choice(COMPONENT_STATUSES) }),
      { default: [] },
    ),
  },
});

/** Returns the limits and the description of an array. */
function optionsOf({ minItems, maxItems, description }: TSchema): object {
  return {
    ...(minItems !== undefined && { minItems: minItems as number }),
    ...(maxItems !== undefined && { maxItems: maxItems as number }),
    ...(description !== undefined && { description }),
  };
}

/** The schemas of all objects, in the order in which they are created: each refers only to earlier ones. */
export const ENTRY_SCHEMAS = {
  secrets: Secret,
  check_groups: CheckGroup,
  checks: Check,
  pages: Page,
  component_groups: ComponentGroup,
  components: Component,
  channels: Channel,
  rules: Rule,
  heartbeats: Heartbeat,
  incident_templates: IncidentTemplate,
} as const satisfies Record<string, TObject>;

/** A kind of object. Component groups and components are parts of a page. */
export type ObjectKind = keyof typeof ENTRY_SCHEMAS;

export const OBJECT_KINDS = Object.keys(ENTRY_SCHEMAS) as readonly ObjectKind[];

/** Lists the kinds that are fields of a page. */
export const PARTS_OF_PAGE = ['component_groups', 'components'] as const satisfies readonly ObjectKind[];

/** Returns the values that the service gives to absent fields of a new object, as far as they are fixed. */
export const defaultsOf = (kind: ObjectKind): Readonly<Record<string, unknown>> => {
  const properties: TProperties = ENTRY_SCHEMAS[kind].properties;
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) => ('default' in schema ? [[name, schema['default']]] : [])),
  );
};
